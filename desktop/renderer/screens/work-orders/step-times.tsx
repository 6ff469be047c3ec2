import type { StepView, WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatClock } from '#desktop/renderer/text/format.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Timer } from '#desktop/renderer/ui/timer.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import styles from './order-table.module.css';
import { stepName } from './step-name.ts';

/** Working time per step; the current one is running. */
export function StepTimes({ order, steps }: { order: WorkOrder; steps: readonly StepView[] }) {
  const place = new Map(steps.map((step, index) => [step.stepid, index]));
  const times = Object.entries(order.stepMs).toSorted(
    ([a], [b]) => (place.get(a) ?? steps.length) - (place.get(b) ?? steps.length),
  );
  if (times.length === 0) return <p className={classNames(styles, 'none')}>{text.workOrders.noTimes}</p>;
  return (
    <table className={classNames(styles, 'table')}>
      <thead>
        <tr>
          <th scope="col">{text.workOrders.step}</th>
          <th scope="col" className={classNames(styles, 'end')}>
            {text.player.time}
          </th>
        </tr>
      </thead>
      <tbody>
        {times.map(([stepid, ms]) => (
          <tr key={stepid}>
            <th scope="row">{stepName(steps, stepid)}</th>
            <td className={classNames(styles, 'end')}>
              <Timer
                elapsedMs={ms}
                asOf={order.asOf}
                running={order.running && order.activeStepid === stepid}
                size="inline"
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Working time per step and person, of an order that several people held. */
export function PersonTimes({ order, steps }: { order: WorkOrder; steps: readonly StepView[] }) {
  const record = useLiveSoon('orderRecord', order.entryid)?.file.record;
  const times = record?.step_times ?? [];
  if (new Set(times.map(({ userid }) => userid)).size < 2) return null;
  const nameOf = (userid: number) => record?.people.find((one) => one.userid === userid)?.name ?? '';
  return (
    <table className={classNames(styles, 'table')}>
      <thead>
        <tr>
          <th scope="col">{text.workOrders.step}</th>
          <th scope="col">{text.workOrders.worker}</th>
          <th scope="col" className={classNames(styles, 'end')}>
            {text.player.time}
          </th>
        </tr>
      </thead>
      <tbody>
        {times.map(({ stepid, userid, duration }) => (
          <tr key={`${stepid} ${userid}`}>
            <th scope="row">{stepName(steps, String(stepid))}</th>
            <td>{nameOf(userid)}</td>
            <td className={classNames(styles, 'end')}>{formatClock(duration * 1000)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
