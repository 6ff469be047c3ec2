import type { RecordedValue, StepView, WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDigits, withUnit } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';
import { holdsNumber } from '#shared/rules/tracing.ts';

import { SecondPersonState } from '../second-person/second-person-state.tsx';
import { VerifyButton } from '../second-person/verify-button.tsx';
import { atStations } from './at-stations.ts';
import { NumberLink } from './number-link.tsx';
import styles from './order-table.module.css';
import { shownValue } from './shown-value.ts';
import { stepName } from './step-name.ts';

/** The limits of a value in words; '' if it has none. */
export function limitWords({ limits, unit }: Pick<RecordedValue, 'limits' | 'unit'>): string {
  if (limits === null) return '';
  const { min, max } = limits;
  if (min !== null && max !== null) return text.player.limits.between(formatDigits(min), withUnit(max, unit));
  return min === null
    ? text.player.limits.most(withUnit(max ?? '', unit))
    : text.player.limits.least(withUnit(min, unit));
}

/** A value; a text that may be a serial or lot number leads to everything about it. */
function ShownValue({ value }: { value: RecordedValue }) {
  const { fieldType: field_type, value: words } = value;
  const isNumber = value.second === null && holdsNumber({ field_type, value: words });
  return isNumber ? <NumberLink number={words.trim()} /> : shownValue(value);
}

/** The recorded values, in the order of the steps. */
export function ValueTable({ order, steps }: { order: WorkOrder; steps: readonly StepView[] }) {
  const place = new Map(steps.map((step, index) => [step.stepid, index]));
  const confirmable = useLiveSoon('confirmable', order.entryid) ?? [];
  const values = Object.entries(order.values).toSorted(
    ([, a], [, b]) => (place.get(a.stepid) ?? steps.length) - (place.get(b.stepid) ?? steps.length),
  );
  if (values.length === 0)
    return <p className={classNames(styles, 'none')}>{text.workOrders.nothingRecorded}</p>;
  return (
    <table className={classNames(styles, 'table')}>
      <thead>
        <tr>
          <th scope="col">{text.workOrders.field}</th>
          <th scope="col">{text.workOrders.value}</th>
          <th scope="col">{text.workOrders.limits}</th>
          <th scope="col">{text.workOrders.state}</th>
        </tr>
      </thead>
      <tbody>
        {values.map(([fieldRevisionid, value]) => (
          <tr key={fieldRevisionid}>
            <th scope="row">
              {value.label}
              <span>{stepName(steps, value.stepid)}</span>
            </th>
            <td className={classNames(styles, 'value')}>
              <ShownValue value={value} />
              {value.reason !== '' && <p>{value.reason}</p>}
              {value.isComputed && <Badge tone="neutral">{text.workOrders.computed}</Badge>}
              {value.broken !== null && (
                <Badge tone="danger">
                  {text.workOrders.outOfLimits[value.broken.side](withUnit(value.broken.limit, value.unit))}
                </Badge>
              )}
              {value.second !== null && <SecondPersonState second={value.second} />}
              {confirmable.includes(Number(fieldRevisionid)) && (
                <VerifyButton order={order} fieldRevisionid={Number(fieldRevisionid)} value={value} />
              )}
            </td>
            <td>{limitWords(value)}</td>
            <td className={classNames(styles, 'state')}>
              {[
                value.saved === 'device' ? text.app.savedOnDevice : text.app.onTheServer,
                ...atStations([value.station]),
              ].join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
