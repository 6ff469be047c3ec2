import type { FormField, NumericLimits, StepForm } from '#shared/model/step-form.ts';

/** A form as text to compare: a line for each field, with its kind, limits and choices; `*`: it must be filled in. */
export function formText({ fields }: Pick<StepForm, 'fields'>): string {
  return fields.map(fieldText).join('\n');
}

function fieldText({ label, field_type, options, placeholder, textarea, required }: FormField): string {
  const more = [
    ...(Array.isArray(options) ? [options.join(', ')] : limitsText(options)),
    placeholder,
    textarea,
  ].filter((one) => one !== '');
  return [`${label}${required ? ' *' : ''} (${field_type})`, ...more].join(' · ');
}

function limitsText(limits: NumericLimits): string[] {
  return [
    limits.limit_min ? `≥ ${limits.min}` : '',
    limits.limit_max ? `≤ ${limits.max}` : '',
    limits.limit_decimals ? (0).toFixed(limits.decimals) : '',
  ];
}
