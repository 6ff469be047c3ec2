import { setImmediate as otherRequests } from 'node:timers/promises';

import type { SyncedCollection } from '#shared/sync/wire.ts';
import type { Db } from '#server/storage/tables.ts';

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

/** Yields the documents of a scope in feed order, in pages, adapted to the viewer (`withPrerequisites`). */
export async function* visibleDocuments(db: Db, scope: Scope): AsyncGenerator<FeedLine[]> {
  const inScope = documentsIn(db, scope);
  for (let { after } = scope; ;) {
    const next = inScope.where('seq', '>', after).orderBy('seq');
    const most = fitting(await next.select(bodySize).limit(batchSize).execute());
    const rows = await next.selectAll().limit(most).execute();
    if (rows.length === 0) return;
    after = rows.at(-1)?.seq ?? after;
    const lines = rows.map(({ collection, id, seq, body, uid }) => ({
      c: collection as SyncedCollection,
      id,
      seq,
      body,
      uid,
    }));
    yield await withPrerequisites(db, scope.visible, lines);
    // SQLite queries are synchronous, and a fast client never blocks the stream: let the event loop handle other
    // requests.
    await otherRequests();
  }
}

/** How many documents a scope has. */
export async function countDocuments(db: Db, scope: Scope): Promise<number> {
  const { total } = await documentsIn(db, scope)
    .select((column) => column.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

function documentsIn(db: Db, { visible, after, collections }: Scope) {
  return db
    .selectFrom('documents')
    .where('audience', 'in', visible.size === 0 ? [-1] : [...visible])
    .where('seq', '>', after)
    .$if(collections !== null, (query) => query.where('collection', 'in', [...(collections ?? [])]));
}
