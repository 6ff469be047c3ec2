import type { RecordedValue } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDigits } from '#desktop/renderer/text/format.ts';
import type { FormField } from '#shared/model/step-form.ts';
import { decimalsOf } from '#shared/rules/decimals.ts';
import { limitsOf } from '#shared/rules/field-value.ts';

/** The unit of a field, else that in its label, such as "Torque (Nm)". */
export function labelAndUnit({ label, unit }: FormField): { label: string; unit: string } {
  if (unit !== undefined) return { label, unit };
  const parts = /^(.+?)\s*\(([^()]{1,12})\)$/.exec(label);
  return parts ? { label: parts[1] ?? label, unit: parts[2] ?? '' } : { label, unit: '' };
}

/** The limits, unless target and tolerance say the same. */
export function limitWords(field: FormField): string {
  const { min = null, max = null } = limitsOf(field) ?? {};
  const { limit_min = false, limit_max = false } = Array.isArray(field.options) ? {} : field.options;
  const hasTolerance = field.target !== undefined && field.tolerance !== undefined;
  if (hasTolerance && !limit_min && !limit_max) return '';
  const show = (value: number) => shownNumber(field, value);
  if (min !== null && max !== null) return text.player.limits.between(show(min), show(max));
  if (min !== null) return text.player.limits.least(show(min));
  return max === null ? '' : text.player.limits.most(show(max));
}

/** What the number should be; '' if the field has no target. */
export function targetWords(field: FormField, unit: string): string {
  const { target, tolerance } = field;
  if (target === undefined) return '';
  const around = tolerance === undefined ? '' : shownNumber(field, tolerance);
  return text.player.target(shownNumber(field, target), around, unit);
}

/** A number of the field with as many decimals as its values have, or more if it needs them. */
function shownNumber({ options }: FormField, value: number): string {
  if (Array.isArray(options) || !options.limit_decimals) return formatDigits(value);
  return formatDigits(decimalsOf(value) > options.decimals ? value : value.toFixed(options.decimals));
}

/** Which limit a recorded value breaks. */
export function brokenWords(
  { side, limit }: NonNullable<RecordedValue['broken']>,
  field: FormField,
  unit: string,
): string {
  return text.player.outOfLimits[side](`${shownNumber(field, limit)} ${unit}`.trim());
}
