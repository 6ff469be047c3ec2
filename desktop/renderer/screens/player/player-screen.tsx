import { BookX } from 'lucide-react';
import { lazy, Suspense, useState, useEffect, useEffectEvent } from 'react';
import { Redirect } from 'wouter';

import type { PlayableGuide, WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { VisuallyHidden } from '#desktop/renderer/ui/visually-hidden.tsx';
import { Workplace } from '#desktop/renderer/ui/workplace.tsx';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { EmptyPage } from '../shell/empty-page.tsx';
import { LeftGuide, useHasLeft } from '../shell/left-guide.tsx';
import { ConclusionPage } from './conclusion-page.tsx';
import { KeyHelp, usePlayerKeys } from './player-keys.tsx';
import { OverviewPage } from './overview-page.tsx';
import { PlayerBar } from './player-bar.tsx';
import { PlayerLead } from './player-lead.tsx';
import { usePlayerPages, type PlayerPage } from './player-page.ts';
import { StepList } from './step-list.tsx';
import { StepPage } from './step-page.tsx';
import { usePrintKey } from './use-print-key.ts';

const AllStepsPage = lazy(async () => ({ default: (await import('./all-steps-page.tsx')).AllStepsPage }));
const ChangedGuide = lazy(async () => ({ default: (await import('./changed-guide.tsx')).ChangedGuide }));

/** The player of a guide. */
export function PlayerScreen({ guideid }: { guideid: string }) {
  const guide = useLive('guide', guideid);
  const hasLeft = useHasLeft(guideid, guide);
  if (guide !== null) return <Player present={guide} />;
  return hasLeft ? <LeftGuide guideid={guideid} /> : <NoGuide guideid={guideid} />;
}

/** A guide that was never saved can only be edited, so the address changes to its editor. */
function NoGuide({ guideid }: { guideid: string }) {
  const draft = useLive('draft', guideid);
  if (draft !== null) return <Redirect to={`/guides/${draft.guideid}/edit`} replace />;
  return (
    <EmptyPage title={text.player.missing} icon={<BookX />} wayOut={{ href: '/', words: text.app.toLibrary }}>
      {text.player.missingHint}
    </EmptyPage>
  );
}

function Player({ present }: { present: PlayableGuide }) {
  const orders = useGuideOrders(present.guideid);
  const revision = useLiveSoon('orderRevision', orders.open?.entryid ?? '') ?? null;
  // A release is shown as the guide that requires it says.
  const changed = present.release === null ? revision : null;
  const guide = changed?.guide ?? present;
  const places = usePlayerPages(guide);
  const [showsKeys, setShowsKeys] = useState(false);
  const [isPrinting, setPrinting] = useState(false);
  const { page } = places;
  useStepTimes(orders.open, page, guide.guideid);
  usePlayerKeys({
    ArrowRight: places.next,
    PageDown: places.next,
    ArrowLeft: places.previous,
    PageUp: places.previous,
    Home: places.toOverview,
    End: places.toConclusion,
    '?': () => setShowsKeys(true),
  });
  usePrintKey(() => {
    places.toAll();
    setPrinting(true);
  });
  return (
    <>
      <title>{text.app.title(guide.title)}</title>
      <PlayerLead guide={guide} places={places} order={orders.open} />
      <Workplace
        list={<StepList guide={guide} places={places} order={orders.open} />}
        bar={
          <PlayerBar
            guide={guide}
            places={places}
            order={orders.open}
            onShowKeys={() => setShowsKeys(true)}
          />
        }
      >
        {changed !== null && orders.open !== null && (
          <Suspense fallback={null}>
            <ChangedGuide order={orders.open} view={changed} />
          </Suspense>
        )}
        {page.kind === 'overview' && (
          <OverviewPage guide={guide} order={orders.open} suspended={orders.suspended} />
        )}
        {page.kind === 'all' && (
          <Suspense fallback={<Loading label={text.app.loading} />}>
            <AllStepsPage
              guide={guide}
              isPrinting={isPrinting}
              onPrint={() => setPrinting(true)}
              onPrinted={() => setPrinting(false)}
              onOpenStep={places.toStep}
            />
          </Suspense>
        )}
        {page.kind === 'step' && (
          <StepPage
            key={page.step.stepid}
            number={page.index + 1}
            step={page.step}
            order={orders.open}
            isReadOnly={
              guide.archive !== null ||
              (guide.release ?? changed)?.goneSteps.includes(page.step.stepid) === true
            }
          />
        )}
        {page.kind === 'conclusion' && <ConclusionPage guide={guide} />}
      </Workplace>
      <VisuallyHidden as="p" role="status">
        {announcement(guide, page)}
      </VisuallyHidden>
      <KeyHelp isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </>
  );
}

function announcement(guide: PlayableGuide, page: PlayerPage): string {
  if (page.kind === 'overview') return text.player.overview;
  if (page.kind === 'all') return text.player.allSteps;
  if (page.kind === 'conclusion') return text.player.conclusion;
  return text.player.announceStep(page.index + 1, guide.steps.length, page.step.title);
}

/** The work orders on a guide: the one that this person has open, and the suspended ones. */
function useGuideOrders(guideid: string): { open: WorkOrder | null; suspended: WorkOrder[] } {
  const orders = useLive('workOrders').filter((order) => order.guideid === guideid && !order.frozen);
  const mine = orders.filter((order) => order.mine);
  const open =
    mine.find((order) => order.status === 'started') ??
    mine.find((order) => order.status === 'paused') ??
    null;
  return { open, suspended: orders.filter((order) => order.status === 'suspended') };
}

/** Reports the current step to the running work order, for the times per step. */
function useStepTimes(order: WorkOrder | null, page: PlayerPage, guideid: string): void {
  const actions = useActions();
  const { act } = useAsyncAction();
  const step = page.kind === 'step' && page.step.guideid === guideid ? page.step : null;
  const entryid = order?.status === 'started' ? order.entryid : null;
  const activeStepid = order?.activeStepid ?? null;
  const stepid = step?.stepid ?? null;
  const arrive = useEffectEvent((order: string, arrivedAt: string) => {
    if (activeStepid !== arrivedAt) act(() => actions.enterStep(order, arrivedAt));
  });
  // Depends only on the step and the running order: a new answer of the engine is not an arrival.
  useEffect(() => {
    if (entryid !== null && stepid !== null) arrive(entryid, stepid);
  }, [entryid, stepid]);
}
