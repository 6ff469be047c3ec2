import { can } from '#server/features/can.ts';
import { isSentBy } from '#server/core/stations.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { chunks } from '#server/storage/chunks.ts';
import { visibleAudiences, type Changes } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tx } from '#server/storage/tables.ts';

/** Collections whose records contain wiki text. */
const withTexts = new Set(['guides', 'wikis', 'comments', 'people']);

/** Ids of the pictures that wiki text, or JSON with wiki text, refers to as `[image|id]`. */
export function picturesNamedIn(text: string): number[] {
  // Few texts refer to pictures, and this check is much faster than the pattern.
  if (!text.includes('[image|')) return [];
  return [...new Set([...text.matchAll(/\[image\|(\d{1,15})/g)].map((match) => Number(match[1])))];
}

/**
 * The guids of those pictures that wiki text may show to the viewer, by id. An id can be guessed and the guid opens the
 * picture (`/igi/{guid}`), so a text shows only pictures that its writer could show: their own, those in their media
 * manager, those that the record shows in any case, and those that another text shows to them already.
 * `rememberTextPictures` stores these when the text is written.
 */
export async function picturesFor(db: Db, viewer: Viewer, imageids: number[]): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  if (imageids.length === 0) return found;
  const visible = [...(await visibleAudiences(db, viewer.principals))];
  for (const some of chunks(imageids)) {
    const images = await db
      .selectFrom('images')
      .select(['imageid', 'guid', 'userid'])
      .where('imageid', 'in', some)
      .execute();
    const shown = await shownIn(db, visible, some);
    const managed = await inManager(db, viewer, some);
    for (const { imageid, guid, userid } of images) {
      const isOwn = await mayUseOwn(db, viewer, imageid);
      const isShown = (isOwn && managed.has(imageid)) || shown.has(imageid);
      if (can(viewer, 'file.read', { userid: isOwn ? userid : 0, isShown })) found.set(imageid, guid);
    }
  }
  return found;
}

/** Whether the picture counts as the caller's own if it is: for a station, only what it sent (STATION-11). */
async function mayUseOwn(db: Db, { station }: Viewer, imageid: number): Promise<boolean> {
  return station?.for === undefined || isSentBy(db, station, 'image', imageid);
}

async function shownIn(db: Db, audiences: number[], imageids: number[]): Promise<Set<number>> {
  if (audiences.length === 0) return new Set();
  const rows = await db
    .selectFrom('text_pictures')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.collection', '=', 'text_pictures.collection')
        .onRef('documents.id', '=', 'text_pictures.id'),
    )
    .select('imageid')
    .distinct()
    .where('imageid', 'in', imageids)
    .where('audience', 'in', audiences)
    .execute();
  return new Set(rows.map((row) => row.imageid));
}

async function inManager(db: Db, viewer: Viewer, imageids: number[]): Promise<Set<number>> {
  if (viewer.userid === 0) return new Set();
  const rows = await db
    .selectFrom('media_manager')
    .select('id')
    .where('userid', '=', viewer.userid)
    .where('kind', '=', 'image')
    .where('id', 'in', imageids)
    .execute();
  return new Set(rows.map((row) => row.id));
}

/**
 * Stores which pictures the texts of the changed records show to everyone who may see the record. To be called before
 * the changes are flushed. `writer` is null for the site itself (import, seed), which may show every picture. Pictures
 * that the record referred to before are not checked again, so publishing another person's text again shows no
 * additional pictures.
 */
export async function rememberTextPictures(tx: Tx, writer: Viewer | null, changes: Changes): Promise<void> {
  for (const { collection, id, body } of changes.records) {
    if (!withTexts.has(collection)) continue;
    const named = body === undefined ? [] : picturesNamedIn(body);
    const rows = await picturesOf(tx, { collection, id });
    const known = new Set(rows.map((row) => row.imageid));
    const kept = new Set(named);
    const before =
      named.length === 0
        ? new Set<number>()
        : new Set(picturesNamedIn((await changes.stored.findBody(tx, collection, id)) ?? ''));
    const gone = [...known].filter((imageid) => !kept.has(imageid));
    const fresh = await allowedIn(
      tx,
      writer,
      named.filter((imageid) => !known.has(imageid) && !before.has(imageid)),
      body ?? '',
    );
    for (const imageid of gone)
      await tx
        .deleteFrom('text_pictures')
        .where('collection', '=', collection)
        .where('id', '=', id)
        .where('imageid', '=', imageid)
        .execute();
    for (const imageid of fresh)
      await tx.insertInto('text_pictures').values({ collection, id, imageid }).execute();
  }
}

const picturesOf = prepared<{ collection: string; id: string }, { imageid: number }>((db, value) =>
  db
    .selectFrom('text_pictures')
    .select('imageid')
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id')),
);

async function allowedIn(
  tx: Tx,
  writer: Viewer | null,
  imageids: number[],
  body: string,
): Promise<Set<number>> {
  const allowed = new Set(writer === null ? [] : (await picturesFor(tx, writer, imageids)).keys());
  for (const some of chunks(imageids)) {
    const images = await tx
      .selectFrom('images')
      .select(['imageid', 'guid'])
      .where('imageid', 'in', some)
      .execute();
    for (const { imageid, guid } of images)
      if (writer === null || body.includes(`"${guid}"`)) allowed.add(imageid);
  }
  return allowed;
}
