import type { FormField, NumericLimits, StepForm } from '#shared/model/step-form.ts';

import { nothing, safe, type Html } from '#shared/html.ts';
import { expressionWords } from '#shared/rules/expressions.ts';
import { limitsOf } from '#shared/rules/field-value.ts';
import type { PageWords } from './words.ts';

/** The form of a step: each field with what its value must fulfil. */
export function formPart({ fields }: Pick<StepForm, 'fields'>, words: PageWords): Html {
  if (fields.length === 0) return nothing;
  const labels = new Map(fields.map(({ key, label }) => [key, label]));
  const items = fields.map((field) => {
    const expression = expressionWords(field.computed ?? '', (key) => labels.get(key));
    const computed = field.computed === undefined ? [] : [words.computed(expression)];
    const asked = [...askedOf(field, words), ...computed].join(' · ');
    return safe`<li><span><b>${field.label}</b><small>${asked}</small></span></li>`;
  });
  return safe`<div class="form"><h3>${words.form}</h3><ul class="plain">${items}</ul></div>`;
}

function askedOf(field: FormField, words: PageWords): string[] {
  const { field_type: type, options, placeholder, textarea, required: isRequired } = field;
  return [
    words.fieldTypes[type],
    ...(Array.isArray(options) ? [options.join(', ')] : numberWords(field, options, words)),
    type === 'Checkbox' ? '' : placeholder,
    textarea,
    field.format === 'barcode' ? words.scanned : '',
    field.second_person === undefined ? '' : words.secondPerson,
    field.max_photos === undefined ? '' : words.photos(field.max_photos),
    field.reason_when_failed === true ? words.reasonWhenFailed : '',
    isRequired ? words.required : '',
  ].filter((one) => one !== '');
}

function numberWords(
  field: FormField,
  { limit_decimals, decimals }: NumericLimits,
  words: PageWords,
): string[] {
  const { target, tolerance, unit = '' } = field;
  const { min = null, max = null } = limitsOf(field) ?? {};
  return [
    target === undefined
      ? unit
      : withUnit(
          words.target(words.number(target), tolerance == null ? null : words.number(tolerance)),
          unit,
        ),
    min === null ? '' : words.atLeast(withUnit(words.number(min), unit)),
    max === null ? '' : words.atMost(withUnit(words.number(max), unit)),
    limit_decimals ? words.decimals(decimals) : '',
  ];
}

function withUnit(words: string, unit: string): string {
  return unit === '' ? words : `${words} ${unit}`;
}
