import { BookOpen, ClipboardList, Play, TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-aria-components';

import type { PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import type { WorkOrder } from '#desktop/engine/api/records.ts';
import type { StationView } from '#desktop/engine/api/station-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { stationHomeText } from '#desktop/renderer/text/en/station-home.ts';
import { stationText } from '#desktop/renderer/text/en/stations.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { Timer } from '#desktop/renderer/ui/timer.tsx';
import { VisuallyHidden } from '#desktop/renderer/ui/visually-hidden.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';
import { useLocation } from 'wouter';

import { useCategoryName } from '../library/category-name.ts';
import { GuideCards } from '../library/guide-cards.tsx';
import { PlannedForYou } from '../planned/planned-list.tsx';
import { useScanner } from '../player/use-scanner.ts';
import { EmptyPage } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import { placeOfOrder } from '../work-orders/order-groups.ts';
import { traceHref } from '../work-orders/number-link.tsx';
import { UnrecordedText } from '../work-orders/unrecorded-text.tsx';
import { WorkOrderRow } from '../work-orders/work-order-row.tsx';
import styles from './home-screen.module.css';
import { RunningList } from './running-list.tsx';

/** The first screen of a person at a station: what runs, what is next, and the guides of this place. */
export function StationHomeScreen() {
  const station = useLive('station');
  if (station === null)
    return (
      <EmptyPage
        title={stationText.health.notHere}
        icon={<ClipboardList />}
        wayOut={{ href: '/', words: text.app.toLibrary }}
      >
        {stationHomeText.nothingHint}
      </EmptyPage>
    );
  return <Home station={station} />;
}

function Home({ station }: { station: StationView }) {
  const orders = useLive('workOrders');
  const planned = useLiveSoon('plannedOrders') ?? [];
  const own = orders.filter(({ mine, frozen }) => mine && !frozen);
  const running = own.filter(({ status }) => status === 'started');
  const paused = own.filter(({ status }) => status === 'paused');
  const handedOver = orders.filter(({ status, frozen }) => status === 'suspended' && !frozen);
  const others = station.running.filter(({ userid }) => userid !== station.person?.userid);
  const isNext = planned.some(({ mine, status }) => mine && status === 'open');
  const place = useRef<HTMLParagraphElement>(null);
  useScanner(place, true, useScannedNumber(orders, planned));
  const isFree = running.length + paused.length + handedOver.length === 0 && !isNext;
  return (
    <Page title={stationHomeText.title(station.name)} hideTitle>
      <VisuallyHidden>
        <h1>{stationHomeText.title(station.name)}</h1>
      </VisuallyHidden>
      {[...running, ...paused].map((order) => (
        <ContinueCard key={order.entryid} order={order} station={station} />
      ))}
      {isFree && (
        <EmptyState icon={<ClipboardList />} title={stationHomeText.nothing}>
          {stationHomeText.nothingHint}
        </EmptyState>
      )}
      <UnrecordedText />
      <PlannedForYou />
      {handedOver.length > 0 && (
        <Section title={stationHomeText.handedOver} count={handedOver.length}>
          <RowList>
            {handedOver.map((order) => (
              <WorkOrderRow key={order.entryid} order={order} />
            ))}
          </RowList>
        </Section>
      )}
      <p ref={place} className={classNames(styles, 'scan')}>
        {stationHomeText.scan}
      </p>
      <Places />
      <GuidesHere categories={station.categories} tags={station.tags} />
      <RunningList title={stationHomeText.others} orders={others} />
    </Page>
  );
}

/** Continues or opens the order that has a scanned number, starts the planned one, or looks the number up. */
function useScannedNumber(orders: readonly WorkOrder[], planned: readonly PlannedOrderView[]) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const [, navigate] = useLocation();
  return (code: string): void => {
    const order = orders.find((one) => !one.frozen && sameNumber(one.workorderid, code));
    const next = planned.find((one) => one.mine && one.starts && sameNumber(one.workorderid, code));
    if (order !== undefined)
      navigate(order.running ? placeOfOrder(order) : `/work-orders/${encodeURIComponent(order.entryid)}`);
    else if (next !== undefined && next.entryid === null)
      act(async () => {
        await actions.startPlannedOrder(next.planned_orderid);
        navigate(`/guides/${next.guideid}`);
      });
    else navigate(traceHref(code));
  };
}

/** Readers differ in how they write letters. */
const sameNumber = (one: string, other: string): boolean =>
  one.trim().toUpperCase() === other.trim().toUpperCase();

/** An order of the person, with the way back to its step. */
function ContinueCard({ order, station }: { order: WorkOrder; station: StationView }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const step = useStepNumber(order, station);
  const resume = () =>
    act(async () => {
      await actions.moveWorkOrder(order.entryid, 'resume');
      navigate(placeOfOrder(order));
    });
  return (
    <section className={classNames(styles, 'card', order.running && 'running')}>
      {order.imageGuid !== null && (
        <div className={classNames(styles, 'picture')}>
          <Picture guid={order.imageGuid} size="medium" alt="" fit="cover" />
        </div>
      )}
      <div className={classNames(styles, 'words')}>
        <p className={classNames(styles, 'state')}>
          <Badge tone={order.running ? 'accent' : 'neutral'} look="dot">
            {order.running ? stationHomeText.running : stationHomeText.paused}
          </Badge>
          <Timer
            label={stationText.lock.worked}
            elapsedMs={order.activeMs}
            asOf={order.asOf}
            running={order.running}
            size="inline"
          />
        </p>
        <h2 className={classNames(styles, 'title')}>{order.guideTitle}</h2>
        <p className={classNames(styles, 'facts')}>{order.workorderid}</p>
      </div>
      {order.running ? (
        <ButtonLink tone="primary" size="large" href={placeOfOrder(order)}>
          {stationHomeText.continueAt(step)}
        </ButtonLink>
      ) : (
        <Button
          size="large"
          icon={<Play aria-hidden="true" />}
          onPress={resume}
          isPending={busy}
          label={`${stationHomeText.resumeAt(step)}: ${order.workorderid}`}
        >
          {stationHomeText.resumeAt(step)}
        </Button>
      )}
    </section>
  );
}

/** The position of the order's step in its guide, from 1; null if unknown. */
function useStepNumber(
  { entryid, guideid, activeStepid }: WorkOrder,
  { running }: StationView,
): number | null {
  const guide = useLiveSoon('guide', guideid);
  const known = running.find((one) => one.entryid === entryid)?.stepNumber;
  if (known !== undefined && known !== null) return known;
  const at = guide?.steps.findIndex(({ stepid }) => stepid === activeStepid) ?? -1;
  return at < 0 ? null : at + 1;
}

function Places() {
  const places: [href: string, name: string, icon: ReactNode][] = [
    ['/', stationHomeText.allGuides, <BookOpen key="guides" />],
    ['/work-orders', stationHomeText.myWork, <ClipboardList key="orders" />],
    ['/deviations', stationHomeText.reportProblem, <TriangleAlert key="deviations" />],
  ];
  return (
    <div className={classNames(styles, 'places')}>
      {places.map(([href, name, icon]) => (
        <Link key={href} className={classNames(styles, 'place')} href={href}>
          <span aria-hidden="true">{icon}</span>
          {name}
        </Link>
      ))}
    </div>
  );
}

/** The guides of the categories and tags that matter at the station. */
function GuidesHere({ categories, tags }: { categories: readonly string[]; tags: readonly string[] }) {
  if (categories.length + tags.length === 0) return null;
  return (
    <>
      {categories.map((category) => (
        <CategoryGuides key={category} category={category} />
      ))}
      {tags.length > 0 && <TaggedGuides tags={tags} />}
    </>
  );
}

function CategoryGuides({ category }: { category: string }) {
  const page = useLiveSoon('library', { category });
  const nameOf = useCategoryName();
  if (page === undefined || page.guides.length === 0) return null;
  return (
    <Section title={nameOf(category)} count={page.guides.length}>
      <GuideCards guides={page.guides} />
    </Section>
  );
}

function TaggedGuides({ tags }: { tags: readonly string[] }) {
  const tagged = useLiveSoon('taggedGuides') ?? [];
  const page = useLiveSoon('library', { category: null });
  const wanted = new Set(tagged.flatMap(({ tag, guideids }) => (tags.includes(tag) ? [...guideids] : [])));
  const guides = page?.guides.filter(({ guideid }) => wanted.has(guideid)) ?? [];
  if (guides.length === 0) return null;
  return (
    <Section title={stationHomeText.guidesHere} count={guides.length}>
      <GuideCards guides={guides} />
    </Section>
  );
}
