import type { SignRecordBody } from '#shared/api/work-log.ts';
import { conflict, forbidden, invalid } from '#shared/api/problem.ts';
import type { RecordSignature } from '#shared/model/record-signature.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import type { WorkRecordFile } from '#shared/model/work-record.ts';
import { recordMeaningsOf } from '#shared/rules/record-signatures.ts';
import { foldEntry } from '#shared/rules/work-log.ts';
import { mustUserid, type Context, type Remembered } from '#server/core/context.ts';

import { afterSignature } from '../tokens/notices.ts';
import { mustBeProved, withProof } from '../tokens/proof.ts';
import { readPerson } from '../users/store.ts';
import { signingFlaw } from './confirm.ts';
import { mustSeeEntry } from './policy.ts';
import { recordFile, sealedHash } from './seal.ts';
import { saveAround } from './store.ts';

/**
 * Signs the record of an order that ended as the caller.
 *
 * - WORK-RECORD-5 A signature needs the password again, or a single sign-on made for it, as signatures of guides do
 *   (APPROVAL-7). It records the userid, the name at that time, the meaning, the time in UTC and the hash of the record as
 *   it was stored at the end. If the record is not what was stored, or the person saw another one, the answer is 409. A
 *   signature is never changed or deleted, and a signed order is not deleted.
 */
export async function signRecord(
  ctx: Context,
  entryid: number,
  { current_password, sign_on_token, ...asked }: SignRecordBody,
): Promise<Remembered<WorkRecordFile>> {
  let notify = (): void => undefined;
  const use = { action: 'POST /work_log/{entryid}/sign', flaw: signingFlaw };
  const proof = { current_password, sign_on_token };
  const signed = await withProof(ctx, proof, use, async (write, isProved) => {
    mustBeProved(isProved, 'Enter your password to sign');
    const entry = await mustBeUnchanged(write, entryid, asked);
    const method = current_password === undefined ? 'token' : 'password';
    const next = await store(write, entry, asked, method);
    notify = await afterSignature(write, mustUserid(write), 'order');
    return write.respondWithRecord('workRecord', entryid, recordFile(write, next));
  });
  notify();
  return signed;
}

type Asked = Omit<SignRecordBody, 'current_password' | 'sign_on_token'>;

/** The entry with its seal. Throws 422 if it has none, 403 for another meaning, 409 if the record is another one. */
async function mustBeUnchanged(
  ctx: Context,
  entryid: number,
  { meaning, record_sha256 }: Asked,
): Promise<EntryFacts> {
  const entry = await mustSeeEntry(ctx, entryid);
  const { record: seal, signatures = [] } = entry;
  if (seal === undefined)
    throw invalid(
      'entryid',
      foldEntry(entry).endtime === null
        ? 'This order is still open'
        : 'This order ended before hashes of records were stored',
    );
  if (!recordMeaningsOf(ctx.viewer, entry).includes(meaning))
    throw forbidden(`You cannot sign that you ${meaning} this work`);
  const present = sealedHash(entry);
  if (present !== seal.sha256)
    ctx.services.log.error({ entryid }, 'the record of a work order is no longer what was stored at its end');
  const isSigned = signatures.some((one) => one.userid === ctx.viewer.userid && one.meaning === meaning);
  const isOther = record_sha256 !== undefined && record_sha256 !== seal.sha256;
  if (present !== seal.sha256 || isOther || isSigned) throw conflict(await recordFile(ctx, entry));
  return entry;
}

async function store(
  ctx: Context,
  entry: EntryFacts,
  { meaning, comment }: Asked,
  method: RecordSignature['method'],
): Promise<EntryFacts> {
  const userid = mustUserid(ctx);
  const { entryid, signatures = [] } = entry;
  const signature = {
    userid,
    name: (await readPerson(ctx.db, userid)).username,
    meaning,
    comment,
    method,
    sha256: sealedHash(entry) ?? '',
    date: ctx.seconds,
  };
  const { record_signatureid } = await ctx.db
    .insertInto('record_signatures')
    .values({ entryid, ...signature })
    .returning('record_signatureid')
    .executeTakeFirstOrThrow();
  const next: EntryFacts = { ...entry, signatures: [...signatures, { record_signatureid, ...signature }] };
  await saveAround(ctx, next);
  return next;
}
