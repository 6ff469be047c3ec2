/** Entry file of the workers that read archives. */
import { stat } from 'node:fs/promises';

import '#server/platform/native-sums.ts';
import { ArchiveRefused, type Archive, type ArchivedMedia } from '#shared/formats/omanual/archive.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import type { PackageFiles } from '#shared/formats/omanual/package-files.ts';
import { archiveOf, openFiles } from '#shared/formats/omanual/read.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';
import type { ZipMember } from '#shared/formats/omanual/zip-directory.ts';
import { fileSource } from '#server/features/omanual/archive-files.ts';
import { serveWork } from '#server/platform/serve-work.ts';

import { longestAnswer, membersOf, type ReadAnswer, type ReadWork } from './reading.ts';

/** The archive that was read last, which is probably read next. */
interface Current {
  key: string;
  source: ByteSource & AsyncDisposable;
  files: PackageFiles;
  archive: Archive;
}

/** Time without work after which the archive is closed, so that a removed file takes no space, ms. */
const idleMs = 10_000;

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

async function answerTo({ path, filename, guide: wanted }: ReadWork): Promise<ReadAnswer> {
  const { archive, files } = await opened(path, filename);
  const before = archive.findings.length;
  if (wanted === null) {
    const { version, producer, base, title, entries, categories, findings } = archive;
    const members = entriesOf(
      files,
      categories.flatMap(({ media }) => media),
    );
    return { opened: { version, producer, base, title, entries, categories }, findings, members };
  }
  const guide = await archive.guide(wanted);
  return { guide, findings: archive.findings.slice(before), members: entriesOf(files, guide.media) };
}

function entriesOf(files: PackageFiles, media: readonly ArchivedMedia[]): ZipMember[] {
  return membersOf(media).flatMap((name) => files.entry(name) ?? []);
}

function bounded(answer: ReadAnswer, { guide }: ReadWork): string {
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
