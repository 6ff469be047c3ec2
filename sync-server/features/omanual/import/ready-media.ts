import { readFile, rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

import { invalid, Problem } from '#shared/api/problem.ts';
import type { DocumentRef } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import type { ArchivedMedia } from '#shared/formats/omanual/archive.ts';
import type { Services } from '#server/core/services.ts';
import { bodyLimits } from '#server/http/mount.ts';
import type { StoredBlob } from '#server/media/blobs.ts';
import { recogniseDocumentFile, recogniseVideo } from '#server/media/file-types.ts';
import { prepareImage, type ImageFormat } from '#server/media/images.ts';
import type { IncomingFile } from '#server/media/incoming.ts';
import { clearPlace } from '#server/media/video-place.ts';
import { Room } from '#server/platform/room.ts';

import { NotFetched, type LinkedFiles } from './linked-files.ts';
import type { ImportNotes } from '../findings.ts';
import type { ReadableArchive, ReadPicture } from './reading.ts';

/** A medium in the blob store, with the properties of its content. */
export type ReadyMedia = { from: ArchivedMedia; sha256: string; size: number } & (
  | { kind: 'image'; format: ImageFormat; width: number; height: number }
  | { kind: 'video' | 'document'; mime: string; filename: string }
);

/** Media with the file names that records give to documents, since members of archives have other names. */
export function withNames(
  media: readonly ArchivedMedia[],
  documents: readonly DocumentRef[],
): ArchivedMedia[] {
  return media.map((one) => {
    const named = one.kind === 'document' ? documents.find(({ guid }) => guid === one.guid) : undefined;
    if (named === undefined) return one;
    const original = /^\/Document\/[^/]+\/([^/?]+)$/.exec(named.url)?.[1];
    return {
      ...one,
      filename: original === undefined ? `${named.text}.${named.extension}` : decodeURIComponent(original),
    };
  });
}

/** The sources of the bytes of media. */
export interface MediaSources {
  services: Services;
  /** The importer, for the fair queue of pictures (`callerNumbered`). */
  caller: string;
  archive: Pick<ReadableArchive, 'media' | 'pictures'>;
  /** Fetches linked files; null if they are not fetched. */
  linked: LinkedFiles | null;
  /** Limits concurrent reads of other files than pictures of the archive; shared by all of them. */
  scale: <T>(weight: number, work: () => Promise<T>) => Promise<T>;
}

/**
 * Stores the media of a record in the blob store, before the transaction that stores the record. Media that are
 * missing, too large or invalid are left out and noted.
 */
export async function readMedia(
  sources: MediaSources,
  media: readonly ArchivedMedia[],
  notes: ImportNotes,
): Promise<ReadyMedia[]> {
  const taken = media.filter((one) => isTaken(one, sources.linked, notes));
  const inside = taken.filter(isPictureInside);
  const others = taken.filter((one) => !isPictureInside(one));
  const [pictures, tried] = await Promise.all([
    readPictures(sources, inside),
    Promise.allSettled(others.map((one) => sources.scale(weightOf(one), () => readOne(sources, one)))),
  ]);
  const read = new Map<ArchivedMedia, PromiseSettledResult<ReadyMedia>>(pictures);
  for (const [index, one] of tried.entries()) read.set(must(others[index], 'the medium that was tried'), one);
  const ready: ReadyMedia[] = [];
  for (const one of taken) {
    const result = must(read.get(one), 'the medium that was tried');
    if (result.status === 'fulfilled') ready.push(result.value);
    else noteUnreadable(result.reason, one, notes);
  }
  return ready;
}

type PictureInside = ArchivedMedia & { member: string };

function isPictureInside(one: ArchivedMedia): one is PictureInside {
  return one.kind === 'image' && one.member !== null;
}

/** Pictures that are stored together, so that they wait for the disk once: most files, and about this many bytes. */
const pictureBatch = { files: 64, bytes: 32 * 1024 * 1024 };

/** Stores pictures of the archive, some at a time (OMANUAL-IMPORT-17). */
async function readPictures(
  sources: MediaSources,
  pictures: readonly PictureInside[],
): Promise<[ArchivedMedia, PromiseSettledResult<ReadyMedia>][]> {
  const read: [ArchivedMedia, PromiseSettledResult<ReadyMedia>][] = [];
  for (let at = 0; at < pictures.length;) {
    const batch: PictureInside[] = [];
    for (let bytes = 0; at < pictures.length && batch.length < pictureBatch.files; at += 1) {
      const next = must(pictures[at], 'a picture');
      bytes += next.size;
      if (batch.length > 0 && bytes > pictureBatch.bytes) break;
      batch.push(next);
    }
    const stored = await sources.archive.pictures(batch.map(({ member }) => member));
    const settled = await Promise.allSettled(
      batch.map((from, index) => keepPicture(sources, from, must(stored[index], 'the picture'))),
    );
    for (const [index, one] of settled.entries()) read.push([must(batch[index], 'the picture'), one]);
  }
  return read;
}

async function keepPicture(
  { services, caller, scale }: MediaSources,
  from: ArchivedMedia,
  picture: ReadPicture,
): Promise<ReadyMedia> {
  if ('unreadable' in picture) throw invalid('body', picture.unreadable);
  if ('sha256' in picture) return { from, kind: 'image', ...picture };
  if ('ready' in picture) {
    const { ready, format, width, height } = picture;
    try {
      const bytes = await readFile(ready);
      const put = (): Promise<StoredBlob> => services.blobs.put(bytes);
      return { from, kind: 'image', format, width, height, ...(await scale(bytes.length, put)) };
    } finally {
      await rm(ready, { force: true });
    }
  }
  try {
    // One at a time: decoded, a picture of a megabyte can need 200 MB.
    return await scale(mostTogether, async () =>
      storePicture(services, caller, from, await readFile(picture.raw)),
    );
  } finally {
    await rm(picture.raw, { force: true });
  }
}

async function storePicture(
  { blobs }: Services,
  caller: string,
  from: ArchivedMedia,
  picture: Buffer,
): Promise<ReadyMedia> {
  const { bytes, format, width, height } = await prepareImage(caller, picture, 'VARIABLE', 'whole');
  return { from, kind: 'image', format, width, height, ...(await blobs.put(bytes)) };
}

/** Bytes that are written to disk concurrently, because concurrent syncs take hardly longer than one. */
const mostTogether = 32 * 1024 * 1024;
/** Most files that are written concurrently. */
const mostFiles = 32;
/** Assumed size of a linked file, which is unknown. */
const linkedWeight = mostTogether / 4;

/** Limits concurrent reads of an import's files by their total size. */
export function mediaScale(): MediaSources['scale'] {
  const room = new Room(mostTogether);
  return async (weight, work) => {
    using _room = await room.take('import', weight);
    return await work();
  };
}

function weightOf({ member, size }: ArchivedMedia): number {
  return member === null ? linkedWeight : Math.max(size, mostTogether / mostFiles);
}

/** Whether an import fetches a linked file. Linked videos are not fetched; they are played from their address. */
export function isFetched({ member, url, kind }: ArchivedMedia): boolean {
  return member === null && url !== null && kind !== 'video';
}

function isTaken(one: ArchivedMedia, linked: LinkedFiles | null, notes: ImportNotes): boolean {
  const { member, url, size, kind } = one;
  if (member === null) {
    if (linked !== null || !isFetched(one)) return linked !== null && isFetched(one);
    notes.add('dropped', 'media-linked', url ?? '', 'A file is only linked, so that it does not come along');
    return false;
  }
  // Only pictures are held in memory completely.
  if (kind !== 'image' || size <= bodyLimits.file) return true;
  notes.add('dropped', 'media-too-large', member, 'A picture is too large for this site');
  return false;
}

function noteUnreadable(error: unknown, { member, url }: ArchivedMedia, notes: ImportNotes): void {
  const place = member ?? url ?? '';
  if (error instanceof NotFetched) {
    notes.add('unresolved', 'media-not-fetched', place, `A linked file could not be had: ${error.message}`);
    return;
  }
  // If the server is busy, the picture is not left out; the import fails with that reason.
  if (!(error instanceof Problem) || error.kind === 'unavailable') throw error;
  const [first] = error.details.errors ?? [];
  notes.add('dropped', 'media-unreadable', place, first?.message ?? error.message);
}

async function readOne(
  { services, caller, archive, linked }: MediaSources,
  from: ArchivedMedia,
): Promise<ReadyMedia> {
  if (from.kind === 'image')
    return storePicture(services, caller, from, await buffer(linkedPieces(linked, from)));
  const content = from.member === null ? linkedPieces(linked, from) : await archive.media(from.member);
  await using file = await services.blobs.receive(content);
  return await (from.kind === 'video' ? keepVideo(file, from) : keepDocument(file, from));
}

function linkedPieces(linked: LinkedFiles | null, { url }: ArchivedMedia): AsyncIterable<Uint8Array> {
  return must(linked, 'what fetches').pieces(must(url, 'its address'));
}

async function keepVideo(file: IncomingFile, from: ArchivedMedia): Promise<ReadyMedia> {
  const { mime, filename } = recogniseVideo(await file.read(0, 64), from.filename);
  await clearPlace(file);
  return { from, kind: 'video', mime, filename, ...(await file.keep()) };
}

async function keepDocument(file: IncomingFile, from: ArchivedMedia): Promise<ReadyMedia> {
  const { mime, filename } = await recogniseDocumentFile(file, from.filename);
  return { from, kind: 'document', mime, filename, ...(await file.keep()) };
}
