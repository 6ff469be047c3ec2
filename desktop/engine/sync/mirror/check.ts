import { z } from 'zod';

import {
  collectionName,
  collectionNames,
  digestDigits,
  digestLine,
  type FeedRow,
  feedTail,
  mostRecords,
  type SyncedCollection,
} from '#shared/sync/wire.ts';
import { readLine } from '#shared/sync/reading.ts';
import { tolerant } from '#shared/sync/tolerant.ts';

import type { ServerConnection } from '../server-connection.ts';
import { Unreachable } from '../connection-errors.ts';
import { answerOf, linesAfterHead } from './answer.ts';
import type { RecordsByKind } from '#desktop/engine/storage/mirror-collections.ts';
import { toStored } from '#desktop/engine/storage/mirror-records.ts';
import { present, removal, type MirrorWriter } from './mirror-writer.ts';
import type { FeedDeps } from './feed.ts';

/** A record of which this device and the server had different versions. */
export interface Difference {
  c: SyncedCollection;
  id: string;
  kind: 'missing' | 'extra' | 'different';
}

type CheckDeps = { records: RecordsByKind; signal: AbortSignal } & Pick<
  FeedDeps,
  'connection' | 'writer' | 'onRowsReceived' | 'stored'
>;

/** The result of comparing this device with the server; every difference was corrected. */
export interface MirrorCheck {
  records: number;
  differences: Difference[];
}

/**
 * Compares every record of these kinds with the server by its hash, and loads records that differ again. The mirror must
 * have been pulled to the checkpoint `place`, and must not change meanwhile. Records that changed on the server after
 * `place` come by the feed and do not count as differences.
 * @throws Unreachable when an answer does not come or breaks off, or `signal` ends the check
 */
export async function checkMirror(
  { connection, records: mirror, writer, signal, onRowsReceived, stored }: CheckDeps,
  place: string,
  kinds: readonly SyncedCollection[] = collectionNames,
): Promise<MirrorCheck> {
  const seq = Number(place.split('.')[0]);
  const mustGoOn = (): void => {
    if (signal.aborted) throw new Unreachable('The check was stopped');
  };
  const local = await localHashes(mirror, kinds, mustGoOn);
  const suspects = new Map<string, Difference>();
  let records = 0;
  for await (const { c, id, seq: moved, hash } of digests(connection, signal)) {
    if (!kinds.includes(c)) continue;
    records += 1;
    const key = `${c}/${id}`;
    const known = local.get(key);
    local.delete(key);
    if (moved > seq || known?.hash === hash) continue;
    suspects.set(key, { c, id, kind: known === undefined ? 'missing' : 'different' });
  }
  for (const [key, { c, id }] of local) suspects.set(key, { c, id, kind: 'extra' });
  const differences: Difference[] = [];
  const all = [...suspects.values()];
  for (let from = 0; from < all.length; from += mostRecords) {
    mustGoOn();
    const rows = await currentRows(connection, signal, all.slice(from, from + mostRecords));
    // Records that are removed here leave the device in the same way as by the feed.
    await onRowsReceived(rows);
    for (const row of rows) {
      const suspect = suspects.get(`${row.c}/${row.id}`);
      if (suspect !== undefined && (await mend(mirror, writer, row, seq))) differences.push(suspect);
    }
    await stored(rows, place);
  }
  return { records, differences };
}

/** Stores a record as the server has it; false when it was correct, or changed after `seq`. */
async function mend(
  mirror: RecordsByKind,
  writer: MirrorWriter,
  row: FeedRow,
  seq: number,
): Promise<boolean> {
  const known = await mirror[row.c].get(row.id);
  if (row.doc === undefined) {
    if (known === null) return false;
    await writer.replace(row.c, [removal(row.c, row)]);
    return true;
  }
  const stored = toStored(row);
  if (row.seq > seq || known?.body === stored.body) return false;
  await writer.replace(row.c, [present(stored)]);
  return true;
}

async function localHashes(
  mirror: RecordsByKind,
  kinds: readonly SyncedCollection[],
  mustGoOn: () => void,
): Promise<Map<string, { c: SyncedCollection; id: string; hash: string }>> {
  const hashes = new Map<string, { c: SyncedCollection; id: string; hash: string }>();
  for (const c of kinds)
    for await (const { id, body } of mirror[c].all()) {
      mustGoOn();
      hashes.set(`${c}/${id}`, { c, id, hash: await hashOf(body) });
    }
  return hashes;
}

async function hashOf(body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
  return [...new Uint8Array(digest, 0, digestDigits / 2)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

const readDigest = z.union([
  tolerant(feedTail),
  tolerant(digestLine.extend({ c: z.string() })).transform(({ c, ...rest }) => ({
    ...rest,
    c: collectionName.safeParse(c).data ?? null,
  })),
]);

async function* digests(connection: ServerConnection, signal: AbortSignal) {
  const answering = await answerOf(connection, connection.request('/sync/1/digest', { signal }));
  for await (const line of linesAfterHead(connection, answering)) {
    const parsed = connection.parsed(answering, readDigest, line);
    if ('checkpoint' in parsed) return;
    // A newer server may have kinds of records that this device does not know.
    if (parsed.c !== null) yield { ...parsed, c: parsed.c };
  }
  throw connection.foreign(answering);
}

async function currentRows(
  connection: ServerConnection,
  signal: AbortSignal,
  records: readonly { c: SyncedCollection; id: string }[],
): Promise<FeedRow[]> {
  const rows: FeedRow[] = [];
  const body = JSON.stringify({ records: records.map(({ c, id }) => ({ c, id })) });
  const headers = { 'Content-Type': 'application/json' };
  const answering = await answerOf(
    connection,
    connection.request('/sync/1/records', { method: 'POST', body, headers, signal }),
  );
  for await (const line of linesAfterHead(connection, answering)) {
    const parsed = connection.parsed(answering, readLine, line);
    if ('checkpoint' in parsed) return rows;
    rows.push(...parsed.rows);
  }
  throw connection.foreign(answering);
}
