import type { SyncedCollection } from '#shared/sync/wire.ts';
import { Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import type { Viewer } from '#server/http/context.ts';
import { visibleAudiences, type Principal } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import type { FeedLine } from './feed-line.ts';
import { dependentsOn, withoutHidden } from './hidden-prerequisites.ts';

/** A place in the feed. Seq 0 is its beginning. */
export interface Place {
  seq: number;
  nonce: string;
}

export interface Page {
  rows: FeedLine[];
  place: Place;
  more: boolean;
}

const beginning: Place = { seq: 0, nonce: '0' };

/** `{seq}.{nonce}` of a place. */
export function placeText(place: Place): string {
  return `${place.seq}.${place.nonce}`;
}

/** Reads a checkpoint; 410 when this server's history does not hold it (a restored backup, another server). */
export async function mustKnowPlace(db: Db, text: string): Promise<Place> {
  const [seqText = '', nonce = ''] = text.split('.');
  const seq = Number(seqText);
  if (seq === 0 && nonce === beginning.nonce) return beginning;
  const row = await db.selectFrom('feed').select('nonce').where('seq', '=', seq).executeTakeFirst();
  if (row?.nonce !== nonce)
    throw new Problem('gone', 'This server does not know the checkpoint: its history is another one');
  return { seq, nonce };
}

/** The newest place of the feed. */
export async function newestPlace(db: Db): Promise<Place> {
  const row = await db
    .selectFrom('feed')
    .select(['seq', 'nonce'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? beginning;
}

/** The server's history id: another one means another database. */
export async function historyId(db: Db): Promise<string> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', 'history')
    .executeTakeFirstOrThrow();
  return row.value;
}

interface Scanned {
  seq: number;
  nonce: string;
  collection: string;
  id: string;
  key: string | null;
  userid: number | null;
  audience_before: number;
  audience_after: number;
  detail: string | null;
  /** null: a later row superseded this one. */
  body: string | null;
}

/**
 * What moved after `since`, as far as the viewer may know of it; costs what changed, not what exists.
 * Seen now: the document, at its latest move. Seen before only: a removal. Neither: nothing.
 */
export async function readFeed(
  db: Db,
  viewer: Viewer,
  since: Place,
  limit: number,
  collections: ReadonlySet<string> | null,
): Promise<Page> {
  const scanned: Scanned[] = await db
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
    ])
    .where('feed.seq', '>', since.seq)
    .orderBy('feed.seq')
    .limit(limit + 1)
    .execute();
  const page = scanned.slice(0, limit);
  const visible = await visibleAudiences(db, viewer.principals);
  const rows: FeedLine[] = [];
  for (const row of page) {
    if (row.collection === '$access') {
      if (row.userid === viewer.userid) rows.push(...(await accessRows(db, row, visible, collections)));
      continue;
    }
    if (collections !== null && !collections.has(row.collection)) continue;
    const shown = rowFor(row, viewer, visible);
    if (shown !== null) rows.push(shown);
  }
  const last = page.at(-1);
  return {
    rows: await withoutHidden(db, visible, rows),
    place: last === undefined ? since : { seq: last.seq, nonce: last.nonce },
    more: scanned.length > limit,
  };
}

function rowFor(row: Scanned, viewer: Viewer, visible: ReadonlySet<number>): FeedLine | null {
  const own = row.key !== null && row.userid === viewer.userid ? { key: row.key } : {};
  const base = { c: row.collection as SyncedCollection, id: row.id, seq: row.seq, ...own };
  if (visible.has(row.audience_after)) {
    if (row.body !== null) return { ...base, body: row.body };
    return row.key !== null && row.userid === viewer.userid ? base : null;
  }
  if (visible.has(row.audience_before)) return { ...base, removed: true };
  return 'key' in base ? base : null;
}

/**
 * What a change of role, team or allow-list brings and takes: the difference of what was and is allowed, and the guides
 * that name a guide of it as prerequisite.
 */
async function accessRows(
  db: Db,
  row: Scanned,
  visible: ReadonlySet<number>,
  collections: ReadonlySet<string> | null,
): Promise<FeedLine[]> {
  const detail = JSON.parse(row.detail ?? '{}') as { before: Principal[] };
  const before = await visibleAudiences(db, detail.before);
  const gained = [...visible].filter((audience) => !before.has(audience));
  const lost = [...before].filter((audience) => !visible.has(audience));
  const moved = [...gained, ...lost];
  if (moved.length === 0) return [];
  const documents = await db
    .selectFrom('documents')
    .selectAll()
    .where('audience', 'in', moved)
    .orderBy('seq')
    .execute();
  const shown = new Set(moved);
  const guideids = documents.flatMap(({ collection, id }) => (collection === 'guides' ? [Number(id)] : []));
  const dependents = (await dependentsOn(db, guideids)).filter(
    ({ audience }) => visible.has(audience) && !shown.has(audience),
  );
  return [...documents, ...dependents]
    .filter((document) => collections === null || collections.has(document.collection))
    .map((document) => {
      const base = { c: document.collection as SyncedCollection, id: document.id, seq: row.seq };
      return visible.has(document.audience) ? { ...base, body: document.body } : { ...base, removed: true };
    });
}

/** Rows of the feed that carry this key of the viewer, as they are now: what a call of theirs brought about. */
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

/** A record as the viewer may see it now. */
export async function currentRow(
  db: Db,
  viewer: Viewer,
  collection: SyncedCollection,
  id: string,
): Promise<FeedLine> {
  const visible = await visibleAudiences(db, viewer.principals);
  const document = await db
    .selectFrom('documents')
    .selectAll()
    .where('collection', '=', collection)
    .where('id', '=', id)
    .executeTakeFirst();
  if (document === undefined || !visible.has(document.audience)) {
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
  const [line] = await withoutHidden(db, visible, [
    { c: collection, id, seq: document.seq, body: document.body },
  ]);
  return must(line, 'the row');
}
