import { usePreferences } from '#desktop/renderer/preferences.ts';
import { formatDigits } from '#desktop/renderer/text/format.ts';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useFormId } from '#desktop/renderer/use-form-draft.ts';

import { NumberPadField } from './number-pad-field.tsx';
import { brokenWords, labelAndUnit, limitWords, targetWords } from './number-words.ts';
import { exampleOf, useRecord, type RecordProps } from './use-record.ts';

/** A measured value. In kiosk density it is entered with a keypad on the screen. */
export function RecordNumber(props: RecordProps) {
  const { field, order, entryid } = props;
  const { density } = usePreferences();
  const formId = useFormId('pad', entryid, field.field_guid);
  const { shown, draft, error, broken, change, flush } = useRecord(props);
  const { label, unit } = labelAndUnit(field);
  const suffix = [unit, limitWords(field)].filter((part) => part !== '').join(' · ');
  const target = targetWords(field, unit);
  const shared = {
    label,
    ...(target !== '' && { hint: target }),
    placeholder: exampleOf(field),
    // What is being typed stays as it is typed.
    value: draft ?? formatDigits(shown),
    error: error ?? (broken === null ? undefined : brokenWords(broken, field, unit)),
    isRequired: field.required,
    isDisabled: order === null,
    ...(suffix !== '' && { suffix }),
  };
  if (density === 'kiosk')
    return <NumberPadField {...shared} formId={formId} onChange={(value) => change(value, true)} />;
  return <TextField {...shared} kind="numeric" onChange={(value) => change(value, false)} onLeave={flush} />;
}
