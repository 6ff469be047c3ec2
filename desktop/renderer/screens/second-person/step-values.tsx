import type { WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import { shownValue } from '../work-orders/shown-value.ts';
import styles from './second-person.module.css';

/** The values of a step that a second person confirms. */
export function StepValues({ order, stepid }: { order: WorkOrder; stepid: string }) {
  const values = Object.entries(order.values).filter(
    ([, one]) => one.stepid === stepid && one.second === null && one.value !== '',
  );
  if (values.length === 0) return <p className={classNames(styles, 'note')}>{text.secondPerson.noValues}</p>;
  return (
    <dl className={classNames(styles, 'values')}>
      {values.map(([field, value]) => (
        <div key={field}>
          <dt>{value.label}</dt>
          <dd className={classNames(styles, (value.broken !== null || value.isFailed) && 'bad')}>
            {shownValue(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
