import type { FormField } from '#shared/model/step-form.ts';
import type { RecordedValue } from '#desktop/engine/api/records.ts';

import { usePreferences } from '#desktop/renderer/preferences.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';

import { NumberPadField } from './number-pad-field.tsx';
import { exampleOf, useRecord, type RecordProps } from './use-record.ts';

/** A measured value. In kiosk density it is entered with a keypad on the screen. */
export function RecordNumber(props: RecordProps) {
  const { field, order } = props;
  const { density } = usePreferences();
  const { shown, error, broken, change, flush } = useRecord(props);
  const { label, unit } = splitUnit(field.label);
  const suffix = [unit, limitWords(field)].filter((part) => part !== '').join(' · ');
  const shared = {
    label,
    placeholder: exampleOf(field),
    value: shown,
    error: error ?? (broken === null ? undefined : brokenWords(broken, field, unit)),
    isRequired: field.required,
    isDisabled: order === null,
    ...(suffix !== '' && { suffix }),
  };
  if (density === 'kiosk') return <NumberPadField {...shared} onChange={(value) => change(value, true)} />;
  return (
    <TextField
      {...shared}
      kind="numeric"
      onChange={(value) => change(value.replace(',', '.'), false)}
      onLeave={flush}
    />
  );
}

/** Splits a label such as "Torque (Nm)" into label and unit. */
function splitUnit(label: string): { label: string; unit: string } {
  const parts = /^(.+?)\s*\(([^()]{1,12})\)$/.exec(label);
  return parts ? { label: parts[1] ?? label, unit: parts[2] ?? '' } : { label, unit: '' };
}

function limitWords(field: FormField): string {
  const { options } = field;
  if (Array.isArray(options)) return '';
  const show = (value: number) => shownLimit(field, value);
  if (options.limit_min && options.limit_max)
    return text.player.limits.between(show(options.min), show(options.max));
  if (options.limit_min) return text.player.limits.least(show(options.min));
  return options.limit_max ? text.player.limits.most(show(options.max)) : '';
}

/** A limit with as many decimals as values of the field have. */
function shownLimit({ options }: FormField, limit: number): string {
  return Array.isArray(options) || !options.limit_decimals ? String(limit) : limit.toFixed(options.decimals);
}

function brokenWords(
  { side, limit }: NonNullable<RecordedValue['broken']>,
  field: FormField,
  unit: string,
): string {
  return text.player.outOfLimits[side](`${shownLimit(field, limit)} ${unit}`.trim());
}
