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
import type { ImportNotes } from '../findings.ts';

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
  archive: Archive;
  /** Fetches linked files; null if they are not fetched. */
  linked: LinkedFiles | null;
  /** Limits concurrent reads; shared by all of them. */
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
