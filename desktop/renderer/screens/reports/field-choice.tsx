import { useCallback } from 'react';

import type { NumberField } from '#desktop/engine/api/reports.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import { reportText } from '#desktop/renderer/text/en/reports.ts';
import { SelectField, type Choice } from '#desktop/renderer/ui/select-field.tsx';

import { useServerValue } from '../site/use-server-value.ts';
import { faultOf, wishOf, type ReportPlace } from './report-place.ts';

interface FieldChoiceProps {
  place: ReportPlace;
  change: (part: Partial<ReportPlace>) => void;
}

/** The number fields that have values, those with most values first. Nothing without the server: the report says so. */
export function FieldChoice({ place, change }: FieldChoiceProps) {
  const { days, from, to, guideid, userid, teamid } = place;
  const read = useCallback(
    async (actions: Actions) =>
      faultOf({ days, from, to }, Date.now()) === null
        ? actions.numberFields(wishOf({ days, from, to, guideid, userid, teamid }, Date.now()))
        : null,
    [days, from, to, guideid, userid, teamid],
  );
  const { value } = useServerValue(read);
  return (
    <SelectField
      label={reportText.field}
      choices={choicesOf(value?.rows ?? [])}
      value={place.field ?? null}
      onChange={(field) => change({ field })}
      placeholder={reportText.chooseField}
      isDisabled={value === null || value.rows.length === 0}
    />
  );
}

/** The fields by their labels; those with the same label also by their guides. */
function choicesOf(fields: readonly NumberField[]): Choice[] {
  return fields.map(({ field_guid, label, unit, guideTitle }) => {
    const name = unit === '' ? label : `${label} (${unit})`;
    const isOne = fields.filter((other) => other.label === label).length === 1;
    return { id: field_guid, name: isOne ? name : `${name} · ${guideTitle || reportText.unknownGuide}` };
  });
}
