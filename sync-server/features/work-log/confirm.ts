import { createHash } from 'node:crypto';

import type { ConfirmBody, ConfirmHereBody } from '#shared/api/work-log.ts';
import { conflict, forbidden, invalid } from '#shared/api/problem.ts';
import type { Confirmation, ProofMethod } from '#shared/model/second-person.ts';
import type { EntryFacts, WorkLogEntry } from '#shared/model/work-log.ts';
import { workValueOf } from '#shared/rules/field-value.ts';
import {
  isNamed,
  isOwnWork,
  lastValueOf,
  mayConfirm,
  stepValuesText,
  type Candidate,
} from '#shared/rules/second-person.ts';
import { canMove, foldEntry } from '#shared/rules/work-log.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';

import { givenFlaw, type PasswordUse } from '../approvals/password.ts';
import { withColleague } from '../tokens/colleague.ts';
import { afterSignature } from '../tokens/notices.ts';
import { ageFlaw } from '../tokens/policy.ts';
import { mustBeProved, withProof } from '../tokens/proof.ts';
import { readPerson } from '../users/store.ts';
import { mustSeeEntry } from './policy.ts';
import { answered, appended, recordOf, saveAround } from './store.ts';
import { fieldsOf } from './values.ts';

type Asked = Pick<ConfirmBody, 'field_revisionid' | 'values_sha256'>;

/** Who confirms, and how they proved that it is them. */
interface Confirmer extends Candidate {
  username: string;
  method: ProofMethod;
}

/** Why a correct password cannot sign (USER-15, USER-9); undefined if it can. */
export const signingFlaw: PasswordUse['flaw'] = (ctx, account) => givenFlaw(account) ?? ageFlaw(ctx, account);

/**
 * Confirms the values of a step as the caller, in their own session.
 *
 * - COSIGN-3 A confirmation is what the server verified: the account, its name at that time, the time on the server's clock,
 *   and how the person proved their identity. It never follows from what a client records. A session alone confirms
 *   nothing, nobody confirms while acting as another person, and the first confirmation after another person changed how
 *   somebody signs in is reported as a signature is (USER-17).
 * - COSIGN-4 What a client records in the field is a name: named, not verified. It is shown so everywhere, and counts as a
 *   value of a required field. The call may say whose account it is. That person then sees the order, and confirms later in
 *   a session of their own, also after the end; so does anybody else who sees the order and may confirm. The confirmation has
 *   its own time.
 */
export async function confirmAsCaller(
  ctx: Context,
  entryid: number,
  { current_password, sign_on_token, ...asked }: ConfirmBody,
): Promise<Remembered<WorkLogEntry>> {
  let notify = (): void => undefined;
  const use = { action: 'POST /work_log/{entryid}/confirm', flaw: signingFlaw };
  const confirmed = await withProof(
    ctx,
    { current_password, sign_on_token },
    use,
    async (write, isProved) => {
      mustBeProved(isProved, 'Enter your password to confirm');
      const userid = mustUserid(write);
      const { username } = await readPerson(write.db, userid);
      const { isAdmin, teams, leads } = write.viewer;
      const method = current_password === undefined ? 'token' : 'password';
      const person = { userid, username, isAdmin, isKiosk: false, teams, leads, method } as const;
      notify = await afterSignature(write, userid, 'order');
      return confirm(write, entryid, asked, person);
    },
  );
  notify();
  return confirmed;
}

/** Confirms the values of a step as a colleague of the caller, who enters their password (COSIGN-6). */
export async function confirmAsColleague(
  ctx: Context,
  { entryid, userid }: { entryid: number; userid: number },
  { password, ...asked }: ConfirmHereBody,
): Promise<Remembered<WorkLogEntry>> {
  let notify = (): void => undefined;
  const action = 'POST /work_log/{entryid}/confirm/{userid}';
  const confirmed = await withColleague(ctx, { userid, password, action }, async (write, colleague) => {
    write.note.facts = { confirmed_by: userid, name: colleague.username };
    notify = await afterSignature(write, userid, 'order');
    return confirm(write, entryid, asked, { ...colleague, method: 'password' });
  });
  notify();
  return confirmed;
}

async function confirm(
  ctx: Context,
  entryid: number,
  { field_revisionid, values_sha256 }: Asked,
  person: Confirmer,
): Promise<Remembered<WorkLogEntry>> {
  const entry = await mustSeeEntry(ctx, entryid);
  const found = await (await fieldsOf(ctx, entry))(field_revisionid);
  if (found?.field.second_person === undefined)
    throw invalid(
      'field_revisionid',
      'The guide has no field with this revision that asks for a second person',
    );
  const { field, stepid } = found;
  if (!mayConfirm(field, stepid, entry, person)) throw forbidden(refusalOf(entry, stepid, person));
  const { status } = foldEntry(entry);
  if (status === 'cancelled') throw invalid('status', 'A cancelled order is not confirmed');
  const hash = createHash('sha256').update(stepValuesText(entry, stepid), 'utf8').digest('hex');
  if (values_sha256 !== undefined && values_sha256 !== hash) throw conflict(await recordOf(ctx, entry));
  const last = lastValueOf(entry, field.field_guid);
  const names = last !== undefined && isNamed(last.value);
  const { confirmations = [] } = entry;
  const before = names
    ? confirmations.find((one) => one.event === last.event && one.field_guid === field.field_guid)
    : undefined;
  if (before?.userid === person.userid) return answered(ctx, entry);
  if (before !== undefined) throw conflict(await recordOf(ctx, entry));
  const { userid, username: name, method } = person;
  const isOver = status === 'complete';
  const confirmation = (event: number): Confirmation => ({
    event,
    field_guid: field.field_guid,
    userid,
    name,
    at: ctx.services.now(),
    method,
    values_sha256: hash,
    ...(isOver ? { late: true as const } : {}),
  });
  const confirmed = (event: number): EntryFacts => ({
    ...entry,
    confirmations: [...confirmations, confirmation(event)],
  });
  const isSame = names && last.value.second_person?.userid === userid;
  if (!isSame && canMove(status, 'data')) {
    const data = [workValueOf(field, stepid, name, { second_person: { userid } })];
    return answered(ctx, await appended(ctx, confirmed(entry.events.length), { type: 'data', userid, data }));
  }
  if (!names) throw invalid('status', `The order is ${status}, and its field names nobody`);
  const next = confirmed(last.event);
  await saveAround(ctx, next);
  return answered(ctx, next);
}

function refusalOf(entry: EntryFacts, stepid: number, { userid, isKiosk }: Candidate): string {
  if (isKiosk) return 'A kiosk confirms nothing: its user is unknown';
  if (isOwnWork(entry, stepid, userid))
    return 'Nobody confirms work of their own: another person than who works on the order or recorded these values';
  return 'The form asks for another second person';
}
