import type { FieldEdit } from '#shared/api/step-forms.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { FormField } from '#shared/model/step-form.ts';
import type { WorkDataValue } from '#shared/model/work-log.ts';

import { decimalsOf, roundDecimals } from './decimals.ts';
import { evaluate, keysIn, parseExpression } from './expressions.ts';
import { workValueOf } from './field-value.ts';

/** The greatest result, and without stated decimals the number of digits. */
const largestResult = 1e15;
const digits = 12;

/**
 * The values of the computed fields of a form; '' while a result is unknown. `valueOf`: the last value of a field, by its
 * `field_guid`.
 *
 * - FIELD-6 A computed value follows from numbers of the same form. The device computes it at once, and the server again
 *   with the same code: what a client sends for it only says which revision of the field it shows. It is unknown while a
 *   value is missing, or where there is no result. It is rounded to the decimals of its field, and limits are applied to
 *   what is recorded, so that a record never contradicts itself.
 */
export function computedValues(
  fields: readonly FormField[],
  stepid: number,
  valueOf: (field_guid: string) => string | undefined,
): WorkDataValue[] {
  const byKey = new Map(fields.flatMap((field) => (field.key === undefined ? [] : [[field.key, field]])));
  const known = new Map<FormField, string>();
  const textOf = (field: FormField): string => {
    if (field.computed === undefined) return valueOf(field.field_guid) ?? '';
    const text = known.get(field);
    if (text !== undefined) return text;
    // A reference to itself would find this.
    known.set(field, '');
    const parsed = parseExpression(field.computed);
    const result =
      'message' in parsed ? undefined : evaluate(parsed.expression, (key) => numberIn(byKey.get(key)));
    const computed = result === undefined ? '' : numberText(result, field.options);
    known.set(field, computed);
    return computed;
  };
  const numberIn = (field: FormField | undefined): number | undefined => {
    if (field?.field_type !== 'Numeric Input') return undefined;
    const text = textOf(field);
    return text === '' ? undefined : Number(text);
  };
  return fields
    .filter(({ computed }) => computed !== undefined)
    .map((field) => workValueOf(field, stepid, textOf(field)));
}

/** A result as a value of the field; '' if it is too large to be exact. */
function numberText(result: number, options: FormField['options']): string {
  if (Math.abs(result) >= largestResult) return '';
  const limit = !Array.isArray(options) && options.limit_decimals ? options.decimals : null;
  const value = limit === null ? Number(result.toPrecision(digits)) : roundDecimals(result, limit);
  const text = value.toFixed(limit ?? Math.min(15, decimalsOf(value)));
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** A field of a form while it is saved. */
type KeyedField = Omit<FormField, 'field_revisionid' | 'field_guid'>;

/**
 * The fields of a form whose keys and expressions fit each other. Adds to `errors` what the edit named and does not fit;
 * drops an expression that the edit did not name and that refers to what the form no longer has (FIELD-1). A computed
 * field is never required, because nobody can fill it in.
 */
export function settleComputed<F extends KeyedField>(
  fields: readonly F[],
  edits: readonly Pick<FieldEdit, 'computed'>[],
  errors: FieldError[],
): F[] {
  const refuse = (index: number, why: string): void => {
    errors.push({ field: 'fields', message: `${fields[index]?.label ?? ''}: ${why}`, index });
  };
  const byKey = new Map<string, number>();
  for (const [index, { key }] of fields.entries()) {
    if (key === undefined) continue;
    if (byKey.has(key)) refuse(index, `another field has the key "${key}"`);
    else byKey.set(key, index);
  }
  return fields.map((field, index) => {
    if (field.computed === undefined) return field;
    const flaw = flawOf(fields, byKey, index);
    if (flaw === null) return { ...field, required: false };
    if (edits[index]?.computed != null) refuse(index, flaw);
    const { computed: _computed, ...typed } = field;
    return typed as F;
  });
}

/** Why the expression of a field cannot be computed; null if it can. */
function flawOf(
  fields: readonly KeyedField[],
  byKey: ReadonlyMap<string, number>,
  start: number,
): string | null {
  const seen = new Set<number>();
  const waiting = [start];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const computed = fields[index]?.computed;
    if (seen.has(index) || computed === undefined) continue;
    seen.add(index);
    const parsed = parseExpression(computed);
    if ('message' in parsed) return parsed.message;
    for (const key of keysIn(parsed.expression)) {
      const next = byKey.get(key);
      if (next === undefined) return `no number of this form has the key "${key}"`;
      if (next === start) return 'the expression refers to itself';
      waiting.push(next);
    }
  }
  return null;
}
