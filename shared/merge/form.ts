import { type DesignedField, isNewField } from '#shared/rules/form-design.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { AutomaticMerge, MergeConflict, MergeLog } from './conflict.ts';
import { type FieldRules, mergeFields, mergeKeyed } from './records.ts';

export type FormMerge = { merged: DesignedField[]; conflicts: MergeConflict[]; merges: AutomaticMerge[] };

const rules: FieldRules<DesignedField> = {
  field_type: 'value',
  label: 'value',
  placeholder: 'value',
  textarea: 'value',
  required: 'value',
  options: 'value',
  key: 'value',
  unit: 'value',
  target: 'value',
  tolerance: 'value',
  computed: 'value',
  reason_when_failed: 'value',
  max_photos: 'value',
  format: 'value',
  pattern: 'value',
  second_person: 'value',
  second_person_teams: 'value',
};

/** Merges two edits of the form of a step (rules MERGE-95–MERGE-97). */
export function mergeForm(
  base: readonly DesignedField[],
  mine: readonly DesignedField[],
  theirs: readonly DesignedField[],
): FormMerge {
  const log: MergeLog = { conflicts: [], merges: [] };
  const own = withGuidsOf({ base, mine }, theirs);
  const merged = mergeKeyed(
    { base: byGuid(own.base), mine: byGuid(own.mine), theirs: byGuid(theirs) },
    {
      placeOf: (element) => ({ list: 'fields', element }),
      merge: (element, old, left, right) =>
        mergeFields(
          rules,
          { base: old ?? right, mine: left, theirs: right },
          { list: 'fields', element },
          log,
        ),
      isEdited: (old, side) => !sameValue(old, side),
    },
    log,
  );
  return { merged, ...log };
}

function byGuid(fields: readonly DesignedField[]): Map<string, DesignedField> {
  return new Map(fields.map((field) => [field.field_guid, field]));
}

/**
 * MERGE-97: a field that an earlier save of this device added has its guid of the server in `theirs`. It is the first field
 * with the same content that no side knew.
 */
function withGuidsOf(
  { base, mine }: { base: readonly DesignedField[]; mine: readonly DesignedField[] },
  theirs: readonly DesignedField[],
): { base: DesignedField[]; mine: DesignedField[] } {
  const known = new Set([...base, ...mine].map(({ field_guid }) => field_guid));
  const fresh = theirs.filter(({ field_guid }) => !known.has(field_guid));
  const real = new Map<string, string>();
  for (const field of base.filter(isNewField)) {
    const at = fresh.findIndex((other) => sameValue({ ...other, field_guid: field.field_guid }, field));
    const [found] = at < 0 ? [] : fresh.splice(at, 1);
    if (found !== undefined) real.set(field.field_guid, found.field_guid);
  }
  const renamed = (fields: readonly DesignedField[]): DesignedField[] =>
    fields.map((field) => ({ ...field, field_guid: real.get(field.field_guid) ?? field.field_guid }));
  return { base: renamed(base), mine: renamed(mine) };
}
