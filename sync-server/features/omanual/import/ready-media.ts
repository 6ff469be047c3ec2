import { buffer } from 'node:stream/consumers';

import { Problem } from '#shared/api/problem.ts';
import type { DocumentRef } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import type { Archive, ArchivedMedia } from '#shared/formats/omanual/archive.ts';
import type { Services } from '#server/core/services.ts';
import { bodyLimits } from '#server/http/mount.ts';
import { recogniseDocumentFile, recogniseVideo } from '#server/media/file-types.ts';
import { prepareImage, type ImageFormat } from '#server/media/images.ts';
import type { IncomingFile } from '#server/media/incoming.ts';
import { clearPlace } from '#server/media/video-place.ts';
import { Room } from '#server/platform/room.ts';

import { NotFetched, type LinkedFiles } from './linked-files.ts';
import type { ImportNotes } from './notes.ts';

/** Bytes of a medium that are in the blob store, and what was found in them. */
export type ReadyMedia = { from: ArchivedMedia; sha256: string; size: number } & (
  | { kind: 'image'; format: ImageFormat; width: number; height: number }
  | { kind: 'video' | 'document'; mime: string; filename: string }
);

/** Media with documents called as their record calls them: members of archives have names of their own. */
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

/** Where the bytes of media come from. */
export interface MediaSources {
  services: Services;
  /** Who imports, as others who send pictures know them (`callerNumbered`). */
  caller: string;
  archive: Archive;
  /** Gets what is only linked; null: it stays where it is. */
  linked: LinkedFiles | null;
  /** Shared by all that is read at the same time. */
  scale: <T>(weight: number, work: () => Promise<T>) => Promise<T>;
}

/**
 * Puts the media of a record into the blob store, before the transaction that stores the record. What cannot be had, is
 * too large or not what it should be stays outside and is noted.
 */
export async function readMedia(
  sources: MediaSources,
  media: readonly ArchivedMedia[],
  notes: ImportNotes,
): Promise<ReadyMedia[]> {
  const taken = media.filter((one) => isTaken(one, sources.linked, notes));
  const tried = await Promise.allSettled(
    taken.map((one) => sources.scale(weightOf(one), () => readOne(sources, one))),
  );
  const ready: ReadyMedia[] = [];
  for (const [index, one] of tried.entries()) {
    if (one.status === 'fulfilled') ready.push(one.value);
    else noteUnreadable(one.reason, must(taken[index], 'the medium that was tried'), notes);
  }
  return ready;
}

/** Bytes that are brought to disk at the same time: waits for the disk side by side are hardly longer than one. */
const mostTogether = 32 * 1024 * 1024;
/** So many files at most, however small. */
const mostFiles = 32;
/** Nobody knows how large a linked file is. */
const linkedWeight = mostTogether / 4;

/** Lets files of an import be read side by side, as far as there is room. */
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

/** Whether an import goes to a linked file: a film stays where it is, and is played from there. */
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
  // Only a picture is held in memory as a whole.
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
  // A picture that only has no turn now is not left out: the import ends and says so.
  if (!(error instanceof Problem) || error.kind === 'unavailable') throw error;
  const [first] = error.details.errors ?? [];
  notes.add('dropped', 'media-unreadable', place, first?.message ?? error.message);
}

async function readOne(
  { services, caller, archive, linked }: MediaSources,
  from: ArchivedMedia,
): Promise<ReadyMedia> {
  if (from.kind === 'image') {
    const picture = await pictureBytes({ archive, linked }, from);
    const { bytes, format, width, height } = await prepareImage(caller, picture, 'VARIABLE', 'whole');
    return { from, kind: 'image', format, width, height, ...(await services.blobs.put(bytes)) };
  }
  const content = from.member === null ? linkedPieces(linked, from) : await archive.media(from.member);
  await using file = await services.blobs.receive(content);
  return await (from.kind === 'video' ? keepVideo(file, from) : keepDocument(file, from));
}

async function pictureBytes(
  { archive, linked }: Pick<MediaSources, 'archive' | 'linked'>,
  from: ArchivedMedia,
): Promise<Buffer> {
  if (from.member === null) return buffer(linkedPieces(linked, from));
  const { buffer: whole, byteOffset, length } = await archive.bytes(from.member, bodyLimits.file);
  return Buffer.from(whole, byteOffset, length);
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
