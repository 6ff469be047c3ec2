import { ClipboardList } from 'lucide-react';
import { Link } from 'react-aria-components';

import type { WorkOrder } from '#desktop/engine/views/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate, formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { Timer } from '#desktop/renderer/ui/timer.tsx';
import { useNow } from '#desktop/renderer/use-now.ts';

import { OrderMoves } from './order-moves.tsx';
import { OrderMarks } from './order-status.tsx';
import styles from './work-order-row.module.css';

/** One work order: its number, guide, state and clock; and the next thing to do with it. */
export function WorkOrderRow({ order }: { order: WorkOrder }) {
  const now = useNow();
  return (
    <li className={classNames(styles, 'row', order.running && 'running')}>
      <div className={classNames(styles, 'picture')}>
        {order.imageGuid === null ? (
          <ClipboardList aria-hidden="true" />
        ) : (
          <Picture guid={order.imageGuid} size="thumbnail" alt="" fit="cover" />
        )}
      </div>
      <div className={classNames(styles, 'words')}>
        <h3 className={classNames(styles, 'title')}>
          <Link
            className={classNames(styles, 'link')}
            href={`/work-orders/${encodeURIComponent(order.entryid)}`}
          >
            {order.workorderid}
          </Link>
        </h3>
        <p className={classNames(styles, 'guide')}>{order.guideTitle}</p>
        <p className={classNames(styles, 'facts')}>{factsOf(order, now)}</p>
        <OrderMarks order={order} />
      </div>
      <div className={classNames(styles, 'end')}>
        <Timer
          label={text.workOrders.worked}
          elapsedMs={order.activeMs}
          asOf={order.asOf}
          running={order.running}
          size={order.running ? 'large' : 'inline'}
        />
        <OrderMoves order={order} />
      </div>
    </li>
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
