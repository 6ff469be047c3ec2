import type { SyncedCollection } from '#shared/sync/wire.ts';
import { tolerantProtocol } from '#shared/sync/protocol.ts';
import { must } from '#shared/must.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { newestFeedRow, visibleAudiences } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import { AccessPast } from './access-past.ts';
import { type FeedLine, bodySize, fitting } from './feed-line.ts';
import { dependentsOn, withPrerequisites } from './prerequisites.ts';

/** A position in the feed. Seq 0 is its beginning. */
export interface Checkpoint {
  seq: number;
  nonce: string;
  /** Inside the documents of an access change: the `seq` of the last document that was sent. */
  within?: number;
}

export interface Page {
  rows: FeedLine[];
  /** The position after this page. */
  checkpoint: Checkpoint;
  /** Whether more rows follow. */
  more: boolean;
}

const beginning: Checkpoint = { seq: 0, nonce: '0' };

/** A checkpoint as sent by a device. `seal`: the server's seal, if it has one. */
export interface SealedCheckpoint extends Checkpoint {
  seal: string | null;
}

/**
 * The text of a checkpoint for devices: `{seq}.{nonce}y{seal}`, or `{seq}.{nonce}x{within}y{seal}` inside an access
 * change. Nonce and seal are hexadecimal. The seal proves later that this server gave the checkpoint out (FEED-18).
 */
export async function checkpointTextOf(services: Services, checkpoint: Checkpoint): Promise<string> {
  const key = await services.identity.key();
  const { seq, nonce, within } = checkpoint;
  return `${seq}.${nonce}${within === undefined ? '' : `x${within}`}y${key.seal(sealedText(checkpoint))}`;
}

/** The text from which the seal of a checkpoint is made. */
export function sealedText({ seq, nonce }: Checkpoint): string {
  return `${seq}.${nonce}`;
}

/**
 * Parses the text of a checkpoint. Those of older servers have no seal. One with longer numbers than any server gives
 * out, at which PostgreSQL fails, is unknown.
 */
export function parseCheckpoint(text: string): SealedCheckpoint {
  const [, seq = '', nonce = '', within, seal = null] =
    /^(\d{1,15})\.([^xy]*)(?:x(\d{1,15}))?(?:y(.*))?$/.exec(text) ?? [];
  return { seq: Number(seq), nonce, ...(within === undefined ? {} : { within: Number(within) }), seal };
}

/** Whether the feed contains the checkpoint. After a restore, and on another server, it may not. */
export async function hasCheckpoint(db: Db, { seq, nonce }: Checkpoint): Promise<boolean> {
  if (seq === 0 && nonce === beginning.nonce) return true;
  const row = await db.selectFrom('feed').select('nonce').where('seq', '=', seq).executeTakeFirst();
  return row?.nonce === nonce;
}

/** The newest checkpoint as the property `place` of results, for protocols that have it (FEED-16). */
export async function currentCheckpoint(services: Services, protocol: number): Promise<{ place?: string }> {
  if (protocol < tolerantProtocol) return {};
  return { place: await checkpointTextOf(services, await newestCheckpoint(services.storage.reader)) };
}

/** The newest checkpoint of the feed. */
export async function newestCheckpoint(db: Db): Promise<Checkpoint> {
  return (await newestFeedRow(db)) ?? beginning;
}

/** The id of the database's history (epoch). Another database has another one. */
export async function historyId(db: Db): Promise<string> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', 'history')
    .executeTakeFirstOrThrow();
  return row.value;
}

/** A row of the feed, with the document if it is the record's newest row. */
export interface Scanned {
  seq: number;
  nonce: string;
  collection: string;
  id: string;
  key: string | null;
  userid: number | null;
  audience_before: number;
  audience_after: number;
  detail: string | null;
  /** null: superseded by a later row. */
  body: string | null;
  uid: string | null;
}

/**
 * The rows after `from`, at most `limit` and as many as a page may have (FEED-20). `next`: the seq of the row after
 * them; undefined: there is none.
 */
export async function scanFeed(
  db: Db,
  from: number,
  limit: number,
): Promise<{ scanned: Scanned[]; next: number | undefined }> {
  const sizes = await db
    .selectFrom('feed')
    .leftJoin('documents', 'documents.seq', 'feed.seq')
    .select(bodySize)
    .where('feed.seq', '>', from)
    .orderBy('feed.seq')
    .limit(limit)
    .execute();
  const most = fitting(sizes);
  const rows: Scanned[] = await db
    .selectFrom('feed')
    .leftJoin('documents', 'documents.seq', 'feed.seq')
    .select([
      'feed.seq',
      'feed.nonce',
      'feed.collection',
      'feed.id',
      'feed.key',
      'feed.userid',
      'feed.audience_before',
      'feed.audience_after',
      'feed.detail',
      'documents.body',
      'documents.uid',
    ])
    .where('feed.seq', '>', from)
    .orderBy('feed.seq')
    .limit(most + 1)
    .execute();
  return { scanned: rows.slice(0, most), next: rows[most]?.seq };
}

/**
 * Reads the changes after `since` that the viewer may see. The cost depends on the number of changes, not of records
 * (FEED-4). A record that the viewer can see now is returned as its document, at its latest change; one that only was
 * visible before as a removal; any other one not at all.
 */
export async function readFeed(
  db: Db,
  viewer: Viewer,
  since: Checkpoint,
  limit: number,
  collections: ReadonlySet<string> | null,
): Promise<Page> {
  const from = since.within === undefined ? since.seq : since.seq - 1;
  const { scanned, next } = await scanFeed(db, from, limit);
  const visible = await visibleAudiences(db, viewer.principals);
  const past = await AccessPast.of(db, viewer);
  const rows: FeedLine[] = [];
  let checkpoint = since;
  for (const row of scanned) {
    if (rows.length >= limit) break;
    const { seq, nonce } = row;
    if (row.collection !== '$access') {
      const shown =
        collections?.has(row.collection) === false ? null : await rowFor(db, row, viewer, visible, past);
      if (shown !== null) rows.push(shown);
    } else if (row.userid === viewer.userid) {
      const after = since.seq === seq ? (since.within ?? 0) : 0;
      const moved = await accessRows(db, row, {
        visible,
        collections,
        past,
        after,
        limit: limit - rows.length,
      });
      rows.push(...moved.rows);
      if (moved.last !== null) {
        checkpoint = { seq, nonce, within: moved.last };
        break;
      }
    }
    checkpoint = { seq, nonce };
  }
  const more = checkpoint.within !== undefined || checkpoint.seq < (next ?? scanned.at(-1)?.seq ?? 0);
  return { rows: await withPrerequisites(db, visible, rows), checkpoint, more };
}

async function rowFor(
  db: Db,
  row: Scanned,
  viewer: Viewer,
  visible: ReadonlySet<number>,
  past: AccessPast,
): Promise<FeedLine | null> {
  const own = row.key !== null && row.userid === viewer.userid ? { key: row.key } : {};
  const base = { c: row.collection as SyncedCollection, id: row.id, seq: row.seq, ...own };
  if (visible.has(row.audience_after)) {
    if (row.body !== null) return { ...base, body: row.body, uid: row.uid ?? '' };
    // The superseding row reports no removal if the viewer gained access to its audience only afterwards.
    if ((await past.couldSee(row)) && (await visibleDocument(db, row, visible)) === undefined)
      return { ...base, removed: true };
    return row.key !== null && row.userid === viewer.userid ? base : null;
  }
  if (await past.couldSee(row)) return { ...base, removed: true };
  return 'key' in base ? base : null;
}

/** The current document of a record; undefined if it is removed or not in one of these audiences. */
async function visibleDocument(
  db: Db,
  { collection, id }: Pick<Scanned, 'collection' | 'id'>,
  visible: ReadonlySet<number>,
) {
  const document = await db
    .selectFrom('documents')
    .selectAll()
    .where('collection', '=', collection)
    .where('id', '=', id)
    .executeTakeFirst();
  return document !== undefined && visible.has(document.audience) ? document : undefined;
}

/**
 * The rows of a change of role, team or allow-list (FEED-6): the documents that became visible or hidden, and the
 * guides that name one of these as prerequisite, in feed order, beginning after the seq `after`. `last`: the seq after
 * which the next page continues; null at the end. Documents that changed after the access change are reported as
 * removed by their own rows.
 */
async function accessRows(
  db: Db,
  row: Scanned,
  page: {
    visible: ReadonlySet<number>;
    collections: ReadonlySet<string> | null;
    past: AccessPast;
    after: number;
    limit: number;
  },
): Promise<{ rows: FeedLine[]; last: number | null }> {
  const { visible, collections, past, after, limit } = page;
  const before = await visibleAudiences(db, past.before(row.seq));
  const moved = [
    ...[...before].filter((audience) => !visible.has(audience)),
    ...[...visible].filter((audience) => !before.has(audience)),
  ];
  if (moved.length === 0) return { rows: [], last: null };
  const found = movedDocuments(db, moved, [...visible])
    .where('seq', '>', after)
    .$if(collections !== null, (all) => all.where('collection', 'in', [...(collections ?? [])]))
    .orderBy('seq');
  const most = fitting(await found.select(bodySize).limit(limit).execute());
  const documents = await found
    .selectAll()
    .limit(most + 1)
    .execute();
  const sent = documents.slice(0, most);
  const rows: FeedLine[] = [];
  for (const document of sent) {
    const base = { c: document.collection as SyncedCollection, id: document.id, seq: row.seq };
    if (visible.has(document.audience)) rows.push({ ...base, body: document.body, uid: document.uid });
    else if (before.has(await past.audienceAt(row.seq, document))) rows.push({ ...base, removed: true });
  }
  return { rows, last: documents.length > most ? (sent.at(-1)?.seq ?? after) : null };
}

/** The documents of the `moved` audiences, and the visible guides that name one of these as prerequisite. */
function movedDocuments(db: Db, moved: number[], visible: number[]) {
  return db
    .selectFrom('documents')
    .where((eb) =>
      eb.or([
        eb('audience', 'in', moved),
        eb.and([
          eb('audience', 'in', visible),
          eb('collection', '=', 'guides'),
          eb('id', 'in', dependentsOn(db, moved)),
        ]),
      ]),
    );
}

/** The current rows of the records that a call of the viewer changed. `key`: Idempotency-Key of the call. */
export async function rowsOfKey(db: Db, viewer: Viewer, key: string): Promise<FeedLine[]> {
  const moved = await db
    .selectFrom('feed')
    .select(['collection', 'id'])
    .where('userid', '=', viewer.userid)
    .where('key', '=', key)
    .execute();
  const rows: FeedLine[] = [];
  for (const { collection, id } of moved) {
    const row = await currentRow(db, viewer, collection as SyncedCollection, id);
    rows.push({ ...row, key });
  }
  return rows;
}

/** The current row of a record for the viewer. */
export async function currentRow(
  db: Db,
  viewer: Viewer,
  collection: SyncedCollection,
  id: string,
): Promise<FeedLine> {
  const visible = await visibleAudiences(db, viewer.principals);
  const document = await visibleDocument(db, { collection, id }, visible);
  if (document === undefined) {
    const last = await db
      .selectFrom('feed')
      .select('seq')
      .where('collection', '=', collection)
      .where('id', '=', id)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    return { c: collection, id, seq: last?.seq ?? 0, removed: true };
  }
  const [line] = await withPrerequisites(db, visible, [
    { c: collection, id, seq: document.seq, body: document.body, uid: document.uid },
  ]);
  return must(line, 'the row');
}
