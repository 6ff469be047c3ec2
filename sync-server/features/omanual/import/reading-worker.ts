/** Entry file of the workers that read archives. */
import { stat } from 'node:fs/promises';

import '#server/platform/native-sums.ts';
import { Problem } from '#shared/api/problem.ts';
import { ArchiveRefused, type Archive, type ArchivedMedia } from '#shared/formats/omanual/archive.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import type { PackageFiles } from '#shared/formats/omanual/package-files.ts';
import { archiveOf, openFiles } from '#shared/formats/omanual/read.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';
import type { ZipMember } from '#shared/formats/omanual/zip-directory.ts';
import { fileSource } from '#server/features/omanual/file-source.ts';
import { maxPixels, mostUploadMegabytes } from '#shared/model/upload-limits.ts';
import { BlobBatch } from '#server/media/blob-batch.ts';
import type { PreparedImage } from '#server/media/images.ts';
import { plainPicture } from '#server/media/plain-picture.ts';
import { serveWork } from '#server/platform/serve-work.ts';

import {
  longestAnswer,
  membersOf,
  type PictureFolder,
  type ReadAnswer,
  type ReadPicture,
  type ReadWork,
} from './reading.ts';

/** The archive that was read last, which is probably read next. */
interface Current {
  key: string;
  source: ByteSource & AsyncDisposable;
  files: PackageFiles;
  archive: Archive;
}

/** Largest picture, bytes. */
const mostPictureBytes = mostUploadMegabytes * 1024 ** 2;

/** Time without work after which the archive is closed, so that a removed file takes no space, ms. */
const idleMs = 10_000;

/** Folders of the blob store that are known to exist. */
const blobFolders = new Set<string>();

let current: Current | null = null;
let timer: NodeJS.Timeout | undefined;

serveWork(async (work: ReadWork) => {
  clearTimeout(timer);
  timer = setTimeout(() => void close(), idleMs).unref();
  try {
    return bounded(await answerTo(work), work);
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error;
    const { code, member, message } = error;
    return JSON.stringify({ refused: { code, member, message } } satisfies ReadAnswer);
  }
});

async function answerTo(work: ReadWork): Promise<ReadAnswer> {
  const { archive, files } = await opened(work.path, work.filename);
  if ('pictures' in work) return { pictures: await storedPictures(archive, work) };
  const before = archive.findings.length;
  if (work.guide === null) {
    const { version, producer, base, title, entries, categories, findings } = archive;
    const members = entriesOf(
      files,
      categories.flatMap(({ media }) => media),
    );
    return { opened: { version, producer, base, title, entries, categories }, findings, members };
  }
  const guide = await archive.guide(work.guide);
  return { guide, findings: archive.findings.slice(before), members: entriesOf(files, guide.media) };
}

/** Reads the pictures one after the other, and makes them durable together. */
async function storedPictures(
  archive: Archive,
  { pictures, blobs }: { pictures: readonly string[]; blobs: PictureFolder },
): Promise<ReadPicture[]> {
  await using batch = new BlobBatch(blobs.folder, blobFolders);
  const read: ReadPicture[] = [];
  for (const member of pictures) {
    const picture = await readyPicture(archive, member, batch);
    read.push('bytes' in picture ? stored(picture, batch, blobs) : picture);
  }
  await batch.keep();
  return read;
}

type ReadyPicture = Pick<PreparedImage, 'bytes' | 'format' | 'width' | 'height'>;

/** Stores a picture, or writes it to a temporary file if blobs are not files of this machine. */
function stored(
  { bytes, format, width, height }: ReadyPicture,
  batch: BlobBatch,
  { areLocal }: PictureFolder,
): ReadPicture {
  return areLocal
    ? { format, width, height, ...batch.add(bytes) }
    : { format, width, height, ready: batch.set(bytes) };
}

async function readyPicture(
  archive: Archive,
  member: string,
  batch: BlobBatch,
): Promise<ReadyPicture | ReadPicture> {
  const { buffer, byteOffset, length } = await archive.bytes(member, mostPictureBytes);
  const bytes = Buffer.from(buffer, byteOffset, length);
  const plain = plainPicture(bytes);
  if (plain !== undefined && plain.width * plain.height <= maxPixels) return { ...plain, bytes };
  try {
    const { readyImage } = await imageLibrary();
    const ready = await readyImage(bytes);
    if (ready === undefined) return { raw: batch.set(bytes), size: length };
    return ready;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { unreadable: error.details.errors?.[0]?.message ?? error.message };
  }
}

/** Loaded when it is first needed: most archives have plain pictures only. */
function imageLibrary(): Promise<typeof import('#server/media/images.ts')> {
  return import('#server/media/images.ts');
}

function entriesOf(files: PackageFiles, media: readonly ArchivedMedia[]): ZipMember[] {
  return membersOf(media).flatMap((name) => files.entry(name) ?? []);
}

function bounded(answer: ReadAnswer, work: ReadWork): string {
  const guide = 'guide' in work ? work.guide : null;
  const json = JSON.stringify(answer);
  if (json.length <= longestAnswer) return json;
  throw new ArchiveRefused(
    'too-large',
    guide ?? '',
    guide === null ? 'The archive lists more than can be imported at once.' : 'The guide has too much text.',
  );
}

async function opened(path: string, filename: string): Promise<Current> {
  const { ino, size, mtimeMs } = await stat(path);
  const key = JSON.stringify([path, filename, ino, size, mtimeMs]);
  if (current?.key === key) return current;
  await close();
  const source = await fileSource(path);
  try {
    const files = await openFiles(source, filename, readLimits);
    current = { key, source, files, archive: await archiveOf(files, filename, readLimits) };
    return current;
  } catch (error) {
    await source[Symbol.asyncDispose]();
    throw error;
  }
}

async function close(): Promise<void> {
  const last = current;
  current = null;
  await last?.source[Symbol.asyncDispose]();
}
