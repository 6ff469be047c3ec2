import type { EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { computedValues } from '#shared/rules/computed-values.ts';
import type { Db } from '#server/storage/tables.ts';

import { findFormWith } from '../step-forms/store.ts';

/**
 * The values of a call, with those that follow from them (FIELD-6) instead of what the call has for computed fields. A
 * computed value that stays the same is left out.
 */
export async function withComputed(
  db: Db,
  entry: EntryFacts,
  values: readonly WorkDataValue[],
): Promise<WorkDataValue[]> {
  const entered = values.filter(({ computed }) => computed !== true);
  const all = [...entry.events.flatMap(({ data = [] }) => data), ...entered];
  const last = new Map(all.map((value) => [value.field_guid, value]));
  const found = [...entered];
  for (const [stepid, named] of Map.groupBy(values, (value) => value.stepid)) {
    const form = await formOf(db, stepid, named);
    const computed = computedValues(form?.fields ?? [], stepid, (guid) => last.get(guid)?.value);
    found.push(...computed.filter((value) => isNews(value, last.get(value.field_guid))));
  }
  return found;
}

/** The newest form that has all these fields; if they are of several forms, the newest one with the newest field. */
async function formOf(
  db: Db,
  stepid: number,
  named: readonly WorkDataValue[],
): Promise<StepForm | undefined> {
  const ids = named.map(({ field_revisionid }) => field_revisionid);
  return (await findFormWith(db, stepid, ids)) ?? findFormWith(db, stepid, [Math.max(...ids)]);
}

function isNews(value: WorkDataValue, before: WorkDataValue | undefined): boolean {
  if (before === undefined) return value.value !== '';
  return before.value !== value.value || before.field_revisionid !== value.field_revisionid;
}
