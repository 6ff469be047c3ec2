import { createHash } from 'node:crypto';

import type { DeviationFacts } from '#shared/model/deviations.ts';
import type { RecordSeal } from '#shared/model/record-seal.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import type { WorkRecordFile } from '#shared/model/work-record.ts';
import { lateConfirmations, peopleIn, recordOf, recordText } from '#shared/rules/work-record.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments, findStored } from '#server/storage/feed.ts';

import { findPlanned } from '../planned-orders/policy.ts';
import { findPeople } from '../users/store.ts';

/**
 * The seal of the record of an entry that ended.
 *
 * - WORK-RECORD-2 When an order ends, the server stores the SHA-256 of its record, with the title of the guide and the names
 *   of the people at that time. The audit log records the hash. A record that does not match its hash was changed later.
 */
export async function sealOf(ctx: Context, entry: EntryFacts): Promise<RecordSeal> {
  const names = await namesOf(ctx, entry);
  return { ...names, sha256: hashOf(entry, names) };
}

type Names = Omit<RecordSeal, 'sha256'>;

async function namesOf(ctx: Context, entry: EntryFacts): Promise<Names> {
  const guide = await findStored(ctx, 'guides', entry.guideid);
  const ids = peopleIn(entry);
  const people = await findPeople(ctx.db, ids);
  return {
    guide_title: guide?.title ?? '',
    people: ids.map((userid) => ({ userid, name: people.get(userid)?.username ?? '' })),
  };
}

function hashOf(entry: EntryFacts, names: Names): string {
  return createHash('sha256')
    .update(recordText(recordOf(entry, names)), 'utf8')
    .digest('hex');
}

/** The hash of the record of an entry as it is stored now; null without a seal. */
export function sealedHash(entry: EntryFacts): string | null {
  return entry.record === undefined ? null : hashOf(entry, entry.record);
}

/**
 * The record of an entry as a file, with the hash of its seal, and the deviation that it follows up (FOLLOW-UP-3). The caller
 * has checked that the viewer may see the entry.
 *
 * - WORK-RECORD-6 The app, the printed page, JSON and CSV show each signature with name, meaning, comment and time in UTC, and
 *   say so if the record no longer is what was signed.
 */
export async function recordFile(ctx: Context, entry: EntryFacts): Promise<WorkRecordFile> {
  const { planned_orderid } = entry;
  const planned = planned_orderid === undefined ? undefined : await findPlanned(ctx, planned_orderid);
  return {
    ...(await recordAndHash(ctx, entry)),
    deviations: (await deviationsOf(ctx, entry.entryid)).map(
      ({ uid: _uid, key: _key, images: _images, ...rest }) => rest,
    ),
    ...(planned?.follows === undefined ? {} : { follows: planned.follows }),
  };
}

/** The record of an entry, the hash that was stored at its end, and who signed it. The caller has checked as above. */
export async function recordAndHash(
  ctx: Context,
  entry: EntryFacts,
): Promise<Pick<WorkRecordFile, 'record' | 'sha256' | 'confirmations' | 'signatures'>> {
  const { record: seal } = entry;
  return {
    record: recordOf(entry, seal ?? (await namesOf(ctx, entry))),
    sha256: seal?.sha256 ?? null,
    confirmations: lateConfirmations(entry),
    signatures: (entry.signatures ?? []).map((one) => ({
      ...one,
      applies: one.sha256 === sealedHash(entry),
    })),
  };
}

async function deviationsOf(ctx: Context, entryid: number): Promise<DeviationFacts[]> {
  const rows = await ctx.db
    .selectFrom('deviations')
    .select('deviationid')
    .where('entryid', '=', entryid)
    .orderBy('deviationid')
    .execute();
  return findDocuments(
    ctx.db,
    'deviations',
    rows.map(({ deviationid }) => deviationid),
  );
}
