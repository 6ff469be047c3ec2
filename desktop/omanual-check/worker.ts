import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import { checkArchive, type CheckLine } from '#shared/formats/omanual/check.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { blobSource } from '#shared/formats/omanual/source.ts';

/** What a file is, as far as it could be opened. */
export interface Contents {
  version: string;
  guides: number;
  categories: number;
}

/** The answer of the worker: the problems found, or why the check itself failed. */
export type Checked =
  | { ok: true; lines: CheckLine[]; isMore: boolean; contents: Contents | null }
  | { ok: false; reason: string };

/** Problems that the page lists; a file can have any number of them. */
const mostListed = 500;

/** Checks the file and opens it. */
async function check(file: File): Promise<Checked> {
  const limits = { ...readLimits, findings: mostListed };
  try {
    const lines = await checkArchive(blobSource(file), file.name, limits);
    const isMore = lines.length >= mostListed;
    return { ok: true, lines: lines.slice(0, mostListed), isMore, contents: await contentsOf(file) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function contentsOf(file: File): Promise<Contents | null> {
  try {
    const { version, entries, categories } = await openArchive(blobSource(file), file.name);
    return { version, guides: entries.length, categories: categories.length };
  } catch (error) {
    if (error instanceof ArchiveRefused) return null;
    throw error;
  }
}

addEventListener('message', ({ data }: MessageEvent<File>) => {
  void check(data).then((checked) => postMessage(checked));
});
