import type { FormField } from '#shared/model/step-form.ts';
import type { Place } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { AutomaticMerge, Choice, Json, MergeConflict, MergeLog } from './conflict.ts';
import { asJson } from './conflict.ts';
import type { FieldRules } from './records.ts';
import { mergeFields, mergeKeyed } from './records.ts';
import { resolveAt } from './resolve.ts';

/** The type of a field and its options mean nothing without each other: they merge as one value (M72). */
type FormRecord = Omit<FormField, 'field_type' | 'options'> & {
  answer: Pick<FormField, 'field_type' | 'options'>;
};

const fieldRules: FieldRules<FormRecord> = {
  label: 'text',
  placeholder: 'text',
  textarea: 'text',
  required: 'value',
  answer: 'value',
};

export type FormMerge = { merged: FormField[]; conflicts: MergeConflict[]; merges: AutomaticMerge[] };

/** Merges two edits of the fields of a step form (rules M70–M73). Places are `{list: 'fields', element: field_guid}`. */
export function mergeForm(base: FormField[], mine: FormField[], theirs: FormField[]): FormMerge {
  const log: MergeLog = { conflicts: [], merges: [] };
  const placeOf = (element: string): Place => ({ list: 'fields', element });
  const merged = mergeKeyed(
    { base: recordsOf(base), mine: recordsOf(mine), theirs: recordsOf(theirs) },
    {
      placeOf,
      merge: (key, old, left, right) =>
        mergeFields(
          fieldRules,
          { base: old ?? blankField(right), mine: left, theirs: right },
          placeOf(key),
          log,
        ),
      isEdited: (old, side) => !sameValue({ ...old, field_revisionid: 0 }, { ...side, field_revisionid: 0 }),
    },
    log,
  );
  return { merged: merged.map(fieldOf), ...log };
}

/** The fields of a form after a person's choice (rules M60–M63). */
export function resolveFormConflict(
  fields: FormField[],
  conflict: MergeConflict,
  choice: Choice,
): FormField[] {
  return [...resolveAt(recordsOf(fields), conflict, choice, formPlaces).values()].map(fieldOf);
}

const formPlaces = {
  valueAt(records: Map<string, FormRecord>, { element, field }: Place): Json | undefined {
    const record = records.get(element ?? '');
    if (record === undefined || field === undefined) return record === undefined ? undefined : asJson(record);
    return asJson(new Map<string, unknown>(Object.entries(record)).get(field));
  },
  withValueAt(
    records: Map<string, FormRecord>,
    { element = '', field }: Place,
    value: Json,
  ): Map<string, FormRecord> {
    const next = new Map(records);
    const record = next.get(element);
    if (field !== undefined && record !== undefined) next.set(element, { ...record, [field]: value });
    if (field === undefined && value === null) next.delete(element);
    if (field === undefined && value !== null) next.set(element, value as FormRecord);
    return next;
  },
};

function recordsOf(fields: FormField[]): Map<string, FormRecord> {
  return new Map(
    fields.map(({ field_type, options, ...rest }) => [
      rest.field_guid,
      { ...rest, answer: { field_type, options } },
    ]),
  );
}

function fieldOf({ answer, ...rest }: FormRecord): FormField {
  return { ...rest, ...answer };
}

function blankField({ field_guid, field_revisionid, answer }: FormRecord): FormRecord {
  return { field_guid, field_revisionid, label: '', placeholder: '', textarea: '', required: false, answer };
}
