import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { formatDate, withUnit } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import type { WorkRecord } from '#shared/model/work-record.ts';
import { brokenLimit, isDeviating } from '#shared/rules/field-value.ts';
import { holdsNumber, numberKey } from '#shared/rules/tracing.ts';

import { NumberLink } from '../work-orders/number-link.tsx';
import { limitWords } from '../work-orders/value-table.tsx';
import styles from './trace.module.css';
import { nameIn, valueWords } from './value-words.ts';

/** How many values of an order are shown at first; on paper, all are. */
const firstValues = 6;

type Value = WorkRecord['values'][number];

interface TracedValuesProps {
  record: WorkRecord;
  number: string | null;
  isPart: boolean;
}

/** The values of an order: those with the traced number and those that deviate first, then the others. */
export function TracedValues({ record, number, isPart }: TracedValuesProps) {
  const [isWhole, setIsWhole] = useState(false);
  const matches = (value: Value): boolean => holdsNumber(value) && numberKey(value.value) === number;
  const important = record.values.filter((value) => matches(value) || isDeviating(value));
  const others = record.values.filter((value) => !important.includes(value));
  const kept = isPart ? important.length : Math.max(important.length, firstValues);
  const { length } = record.values;
  if (length === 0 && record.missing.length === 0) return null;
  return (
    <>
      <table className={classNames(styles, 'values', isWhole && 'whole')}>
        <thead>
          <tr>
            <th scope="col">{text.workOrders.field}</th>
            <th scope="col">{text.workOrders.value}</th>
            <th scope="col">{text.workOrders.limits}</th>
            <th scope="col">{text.workOrders.worker}</th>
          </tr>
        </thead>
        <tbody>
          {[...important, ...others].map((value, index) => (
            <tr
              key={value.field_revisionid}
              className={classNames(styles, index >= kept && 'more', matches(value) && 'match')}
            >
              <th scope="row">{value.label}</th>
              <td className={classNames(styles, 'value')}>
                <ValueCell value={value} isLink={!matches(value)} />
              </td>
              <td>{limitWords({ limits: value.limits ?? null, unit: value.unit ?? '' })}</td>
              <td className={classNames(styles, 'quiet')}>
                {`${nameIn(record, value.userid)}, ${formatDate(Date.parse(value.at))}`}
              </td>
            </tr>
          ))}
          {record.missing.map(({ label, stepid, reason }) => (
            <tr key={`${stepid} ${label}`}>
              <th scope="row">{label}</th>
              <td className={classNames(styles, 'value')}>
                <Badge tone="warn">{text.tracing.missing}</Badge>
              </td>
              <td />
              <td className={classNames(styles, 'quiet')}>{reason ?? text.workOrders.noReason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {length > kept && (
        <div>
          <Button tone="quiet" onPress={() => setIsWhole((now) => !now)}>
            {isWhole ? text.tracing.fewerValues : text.tracing.allValues(length)}
          </Button>
        </div>
      )}
    </>
  );
}

function ValueCell({ value, isLink }: { value: Value; isLink: boolean }) {
  const { limits, unit = '', reason } = value;
  const side = brokenLimit(value);
  return (
    <div className={classNames(styles, 'shownValue')}>
      {isLink && holdsNumber(value) ? <NumberLink number={value.value.trim()} /> : valueWords(value)}
      {reason !== undefined && <p className={classNames(styles, 'quiet')}>{reason}</p>}
      {side !== null && (
        <Badge tone="danger">{text.workOrders.outOfLimits[side](withUnit(limits?.[side] ?? '', unit))}</Badge>
      )}
      {side === null && isDeviating(value) && <Badge tone="danger">{text.workOrders.failed}</Badge>}
    </div>
  );
}
