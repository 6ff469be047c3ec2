import type { RawBuilder, Selectable } from 'kysely';

import { must } from '#shared/must.ts';
import { archivedUrl } from '#shared/formats/omanual/archive.ts';
import type { Context } from '#server/core/context.ts';
import { newGuid } from '#server/platform/random.ts';
import { documentPath } from '#server/features/media/files.ts';
import { chunks } from '#server/storage/chunks.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Tables } from '#server/storage/tables.ts';

import { takeVideoId, type IdChoice } from '../../guides/import/ids.ts';
import type { DoneEffect } from './import-rows.ts';
import type { ReadyMedia } from './ready-media.ts';

/** The stored media of a record: references to use, by their guid in the archive. */
export interface StoredMedia {
  images: Map<string, { id: number; guid: string; width: number; height: number }>;
  documents: Map<string, { documentid: number; guid: string; url: string; filename: string }>;
  /** By the address in the facts. */
  videos: Map<string, { videoid: number; url: string }>;
  /** New ids of pictures, by their ids in texts. */
  imageids: Map<number, number>;
  /** Thumbnails of tools and parts, by their address in the archive. */
  thumbnails: Map<string, string>;
  /** Created files, for the undo. */
  made: { kind: 'image' | 'video' | 'document'; id: number }[];
}

/** The created files as effects of the import. */
export function effectsOfMedia({ made }: StoredMedia, member: string): DoneEffect[] {
  return made.map((one) => ({ ...one, member, action: 'created' }));
}

/** Inserts rows for media. An existing file with the same guid and bytes is reused. */
export async function storeMedia(
  ctx: Context,
  media: readonly ReadyMedia[],
  userid: number,
  choice: IdChoice,
): Promise<StoredMedia> {
  const stored: StoredMedia = {
    images: new Map(),
    documents: new Map(),
    videos: new Map(),
    imageids: new Map(),
    thumbnails: new Map(),
    made: [],
  };
  const storing = { userid, choice, stored };
  const images = media.filter((one) => one.kind === 'image');
  if (images.length > 0) await storeImages(ctx, images, storing);
  for (const one of media) if (one.kind !== 'image') await storeFile(ctx, one, storing);
  return stored;
}

interface Storing {
  userid: number;
  choice: IdChoice;
  stored: StoredMedia;
}

type ReadyImage = Extract<ReadyMedia, { kind: 'image' }>;

async function storeImages(
  ctx: Context,
  images: readonly ReadyImage[],
  { userid, choice, stored }: Storing,
): Promise<void> {
  const known = await imagesNamed(
    ctx,
    images.map(({ from }) => from.guid),
  );
  const taken = choice === 'keep' ? await takenImages(ctx, images) : null;
  for (const { from, sha256, size, format, width, height } of images) {
    const here = known.get(from.guid);
    let ref = here?.sha256 === sha256 ? here : undefined;
    if (ref === undefined) {
      const guid = here === undefined ? soundGuid(ctx, from.guid) : newGuid(ctx.services.randomBytes);
      const row = { guid, userid, filename: from.filename, width, height, size, sha256, format };
      const mayKeep = taken !== null && from.id > 0 && !taken.has(from.id);
      const values = { ...row, created_date: ctx.seconds };
      const [made] = mayKeep
        ? await storeNumbered(ctx.db, { ...values, imageid: from.id })
        : await storeImage(ctx.db, values);
      ref = { guid, sha256, imageid: must(made, 'the row of the picture').imageid };
      taken?.add(ref.imageid);
      known.set(from.guid, ref);
      stored.made.push({ kind: 'image', id: ref.imageid });
    }
    stored.images.set(from.guid, { id: ref.imageid, guid: ref.guid, width, height });
    stored.imageids.set(from.id, ref.imageid);
    stored.thumbnails.set(from.url ?? archivedUrl(from.guid), `/igi/${ref.guid}.thumbnail`);
  }
}

type KnownImage = Pick<Selectable<Tables['images']>, 'imageid' | 'guid' | 'sha256'>;

async function imagesNamed({ db }: Context, guids: readonly string[]): Promise<Map<string, KnownImage>> {
  const found = new Map<string, KnownImage>();
  for (const some of chunks(guids)) {
    const rows = await db
      .selectFrom('images')
      .select(['imageid', 'guid', 'sha256'])
      .where('guid', 'in', some)
      .execute();
    for (const row of rows) found.set(row.guid, row);
  }
  return found;
}

/** Those ids of these pictures that are taken by other pictures here. */
async function takenImages({ db }: Context, images: readonly ReadyImage[]): Promise<Set<number>> {
  const taken = new Set<number>();
  for (const some of chunks(images.map(({ from }) => from.id))) {
    const rows = await db.selectFrom('images').select('imageid').where('imageid', 'in', some).execute();
    for (const { imageid } of rows) taken.add(imageid);
  }
  return taken;
}

type NewImage = Pick<
  Selectable<Tables['images']>,
  'guid' | 'userid' | 'filename' | 'width' | 'height' | 'size' | 'sha256' | 'format' | 'created_date'
>;

const storeImage = prepared<NewImage, { imageid: number }>((db, value) =>
  db.insertInto('images').values(imageValues(value)).returning('imageid'),
);

const storeNumbered = prepared<NewImage & { imageid: number }, { imageid: number }>((db, value) =>
  db
    .insertInto('images')
    .values({ ...imageValues(value), imageid: value('imageid') })
    .returning('imageid'),
);

function imageValues(value: <Name extends keyof NewImage>(name: Name) => RawBuilder<NewImage[Name]>) {
  return {
    guid: value('guid'),
    userid: value('userid'),
    filename: value('filename'),
    width: value('width'),
    height: value('height'),
    size: value('size'),
    sha256: value('sha256'),
    format: value('format'),
    markup: null,
    srcid: null,
    exif: '{}',
    drawing: null,
    created_date: value('created_date'),
  };
}

/** A guid grants access to a picture, so a guid from an archive is kept only if it has the form of ours. */
function soundGuid(ctx: Context, guid: string): string {
  return /^[A-Za-z0-9]{12,64}$/.test(guid) ? guid : newGuid(ctx.services.randomBytes);
}

async function storeFile(
  ctx: Context,
  { from, kind, sha256, size, mime, filename }: Extract<ReadyMedia, { kind: 'video' | 'document' }>,
  { userid, choice, stored }: Storing,
): Promise<void> {
  const here = kind === 'video' ? await videoNamed(ctx, from.guid) : await documentNamed(ctx, from.guid);
  if (here?.sha256 === sha256) {
    const { id, guid, filename: name } = here;
    if (kind === 'video') stored.videos.set(from.encoding ?? '', { videoid: id, url: `/igo/${guid}` });
    else {
      const url = documentPath({ guid, filename: name });
      stored.documents.set(from.guid, { documentid: id, guid, url, filename: name });
    }
    return;
  }
  const guid = here === undefined ? soundGuid(ctx, from.guid) : newGuid(ctx.services.randomBytes);
  const common = { guid, userid, filename, size, sha256, created_date: ctx.seconds };
  if (kind === 'video') {
    const videoid = await takeVideoId(ctx, undefined);
    await ctx.db
      .insertInto('video_files')
      .values({ ...common, videoid, mime })
      .execute();
    stored.videos.set(from.encoding ?? '', { videoid, url: `/igo/${guid}` });
    stored.made.push({ kind, id: videoid });
    return;
  }
  const isFree = choice === 'keep' && from.id > 0 && (await isFreeDocument(ctx, from.id));
  const { documentid } = await ctx.db
    .insertInto('document_files')
    .values({
      ...common,
      ...(isFree ? { documentid: from.id } : {}),
      title: filename.replace(/\.[^.]+$/, ''),
    })
    .returning('documentid')
    .executeTakeFirstOrThrow();
  stored.documents.set(from.guid, { documentid, guid, url: documentPath({ guid, filename }), filename });
  stored.made.push({ kind, id: documentid });
}

type KnownFile = { id: number; guid: string; sha256: string | null; filename: string };

function videoNamed({ db }: Context, guid: string): Promise<KnownFile | undefined> {
  return db
    .selectFrom('video_files')
    .select(['videoid as id', 'guid', 'sha256', 'filename'])
    .where('guid', '=', guid)
    .executeTakeFirst();
}

function documentNamed({ db }: Context, guid: string): Promise<KnownFile | undefined> {
  return db
    .selectFrom('document_files')
    .select(['documentid as id', 'guid', 'sha256', 'filename'])
    .where('guid', '=', guid)
    .executeTakeFirst();
}

async function isFreeDocument(ctx: Context, documentid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('document_files')
    .select('documentid')
    .where('documentid', '=', documentid)
    .executeTakeFirst();
  return row === undefined;
}
