import type { FormField, NumericLimits } from '#shared/model/step-form.ts';
import type { ValueLimits, WorkDataValue } from '#shared/model/work-log.ts';
import { unreachable } from '#shared/must.ts';

import { addDecimals } from './decimals.ts';
import { matchesPattern } from './field-pattern.ts';
import type { ValueDetails } from './value-details.ts';

/** Maximum length of the text of a field, in characters. */
const fieldTextLimit = 10_000;

/** A value in its stored form, or the reason for refusing it. */
export type CheckedValue = { value: string } | { message: string };

/**
 * Checks a value against its field of a step form and converts it to its stored form (spec, "Work log entry": all
 * values are strings, a checkbox is '1' or '0'; media fields hold a media id). An empty value clears any field. A number
 * out of limits is accepted: what was measured is recorded, and `brokenLimit` flags it.
 */
export function checkFieldValue(field: FormField, value: string | number | boolean): CheckedValue {
  const text = String(value);
  if (field.field_type === 'Checkbox') return checkbox(text);
  if (text.trim() === '') return { value: '' };
  if (text.length > fieldTextLimit)
    return { message: `${field.label} is longer than ${fieldTextLimit} characters` };
  switch (field.field_type) {
    case 'Text Input':
      return /[\r\n\u2028\u2029]/.test(text) ? { message: `${field.label} takes one line` } : { value: text };
    case 'Text Area':
      return { value: text };
    case 'Numeric Input':
      return checkNumber(field, text.trim());
    case 'Radios':
    case 'Select':
      return checkChoice(field, text.trim());
    case 'Image':
    case 'Video':
    case 'Document':
      return checkMediaId(field, text.trim());
    default:
      return unreachable(field.field_type);
  }
}

function checkbox(text: string): CheckedValue {
  const word = text.trim().toLowerCase();
  if (word === '1' || word === 'true') return { value: '1' };
  if (word === '0' || word === 'false' || word === '') return { value: '0' };
  return { message: "A checkbox is '1' or '0'" };
}

function checkNumber(field: FormField, text: string): CheckedValue {
  const parts = /^([-+]?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (parts === null || !Number.isFinite(Number(text)))
    return { message: `${field.label} is a number such as 12.5` };
  const message = Array.isArray(field.options)
    ? undefined
    : tooManyDecimals(field.label, field.options, parts[3] ?? '');
  return message === undefined ? { value: text.replace(/^\+/, '') } : { message };
}

function tooManyDecimals(label: string, limits: NumericLimits, decimals: string): string | undefined {
  if (!limits.limit_decimals || decimals.replace(/0+$/, '').length <= limits.decimals) return undefined;
  if (limits.decimals === 0) return `${label} is a whole number`;
  return `${label} has at most ${limits.decimals} ${limits.decimals === 1 ? 'decimal' : 'decimals'}`;
}

/**
 * The limits of a Numeric Input; undefined if it has none.
 *
 * - FIELD-2 Target ± tolerance limit a number, and so do min and max. On each side the narrower limit counts; the target
 *   itself must lie within min and max. A target without a tolerance is shown, and limits nothing.
 */
export function limitsOf({
  field_type,
  options,
  target,
  tolerance,
}: Pick<FormField, 'field_type' | 'options' | 'target' | 'tolerance'>): ValueLimits | undefined {
  if (field_type !== 'Numeric Input') return undefined;
  const stated = Array.isArray(options) ? undefined : options;
  const hasTolerance = target !== undefined && tolerance !== undefined;
  const least = [
    ...(stated?.limit_min === true ? [stated.min] : []),
    ...(hasTolerance ? [addDecimals(target, -tolerance)] : []),
  ];
  const most = [
    ...(stated?.limit_max === true ? [stated.max] : []),
    ...(hasTolerance ? [addDecimals(target, tolerance)] : []),
  ];
  if (least.length === 0 && most.length === 0) return undefined;
  return {
    min: least.length === 0 ? null : Math.max(...least),
    max: most.length === 0 ? null : Math.min(...most),
  };
}

/** A checked value as an entry stores it, with its unit and the limits that it was measured against. */
export function workValueOf(
  field: FormField,
  stepid: number,
  value: string,
  { reason, more_photos, second_person = {} }: ValueDetails = {},
): WorkDataValue {
  const { field_revisionid, field_guid, field_type, label, unit, computed } = field;
  const limits = limitsOf(field);
  const failed = failsField(field, value);
  return {
    field_revisionid,
    field_guid,
    field_type,
    label,
    stepid,
    value,
    ...(limits === undefined ? {} : { limits }),
    ...(unit === undefined ? {} : { unit }),
    ...(computed === undefined ? {} : { computed: true }),
    ...(failed ? { failed } : {}),
    ...(failed && reason !== undefined ? { reason } : {}),
    ...(more_photos === undefined ? {} : { more_photos }),
    ...(field.second_person === undefined || value === '' ? {} : { second_person }),
  };
}

/**
 * Whether a value is not what the extensions of its field ask for.
 *
 * - FIELD-3 With `reason_when_failed`, an answer such as "Fail" fails, and so does a Checkbox that is answered with '0'. The
 *   answer is recorded and flagged at once, and the app asks why. The reason is recorded with the answer, belongs to the
 *   deviation, and is dropped with an answer that does not fail. A call without a reason succeeds.
 * - FIELD-5 A text that does not match the `pattern` of its field, such as the code of another part, is recorded and
 *   flagged, not refused. A field with `format: barcode` is filled in by scanners.
 * - FIELD-8 A field with `format: date` asks for a day such as 2026-11-29. Another text is recorded and flagged.
 */
function failsField({ field_type, format, pattern, reason_when_failed }: FormField, value: string): boolean {
  if (format === 'date' && value !== '' && !isDay(value)) return true;
  if (pattern !== undefined && value !== '' && !matchesPattern(pattern, value)) return true;
  if (reason_when_failed !== true) return false;
  return field_type === 'Checkbox' ? value === '0' : isFailingAnswer(field_type, value);
}

function isDay(text: string): boolean {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Whether a field has no value. A checkbox that is not ticked has none. */
export function isEmptyValue(type: FormField['field_type'], value: string | undefined): boolean {
  return value === undefined || value === '' || (type === 'Checkbox' && value === '0');
}

/** The required fields without a value. A value that was recorded in an earlier revision of a field counts. */
export function missingFields(fields: readonly FormField[], values: readonly WorkDataValue[]): FormField[] {
  const filled = new Set(
    values
      .filter(({ field_type, value }) => !isEmptyValue(field_type, value))
      .map(({ field_guid }) => field_guid),
  );
  return fields.filter(({ required, field_guid }) => required && !filled.has(field_guid));
}

/** The limit that a recorded value breaks; null: none. The limits themselves are allowed values. */
export function brokenLimit({
  value,
  limits,
}: Pick<WorkDataValue, 'value' | 'limits'>): 'min' | 'max' | null {
  if (limits === undefined || value === '') return null;
  if (limits.min !== null && Number(value) < limits.min) return 'min';
  return limits.max !== null && Number(value) > limits.max ? 'max' : null;
}

/** Answers that say that a check failed, in lower case. */
const failures = new Set(['fail', 'failed', 'not ok', 'nok', 'reject', 'rejected', 'bad']);

function isFailingAnswer(type: FormField['field_type'], value: string): boolean {
  return (type === 'Radios' || type === 'Select') && failures.has(value.trim().toLowerCase());
}

/** Whether a value says that a check failed, such as "Fail", or is not what its field asks for. */
export function isFailure({
  field_type,
  value,
  failed,
}: Pick<WorkDataValue, 'field_type' | 'value' | 'failed'>): boolean {
  return failed === true || isFailingAnswer(field_type, value);
}

/** Whether a value is not as it must be: out of its limits, or failed. */
export function isDeviating(
  value: Pick<WorkDataValue, 'field_type' | 'value' | 'limits' | 'failed'>,
): boolean {
  return brokenLimit(value) !== null || isFailure(value);
}

function checkChoice(field: FormField, text: string): CheckedValue {
  const choices = Array.isArray(field.options) ? field.options : [];
  return choices.includes(text)
    ? { value: text }
    : { message: `${field.label} is one of: ${choices.join(', ')}` };
}

function checkMediaId(field: FormField, text: string): CheckedValue {
  const isId = /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) && Number(text) > 0;
  return isId
    ? { value: String(Number(text)) }
    : { message: `${field.label} holds the id of an uploaded file` };
}
