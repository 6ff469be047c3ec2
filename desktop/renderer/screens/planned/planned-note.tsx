import { Link } from 'react-aria-components';

import type { FollowedDeviationView, PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

/** Names the deviation that a work order follows up. Renders nothing for any other work order. */
export function FollowsNote({ entryid }: { entryid: string }) {
  const planned = useLiveSoon('plannedOrders') ?? [];
  const { follows = null } = planned.find((one) => isOf(one, entryid)) ?? {};
  return follows === null ? null : <Followed follows={follows} />;
}

function Followed({ follows: { title, workorderid, entryid } }: { follows: FollowedDeviationView }) {
  return (
    <Notice tone="info" title={text.followUps.of(title)}>
      <Link href={`/work-orders/${encodeURIComponent(entryid)}`}>{text.followUps.order(workorderid)}</Link>
    </Notice>
  );
}

function isOf({ entryid, others }: PlannedOrderView, id: string): boolean {
  return entryid === id || others.some((other) => other.entryid === id);
}

/**
 * Tells that two people started one planned order: which work order counts for it, and that the other is one of its
 * own. Renders nothing for any other work order.
 */
export function PlannedNote({ entryid }: { entryid: string }) {
  const planned = useLiveSoon('plannedOrders') ?? [];
  const own = planned.find((one) => isOf(one, entryid));
  if (own === undefined || own.others.length === 0) return null;
  if (own.entryid === entryid)
    return (
      <Notice tone="info" title={text.planned.alsoStarted(names(own.others))}>
        {text.planned.alsoStartedHint}
      </Notice>
    );
  if (own.startedBy !== null)
    return (
      <Notice tone="info" title={text.planned.startedBefore(own.startedBy)}>
        {text.planned.startedBeforeHint}
      </Notice>
    );
  const isWithdrawn = own.status === 'withdrawn';
  return (
    <Notice tone="info" title={isWithdrawn ? text.planned.withdrawnBefore : text.planned.reopened}>
      {isWithdrawn ? text.planned.withdrawnBeforeHint : text.planned.reopenedHint}
    </Notice>
  );
}

function names(others: readonly { username: string }[]): string {
  return new Intl.ListFormat('en').format(new Set(others.map(({ username }) => username)));
}
