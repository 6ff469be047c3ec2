import type { FieldEdit } from '#shared/api/step-forms.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { FieldType, FormField, NumericLimits } from '#shared/model/step-form.ts';

import { settleExtensions } from './field-extensions.ts';

/** A field without its identity. */
export type FieldContent = Omit<FormField, 'field_revisionid' | 'field_guid'>;

/** Limits of a Numeric Input that states none: whole numbers, unless it has a target or is computed. */
const openLimits: NumericLimits = {
  limit_decimals: true,
  decimals: 0,
  limit_min: false,
  min: 0,
  limit_max: false,
  max: 100,
};

/** Types of fields that may always be left empty (as on live servers). */
const neverRequired: readonly FieldType[] = ['Checkbox', 'Radios'];

/**
 * Converts a field to its stored form: options that its type does not use are cleared, choices are trimmed and blank
 * ones dropped. On invalid input it adds to `errors` (with `index`, the position of the field) and returns undefined.
 * `old`: the field before the edit, if it exists.
 */
export function settleField(
  edit: FieldEdit,
  index: number,
  errors: FieldError[],
  old?: FormField,
): FieldContent | undefined {
  const type = edit.field_type ?? edit.title;
  if (type === undefined) {
    errors.push({ field: 'fields', message: 'Every field needs a field_type', index });
    return undefined;
  }
  const refuse = (why: string): undefined => {
    errors.push({ field: 'fields', message: `${edit.label}: ${why}`, index });
    return undefined;
  };
  const options = settleOptions(type, edit);
  if (typeof options === 'string') return refuse(options);
  const extensions = settleExtensions(type, edit, options, old);
  if (typeof extensions === 'string') return refuse(extensions);
  return {
    field_type: type,
    label: edit.label,
    placeholder: settlePlaceholder(type, edit.placeholder),
    textarea: type === 'Text Area' ? (edit.textarea ?? '') : '',
    required: !neverRequired.includes(type) && (edit.required ?? true),
    options,
    ...extensions,
  };
}

function settlePlaceholder(type: FieldType, placeholder: FieldEdit['placeholder']): string {
  if (type === 'Checkbox') return placeholder === true || placeholder === '1' ? '1' : '';
  const isUsed = type === 'Text Input' || type === 'Numeric Input';
  return isUsed && typeof placeholder === 'string' ? placeholder : '';
}

/** The options in their stored form, or a message about what is wrong with them. */
function settleOptions(
  type: FieldType,
  { options, target, computed }: FieldEdit,
): FormField['options'] | string {
  if (type === 'Numeric Input') {
    const isOpen = options === undefined || Array.isArray(options);
    const limits = isOpen ? { ...openLimits, limit_decimals: target == null && computed == null } : options;
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
