import { useId } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { formatDigits, withUnit } from '#desktop/renderer/text/format.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { expressionWords, keysIn, parseExpression } from '#shared/rules/expressions.ts';

import { brokenWords, labelAndUnit, targetWords } from './number-words.ts';
import styles from './record-computed.module.css';
import type { RecordProps } from './use-record.ts';

/** A value that follows from others: it is shown, and nobody enters it. */
export function RecordComputed({ field, order, recorded }: RecordProps) {
  const name = useId();
  const { label, unit } = labelAndUnit(field);
  const value = recorded?.value ?? '';
  const missing = missingLabels({ field, order });
  const labels = new Map((field.form ?? []).flatMap(({ key, label: words }) => [[key ?? '', words]]));
  const hints = [
    targetWords(field, unit),
    value === '' && missing.length > 0
      ? text.player.waitsFor(missing)
      : text.player.computed(expressionWords(field.computed ?? '', (key) => labels.get(key))),
  ];
  return (
    <div className={classNames(styles, 'field')} role="group" aria-labelledby={name}>
      <span id={name} className={classNames(styles, 'label')}>
        {label}
      </span>
      <output className={classNames(styles, 'value', recorded?.broken != null && 'broken')}>
        {value === '' ? text.player.unknownValue : withUnit(formatDigits(value), unit)}
      </output>
      <span className={classNames(styles, 'hint')}>{hints.filter((one) => one !== '').join(' · ')}</span>
      {recorded?.broken != null && (
        <span className={classNames(styles, 'error')}>{brokenWords(recorded.broken, field, unit)}</span>
      )}
    </div>
  );
}

/** The labels of the values that the result waits for. Without a work order, nothing is missing. */
function missingLabels({ field, order }: Pick<RecordProps, 'field' | 'order'>): string[] {
  const parsed = parseExpression(field.computed ?? '');
  if (order === null || 'message' in parsed) return [];
  const keys = keysIn(parsed.expression);
  return (field.form ?? []).flatMap(({ key, label, field_revisionid }) =>
    key !== undefined && keys.includes(key) && (order.values[field_revisionid]?.value ?? '') === ''
      ? [label]
      : [],
  );
}
