import type { FieldError } from '#shared/api/problem.ts';
import type { EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';
import { isOwnWork, withSecondPersons } from '#shared/rules/second-person.ts';
import { mustUserid, type Context } from '#server/core/context.ts';

import { findPeople } from '../users/store.ts';

/**
 * The values of a call with what they change about second persons (COSIGN-4, COSIGN-5). A name of an unknown or closed account
 * or of a kiosk stays a name without an account, because it was recorded. Adds to `errors` whom the call names for work of
 * their own.
 */
export async function settleSecondPersons(
  ctx: Context,
  entry: EntryFacts,
  values: readonly WorkDataValue[],
  errors: FieldError[],
): Promise<WorkDataValue[]> {
  const ids = values.flatMap(({ second_person }) => second_person?.userid ?? []);
  const people = await findPeople(ctx.db, ids);
  const recorder = mustUserid(ctx);
  const after: EntryFacts = {
    ...entry,
    events: [...entry.events, { type: 'data', userid: recorder, at: 0, data: [...values] }],
  };
  const settled = values.map((value) => {
    const userid = value.second_person?.userid;
    if (userid === undefined) return value;
    if (userid === recorder || isOwnWork(after, value.stepid, userid))
      errors.push({
        field: `fields.${value.field_revisionid}`,
        message: `${value.label}: nobody is the second person of work of their own`,
      });
    const person = people.get(userid);
    const isUsable = person?.enabled === true && !person.privileges.includes('Kiosk');
    return isUsable ? value : { ...value, second_person: {} };
  });
  return withSecondPersons(entry, settled);
}
