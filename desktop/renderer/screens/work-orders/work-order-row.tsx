import { ClipboardList } from 'lucide-react';

import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate, formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { ListRow, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { Timer } from '#desktop/renderer/ui/timer.tsx';
import { useNow } from '#desktop/renderer/use-now.ts';

import { OrderMoves } from './order-moves.tsx';
import { OrderMarks } from './order-status.tsx';

/** A work order: number, guide, state, clock and next action. */
export function WorkOrderRow({ order }: { order: WorkOrder }) {
  const now = useNow();
  return (
    <ListRow
      tone={order.running ? 'chosen' : 'plain'}
      picture={
        order.imageGuid === null ? (
          <ClipboardList />
        ) : (
          <Picture guid={order.imageGuid} size="thumbnail" alt="" fit="cover" />
        )
      }
      end={
        <>
          <Timer
            label={text.workOrders.worked}
            elapsedMs={order.activeMs}
            asOf={order.asOf}
            running={order.running}
            size={order.running ? 'large' : 'inline'}
          />
          <OrderMoves order={order} />
        </>
      }
    >
      <RowTitle as="heading" href={`/work-orders/${encodeURIComponent(order.entryid)}`}>
        {order.workorderid}
      </RowTitle>
      <p>{order.guideTitle}</p>
      <Note>{factsOf(order, now)}</Note>
      {order.status === 'suspended' && order.handover !== null && (
        <p>{text.workOrders.quoted(order.handover.note)}</p>
      )}
      <OrderMarks order={order} />
    </ListRow>
  );
}

function factsOf(order: WorkOrder, now: number) {
  if (order.status === 'suspended') {
    return text.player.suspendedBy(
      order.mine ? text.workOrders.you : order.username,
      formatSince(order.statusSince, now),
    );
  }
  if (order.endedAt !== null) {
    return (
      <>
        {order.status === 'cancelled' && <Badge>{text.workOrders.states.cancelled}</Badge>}{' '}
        {formatDate(order.endedAt)}
      </>
    );
  }
  return `${text.workOrders.startedAt} ${formatSince(order.startedAt, now)}`;
}
