import type { SyncedCollection } from '#shared/sync/wire.ts';
import { tolerantProtocol } from '#shared/sync/protocol.ts';
import { must } from '#shared/must.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { newestFeedRow, visibleAudiences } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import { AccessPast } from './access-past.ts';
import type { FeedLine } from './feed-line.ts';
import { bodySize, fitting } from './page-size.ts';
import { dependentsOn, withPrerequisites } from './prerequisites.ts';

/** A place in the feed. Seq 0 is its beginning. */
export interface Place {
  seq: number;
  nonce: string;
  /** Inside what a change of access brings and takes: the `seq` of the last document that was told. */
  within?: number;
}

export interface Page {
  rows: FeedLine[];
  place: Place;
  more: boolean;
}

const beginning: Place = { seq: 0, nonce: '0' };

/** A place as a device tells it. `seal`: what the server wrote beside it, if anything. */
export interface ToldPlace extends Place {
  seal: string | null;
}

/**
 * The place as devices are told it: `{seq}.{nonce}y{seal}`, `{seq}.{nonce}x{within}y{seal}` inside a change of access;
 * nonce and seal are hexadecimal. The seal shows later that it was this server that gave the place out (FEED-18).
 */
export async function placeText(services: Services, place: Place): Promise<string> {
  const key = await services.identity.key();
  const within = place.within === undefined ? '' : `x${place.within}`;
  return `${place.seq}.${place.nonce}${within}y${key.seal(sealedText(place))}`;
}

/** What the seal of a place is made of. */
export function sealedText({ seq, nonce }: Place): string {
  return `${seq}.${nonce}`;
}

/** Reads the text of a place; places that were told by an older server have no seal. */
export function parsePlace(text: string): ToldPlace {
  const [, seq = '', nonce = '', within, seal = null] =
    /^(\d+)\.([^xy]*)(?:x(\d+))?(?:y(.*))?$/.exec(text) ?? [];
  return { seq: Number(seq), nonce, ...(within === undefined ? {} : { within: Number(within) }), seal };
}

/** Whether this server's history holds the place; a restored backup, and another server, do not. */
export async function holdsPlace(db: Db, { seq, nonce }: Place): Promise<boolean> {
  if (seq === 0 && nonce === beginning.nonce) return true;
  const row = await db.selectFrom('feed').select('nonce').where('seq', '=', seq).executeTakeFirst();
  return row?.nonce === nonce;
}

/** The newest place of the feed, as results carry it for devices that ignore what they do not know (FEED-16). */
export async function placeNow(services: Services, protocol: number): Promise<{ place?: string }> {
  if (protocol < tolerantProtocol) return {};
  return { place: await placeText(services, await newestPlace(services.storage.reader)) };
}

/** The newest place of the feed. */
export async function newestPlace(db: Db): Promise<Place> {
  return (await newestFeedRow(db)) ?? beginning;
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
  uid: string | null;
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
  const from = since.within === undefined ? since.seq : since.seq - 1;
  const sizes = await db
    .selectFrom('feed')
    .leftJoin('documents', 'documents.seq', 'feed.seq')
    .select(bodySize)
    .where('feed.seq', '>', from)
    .orderBy('feed.seq')
    .limit(limit)
    .execute();
  const most = fitting(sizes);
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
      'documents.uid',
    ])
    .where('feed.seq', '>', from)
    .orderBy('feed.seq')
    .limit(most + 1)
    .execute();
  const visible = await visibleAudiences(db, viewer.principals);
  const past = await AccessPast.of(db, viewer);
  const rows: FeedLine[] = [];
  let place = since;
  for (const row of scanned.slice(0, most)) {
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
        place = { seq, nonce, within: moved.last };
        break;
      }
    }
    place = { seq, nonce };
  }
  const more = place.within !== undefined || place.seq < (scanned.at(-1)?.seq ?? 0);
  return { rows: await withPrerequisites(db, visible, rows), place, more };
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
    // The row that superseded this one tells no removal where the audience became visible only after that.
    if ((await past.couldSee(row)) && (await visibleDocument(db, row, visible)) === undefined)
      return { ...base, removed: true };
    return row.key !== null && row.userid === viewer.userid ? base : null;
  }
  if (await past.couldSee(row)) return { ...base, removed: true };
  return 'key' in base ? base : null;
}

/** The record as it is now; undefined where it is gone, or has none of these audiences. */
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
 * What a change of role, team or allow-list brings and takes: the difference of what was and is allowed, and the guides
 * that name a guide of it as prerequisite, in the order in which they were written, those after `after` first. `last`:
 * where the next page goes on, null at the end. What moved after the change is told as a removal at its own row.
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
  const told = documents.slice(0, most);
  const rows: FeedLine[] = [];
  for (const document of told) {
    const base = { c: document.collection as SyncedCollection, id: document.id, seq: row.seq };
    if (visible.has(document.audience)) rows.push({ ...base, body: document.body, uid: document.uid });
    else if (before.has(await past.audienceAt(row.seq, document))) rows.push({ ...base, removed: true });
  }
  return { rows, last: documents.length > most ? (told.at(-1)?.seq ?? after) : null };
}

/** The documents of these audiences, and the visible guides that name a guide of them as prerequisite. */
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
