import { setImmediate as otherRequests } from 'node:timers/promises';

import type { SyncedCollection } from '#shared/sync/wire.ts';
import { preparedList } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { type FeedLine, bodySize, fitting } from './feed-line.ts';
import { withPrerequisites } from './prerequisites.ts';

/** Maximum number of documents that are read at a time. */
const batchSize = 500;

/** A set of documents: of these audiences, after the seq `after`, of these collections (null: all). */
export interface Scope {
  visible: ReadonlySet<number>;
  after: number;
  collections: readonly string[] | null;
}

/** The seqs of the documents of a scope, in feed order. */
export async function seqsIn(db: Db, { visible, after, collections }: Scope): Promise<number[]> {
  const rows = await db
    .selectFrom('documents')
    .select('seq')
    .where('audience', 'in', visible.size === 0 ? [-1] : [...visible])
    .where('seq', '>', after)
    .$if(collections !== null, (query) => query.where('collection', 'in', [...(collections ?? [])]))
    .execute();
  return inOrder(rows);
}

/** The seqs of rows, ascending. */
export function inOrder(rows: readonly { seq: number }[]): number[] {
  return [...Float64Array.from(rows, ({ seq }) => seq).sort()];
}

/**
 * Yields the documents with these seqs (ascending) in pages, adapted to the viewer (`withPrerequisites`). Those that
 * changed meanwhile have another seq, and are left out. `visible`: the viewer's audiences.
 */
export async function* visibleDocuments(
  db: Db,
  visible: ReadonlySet<number>,
  seqs: readonly number[],
): AsyncGenerator<FeedLine[]> {
  for (let at = 0; at < seqs.length;) {
    const next = seqs.slice(at, at + batchSize);
    const sizes = await sizesAt(db, next, {});
    const bytes = new Map(sizes.map((row) => [row.seq, row.bytes]));
    const some = next.slice(0, fitting(next.map((seq) => ({ bytes: bytes.get(seq) ?? null }))));
    at += some.length;
    const rows = await documentsAt(db, some, {});
    const lines = rows
      .toSorted((a, b) => a.seq - b.seq)
      .map(({ collection, id, seq, body, uid }) => ({
        c: collection as SyncedCollection,
        id,
        seq,
        body,
        uid,
      }));
    yield await withPrerequisites(db, visible, lines);
    // SQLite queries are synchronous, and a fast client never blocks the stream: let the event loop handle other
    // requests.
    await otherRequests();
  }
}

const sizesAt = preparedList<Record<never, never>, number, { seq: number; bytes: number | null }>(
  (db, list) => db.selectFrom('documents').select(['seq', bodySize]).where('seq', 'in', list),
);

const documentsAt = preparedList<Record<never, never>, number, Omit<Tables['documents'], 'audience'>>(
  (db, list) =>
    db.selectFrom('documents').select(['collection', 'id', 'seq', 'body', 'uid']).where('seq', 'in', list),
);
