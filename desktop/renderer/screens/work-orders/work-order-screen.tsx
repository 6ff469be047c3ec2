import { ClipboardX } from 'lucide-react';
import { Link } from 'react-aria-components';

import type { RecordedValue, StepView, WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { Timer } from '#desktop/renderer/ui/timer.tsx';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import { DeviationList } from '../deviations/deviation-list.tsx';
import { HandoverNote } from '../player/overview-notes.tsx';
import { EarlierNote, FollowsNote, PlannedNote } from '../planned/planned-note.tsx';
import { EmptyPage } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import { AllOrdersLink } from './all-orders-link.tsx';
import { atStations } from './at-stations.ts';
import { FrozenOrder } from './frozen-order.tsx';
import { NumberLinks, revisionHref } from './number-link.tsx';
import { OrderMoves } from './order-moves.tsx';
import { OrderStatus } from './order-status.tsx';
import { RecordActions } from './record-actions.tsx';
import { RecordSeal } from './record-seal.tsx';
import { revisionName, revisionWords } from './revision-words.ts';
import { PersonTimes, StepTimes } from './step-times.tsx';
import { stepName } from './step-name.ts';
import { ValueTable } from './value-table.tsx';
import styles from './work-order-screen.module.css';

/** A work order: times, values and photos. */
export function WorkOrderScreen({ entryid }: { entryid: string }) {
  const order = useLive('workOrder', decodeURIComponent(entryid));
  if (order === null) {
    return (
      <EmptyPage
        title={text.workOrders.missing}
        icon={<ClipboardX />}
        wayOut={{ href: '/work-orders', words: text.workOrders.all }}
      >
        {text.workOrders.missingHint}
      </EmptyPage>
    );
  }
  return <Order order={order} />;
}

function Order({ order }: { order: WorkOrder }) {
  const own = useLive('deviations').filter(({ entryid }) => entryid === order.entryid);
  const steps = useLiveSoon('guide', order.guideid)?.steps ?? [];
  return (
    <Page
      title={order.workorderid}
      over={<AllOrdersLink />}
      lead={order.guideTitle}
      actions={
        <>
          <RecordActions order={order} deviations={own} steps={steps} />
          <OrderMoves order={order} />
        </>
      }
    >
      {order.frozen && <FrozenOrder order={order} />}
      {order.timeAdjusted && (
        <Notice tone="info" title={text.workOrders.adjusted}>
          {text.workOrders.adjustedHint}
        </Notice>
      )}
      <Facts order={order} />
      <HandoverNote order={order} />
      <FollowsNote entryid={order.entryid} />
      <EarlierNote entryid={order.entryid} />
      <PlannedNote order={order} />
      {order.gaps.length > 0 && <Gaps order={order} steps={steps} />}
      {order.pending > 0 && <Badge tone="warn">{text.workOrders.pending(order.pending)}</Badge>}
      <div className={classNames(styles, 'parts')}>
        <section className={classNames(styles, 'part')}>
          <h2>{text.workOrders.recorded}</h2>
          <ValueTable order={order} steps={steps} />
        </section>
        <section className={classNames(styles, 'part')}>
          <h2>{text.workOrders.times}</h2>
          <StepTimes order={order} steps={steps} />
          <PersonTimes order={order} steps={steps} />
          <h2>{text.workOrders.history}</h2>
          <History order={order} />
        </section>
      </div>
      <DeviationList title={text.deviations.inOrder} deviations={own} namesOrder={false} />
      <RecordSeal order={order} />
      <Photos values={Object.values(order.values)} steps={steps} />
    </Page>
  );
}

/** Who started, paused, handed over and ended the order, and when. */
function History({ order: { history, revisions } }: { order: WorkOrder }) {
  const later = revisions.filter(({ decision }) => decision !== 'start');
  return (
    <ol className={classNames(styles, 'history')}>
      {later.map(({ decision, revision, username, at }) => (
        <li key={`${decision} ${at}`}>
          <b>{text.revisions.decisions[decision]}</b>{' '}
          {`${revisionName(revision)} · ${formatDate(at)} · ${username}`}
        </li>
      ))}
      {history.map(({ type, username, at, note, station }) => (
        <li key={`${type} ${at}`}>
          <b>{text.workOrders.moves[type]}</b>{' '}
          {[formatDate(at), username, ...atStations([station])].join(' · ')}
          {note !== null && <p>{note}</p>}
        </li>
      ))}
    </ol>
  );
}

/** The required values that were missing when the order was finished, and why. */
function Gaps({ order, steps }: { order: WorkOrder; steps: readonly StepView[] }) {
  return (
    <Notice tone="warn" title={text.workOrders.gaps}>
      <ul>
        {order.gaps.map(({ label, stepid, reason }) => (
          <li key={`${stepid} ${label}`}>
            <b>{text.workOrders.gap(label, stepName(steps, stepid))}</b>: {reason ?? text.workOrders.noReason}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Facts({ order }: { order: WorkOrder }) {
  return (
    <dl className={classNames(styles, 'facts')}>
      <div>
        <dt>{text.workOrders.worked}</dt>
        <dd>
          <Timer
            label={text.workOrders.worked}
            elapsedMs={order.activeMs}
            asOf={order.asOf}
            running={order.running}
          />
        </dd>
      </div>
      <div>
        <dt>{text.workOrders.state}</dt>
        <dd>
          <OrderStatus order={order} />
        </dd>
      </div>
      <div>
        <dt>{text.workOrders.worker}</dt>
        <dd>{order.username}</dd>
      </div>
      {order.stations !== undefined && (
        <div>
          <dt>{text.workOrders.recordedAt}</dt>
          <dd>{order.stations.map((name) => name || text.workOrders.aStation).join(', ')}</dd>
        </div>
      )}
      <div>
        <dt>{text.revisions.title}</dt>
        <dd>
          <RevisionLink order={order} />
        </dd>
      </div>
      {order.serials.length > 0 && (
        <div>
          <dt>{text.workOrders.serials}</dt>
          <dd>
            <NumberLinks numbers={order.serials} />
          </dd>
        </div>
      )}
      <div>
        <dt>{text.workOrders.startedAt}</dt>
        <dd>{formatDate(order.startedAt)}</dd>
      </div>
      <div>
        <dt>{text.workOrders.endedAt}</dt>
        <dd>{order.endedAt === null ? text.workOrders.stillRunning : formatDate(order.endedAt)}</dd>
      </div>
    </dl>
  );
}

/** The revision of an order, which leads to the other orders that were worked by it. */
function RevisionLink({ order: { guideid, revision, release } }: { order: WorkOrder }) {
  if (revision === null) return text.revisions.unknown;
  const words = revisionWords(revision);
  const whole = release === null ? words : text.revisions.ofRelease(words, release);
  if (revision.counted === undefined) return whole;
  return <Link href={revisionHref(guideid, revision.counted.number)}>{whole}</Link>;
}

function Photos({ values, steps }: { values: readonly RecordedValue[]; steps: readonly StepView[] }) {
  const photos = values.flatMap((value) =>
    [value.imageGuid, ...value.morePhotos.map(({ imageGuid }) => imageGuid)].flatMap((imageGuid) =>
      imageGuid === null ? [] : [{ ...value, imageGuid }],
    ),
  );
  if (photos.length === 0) return null;
  return (
    <section className={classNames(styles, 'part')}>
      <h2>{text.workOrders.photos}</h2>
      <ul className={classNames(styles, 'photos')}>
        {photos.map((photo) => (
          <li key={photo.imageGuid}>
            <figure>
              <div className={classNames(styles, 'photo')}>
                <Picture
                  guid={photo.imageGuid}
                  size="medium"
                  alt={text.player.photoOf(photo.label)}
                  fit="cover"
                />
              </div>
              <figcaption>
                {photo.label}
                <span>{stepName(steps, photo.stepid)}</span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}
