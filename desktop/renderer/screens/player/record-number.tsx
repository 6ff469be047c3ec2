import type { FormField } from '#shared/model/step-form.ts';

import { usePreferences } from '#desktop/renderer/preferences.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';

import { NumberPadField } from './number-pad-field.tsx';
import { exampleOf, useRecord, type RecordProps } from './use-record.ts';

/** A measured value. In kiosk density it is entered with a keypad on the screen. */
export function RecordNumber(props: RecordProps) {
  const { field, order } = props;
  const { density } = usePreferences();
  const { shown, error, change, flush } = useRecord(props);
  const { label, unit } = splitUnit(field.label);
  const suffix = [unit, limitWords(field)].filter((part) => part !== '').join(' · ');
  const shared = {
    label,
    placeholder: exampleOf(field),
    value: shown,
    error,
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

function limitWords({ options }: FormField): string {
  if (Array.isArray(options)) return '';
  const show = (value: number) => (options.limit_decimals ? value.toFixed(options.decimals) : String(value));
  if (options.limit_min && options.limit_max)
    return text.player.limits.between(show(options.min), show(options.max));
  if (options.limit_min) return text.player.limits.least(show(options.min));
  return options.limit_max ? text.player.limits.most(show(options.max)) : '';
}
