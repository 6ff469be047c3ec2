import { Link } from 'react-aria-components';

import type { FollowedDeviationView, PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatList } from '#desktop/renderer/text/format.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { earlierWords } from './earlier-words.ts';

type Other = PlannedOrderView['others'][number];

/** Names the deviation that a work order follows up. Renders nothing for any other work order. */
export function FollowsNote({ entryid }: { entryid: string }) {
  const planned = useLiveSoon('plannedOrders') ?? [];
  const isOf = ({ entryid: counted, others }: PlannedOrderView): boolean =>
    counted === entryid || others.some((other) => other.entryid === entryid);
  const { follows = null } = planned.find(isOf) ?? {};
  return follows === null ? null : <Followed follows={follows} />;
}

function Followed({ follows: { title, workorderid, entryid } }: { follows: FollowedDeviationView }) {
  return (
    <Notice tone="info" title={text.followUps.of(title)}>
      <Link href={`/work-orders/${encodeURIComponent(entryid)}`}>{text.followUps.order(workorderid)}</Link>
    </Notice>
  );
}

/**
 * Says by which revision a planned order was started, if the guide had another one when the start arrived. Renders nothing for
 * any other work order.
 */
export function EarlierNote({ entryid }: { entryid: string }) {
  const planned = useLiveSoon('plannedOrders') ?? [];
  const { earlier = null } = planned.find((one) => one.entryid === entryid) ?? {};
  return earlier === null ? null : <Notice tone="warn" title={earlierWords(earlier)} />;
}

/**
 * Tells which of several work orders counts for a planned order, or why this one does not. Renders nothing for any other
 * work order.
 */
export function PlannedNote({ order: { entryid, mine, username } }: { order: WorkOrder }) {
  const planned = useLiveSoon('plannedOrders') ?? [];
  const words = text.planned.told[mine ? 'you' : 'lead'];
  const counted = planned.find((one) => one.entryid === entryid);
  if (counted !== undefined && counted.others.length > 0)
    return (
      <Notice tone="info" title={text.planned.alsoStarted(names(counted.others))}>
        {words.counts}
      </Notice>
    );
  const [own] = planned.flatMap((one) => {
    const other = one.others.find((some) => some.entryid === entryid);
    return other === undefined ? [] : [{ one, other }];
  });
  if (own === undefined) return null;
  return (
    <Notice tone="info" title={reasonOf(own.one, own.other, mine ? null : username)}>
      {words.ofItsOwn}
    </Notice>
  );
}

/** Why a work order does not count for its planned order. `worker`: null for the person's own. */
function reasonOf(
  { assigneeName, startedBy, status }: PlannedOrderView,
  { isReassigned, isOtherGuide }: Other,
  worker: string | null,
): string {
  const { reassigned, otherGuide, startedBefore, withdrawn, reopened } =
    text.planned.told[worker === null ? 'you' : 'lead'];
  if (isReassigned) return reassigned(assigneeName, worker ?? '');
  if (isOtherGuide) return otherGuide(worker ?? '');
  if (startedBy !== null) return startedBefore(startedBy, worker ?? '');
  return status === 'withdrawn' ? withdrawn(worker ?? '') : reopened;
}

function names(others: readonly Other[]): string {
  return formatList([...new Set(others.map(({ username }) => username))]);
}
