import { ClipboardList } from 'lucide-react';

import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Timer } from '#desktop/renderer/ui/timer.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { placeOfOrder } from '../work-orders/order-groups.ts';
import styles from './running-order.module.css';

/**
 * The person's running or paused work order, on every screen but its own guide, which has its clock, and the list of work
 * orders.
 */
export function RunningOrder({ path }: { path: string }) {
  const orders = useLiveSoon('workOrders') ?? [];
  const order = ownOrder(orders);
  if (order === null || path === '/work-orders' || path.startsWith(`/guides/${order.guideid}`)) return null;
  return (
    <div className={classNames(styles, 'running')} role="region" aria-label={text.workOrders.running}>
      <ClipboardList aria-hidden="true" />
      <p className={classNames(styles, 'words')}>
        <b>{order.workorderid}</b>{' '}
        <span>
          {order.running ? order.guideTitle : `${order.guideTitle} · ${text.workOrders.states.paused}`}
        </span>
      </p>
      <Timer
        label={text.workOrders.worked}
        elapsedMs={order.activeMs}
        asOf={order.asOf}
        running={order.running}
        size="inline"
      />
      <ButtonLink href={placeOfOrder(order)}>{text.workOrders.continueOrder}</ButtonLink>
    </div>
  );
}

/** The order that this person has open: a running one before a paused one. */
function ownOrder(orders: readonly WorkOrder[]): WorkOrder | null {
  const own = orders.filter(({ mine, frozen }) => mine && !frozen);
  return (
    own.find(({ status }) => status === 'started') ?? own.find(({ status }) => status === 'paused') ?? null
  );
}
