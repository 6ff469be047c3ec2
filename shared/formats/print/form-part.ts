import type { FormField, StepForm } from '#shared/model/step-form.ts';

import { nothing, safe, type Html } from '#shared/html.ts';
import type { PageWords } from './words.ts';

/** The form of a step: each field with what its value must fulfil. */
export function formPart({ fields }: Pick<StepForm, 'fields'>, words: PageWords): Html {
  if (fields.length === 0) return nothing;
  const items = fields.map(
    (field) =>
      safe`<li><span><b>${field.label}</b><small>${askedOf(field, words).join(' · ')}</small></span></li>`,
  );
  return safe`<div class="form"><h3>${words.form}</h3><ul class="plain">${items}</ul></div>`;
}

function askedOf(field: FormField, words: PageWords): string[] {
  const { field_type: type, options, placeholder, textarea, required: isRequired } = field;
  return [
    words.fieldTypes[type],
    ...(Array.isArray(options) ? [options.join(', ')] : limitsOf(options, words)),
    type === 'Checkbox' ? '' : placeholder,
    textarea,
    isRequired ? words.required : '',
  ].filter((one) => one !== '');
}

function limitsOf(limits: Exclude<FormField['options'], string[]>, words: PageWords): string[] {
  return [
    limits.limit_min ? words.atLeast(limits.min) : '',
    limits.limit_max ? words.atMost(limits.max) : '',
    limits.limit_decimals ? words.decimals(limits.decimals) : '',
  ];
}
