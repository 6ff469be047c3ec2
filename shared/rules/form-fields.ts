import type { FieldEdit } from '#shared/api/step-forms.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { FieldType, FormField, NumericLimits } from '#shared/model/step-form.ts';

/** What a field is, without its identity. */
export type FieldContent = Omit<FormField, 'field_revisionid' | 'field_guid'>;

/** Limits that a Numeric Input has when it names none: whole numbers. */
const openLimits: NumericLimits = {
  limit_decimals: true,
  decimals: 0,
  limit_min: false,
  min: 0,
  limit_max: false,
  max: 100,
};

/** These two never refuse to be left alone (API facts 10). */
const neverRequired: readonly FieldType[] = ['Checkbox', 'Radios'];

/**
 * Brings a field as written into its stored form: what its type does not use is emptied, choices are trimmed and blank
 * ones dropped. Fills `errors` (with `index`, the place of the field) and answers undefined where that cannot be done.
 */
export function settleField(edit: FieldEdit, index: number, errors: FieldError[]): FieldContent | undefined {
  const type = edit.field_type ?? edit.title;
  if (type === undefined) {
    errors.push({ field: 'fields', message: 'Every field needs a field_type', index });
    return undefined;
  }
  const options = settleOptions(type, edit.options);
  if (typeof options === 'string') {
    errors.push({ field: 'fields', message: `${edit.label}: ${options}`, index });
    return undefined;
  }
  return {
    field_type: type,
    label: edit.label,
    placeholder: settlePlaceholder(type, edit.placeholder),
    textarea: type === 'Text Area' ? (edit.textarea ?? '') : '',
    required: !neverRequired.includes(type) && (edit.required ?? true),
    options,
  };
}

function settlePlaceholder(type: FieldType, placeholder: FieldEdit['placeholder']): string {
  if (type === 'Checkbox') return placeholder === true || placeholder === '1' ? '1' : '';
  const isUsed = type === 'Text Input' || type === 'Numeric Input';
  return isUsed && typeof placeholder === 'string' ? placeholder : '';
}

/** The options as stored, or what is wrong with them. */
function settleOptions(type: FieldType, options: FieldEdit['options']): FormField['options'] | string {
  if (type === 'Numeric Input') {
    const limits = options === undefined || Array.isArray(options) ? openLimits : options;
    const isCrossed = limits.limit_min && limits.limit_max && limits.min > limits.max;
    return isCrossed ? 'the smallest value lies above the largest' : limits;
  }
  if (type !== 'Radios' && type !== 'Select') return [];
  const texts = (Array.isArray(options) ? options : [])
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (texts.length === 0) return 'name at least one choice';
  return new Set(texts).size < texts.length ? 'two choices are alike' : texts;
}
