import { text } from '#desktop/renderer/text/en.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

/**
 * Tells that two people started one planned order: which work order counts for it, and that the other is one of its
 * own. Renders nothing for any other work order.
 */
export function PlannedNote({ entryid }: { entryid: string }) {
  const planned = useLiveSoon('plannedOrders') ?? [];
  const own = planned.find(
    (one) => one.entryid === entryid || one.others.some((other) => other.entryid === entryid),
  );
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
