import type { StationOrder } from '#desktop/engine/api/station-records.ts';
import { stationText } from '#desktop/renderer/text/en/stations.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Timer } from '#desktop/renderer/ui/timer.tsx';

import styles from './running-list.module.css';

/** The orders that run at the station: whose, at which step, and for how long. Renders nothing without any. */
export function RunningList({ title, orders }: { title: string; orders: readonly StationOrder[] }) {
  if (orders.length === 0) return null;
  return (
    <section aria-label={title}>
      <ul className={classNames(styles, 'list')}>
        {orders.map((order) => (
          <li key={order.entryid} className={classNames(styles, 'order')}>
            <Badge tone="accent" look="dot">
              {title}
            </Badge>
            <div className={classNames(styles, 'words')}>
              <p className={classNames(styles, 'name')}>
                {order.workorderid} · {order.guideTitle}
              </p>
              <p className={classNames(styles, 'facts')}>
                {[
                  order.username,
                  stationText.lock.atStep(order.stepNumber, order.stepTitle),
                  stationText.lock.goesOn,
                ]
                  .filter((part) => part !== '')
                  .join(' · ')}
              </p>
            </div>
            <Timer label={stationText.lock.worked} elapsedMs={order.activeMs} asOf={order.asOf} running />
          </li>
        ))}
      </ul>
    </section>
  );
}
