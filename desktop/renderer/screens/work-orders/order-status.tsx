import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import styles from './order-status.module.css';

const tones: Record<WorkOrder['status'], Tone> = {
  started: 'accent',
  paused: 'warn',
  suspended: 'warn',
  complete: 'ok',
  cancelled: 'neutral',
};

/** The state of an order. */
export function OrderStatus({ order }: { order: WorkOrder }) {
  return <StateBadge status={order.status} deviates={hasDeviations(order)} />;
}

interface StateBadgeProps {
  status: WorkOrder['status'];
  /** Whether a finished order has deviations or missing values. */
  deviates: boolean;
}

export function StateBadge({ status, deviates }: StateBadgeProps) {
  return (
    <Badge tone={deviates ? 'danger' : tones[status]} look="dot">
      {text.workOrders.states[deviates ? 'deviating' : status]}
    </Badge>
  );
}

/** Whether a finished order lacks required values or has values out of limits or failed. */
function hasDeviations({ status, gaps, values }: WorkOrder): boolean {
  const isBroken = Object.values(values).some(({ broken, isFailed }) => broken !== null || isFailed);
  return status === 'complete' && (gaps.length > 0 || isBroken);
}

/** Badges for unusual states of an order. */
export function OrderMarks({ order }: { order: WorkOrder }) {
  const planned = useLiveSoon('plannedOrders') ?? [];
  const isOfItsOwn = planned.some(({ others }) => others.some(({ entryid }) => entryid === order.entryid));
  if (order.pending === 0 && !order.timeAdjusted && !order.frozen && !isOfItsOwn) return null;
  return (
    <div className={classNames(styles, 'marks')}>
      {order.frozen && <Badge tone="danger">{text.workOrders.frozen}</Badge>}
      {order.pending > 0 && <Badge tone="warn">{text.workOrders.pending(order.pending)}</Badge>}
      {isOfItsOwn && <Badge>{text.planned.ofItsOwn}</Badge>}
      {order.timeAdjusted && <Badge>{text.workOrders.adjusted}</Badge>}
    </div>
  );
}
