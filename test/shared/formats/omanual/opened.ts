import { readFileSync } from 'node:fs';

import { ArchiveRefused, type Archive, type ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import type { ReadLimits } from '#shared/formats/omanual/limits.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';

export { guideDocument, packageWith, stepDocument } from '#desktop/build/conformance/documents.ts';

const folder = new URL('../../../fixtures/omanual/', import.meta.url);

export function fixture(path: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(new URL(path, folder)));
}

/** An archive and everything in it. */
export interface Opened {
  archive: Archive;
  guides: ArchivedGuide[];
  codes: string[];
}

/** Opens an archive and reads every guide and every file. */
export async function openAll(
  content: Uint8Array<ArrayBuffer> | string,
  name = 'test.omanual',
  limits?: ReadLimits,
): Promise<Opened> {
  const bytes = typeof content === 'string' ? Uint8Array.from(Buffer.from(content)) : content;
  const archive = await openArchive(bytesSource(bytes), name, limits);
  const guides: ArchivedGuide[] = [];
  for (const { member } of archive.entries) guides.push(await archive.guide(member));
  const media = [...archive.categories, ...guides].flatMap((one) => one.media);
  for (const { member } of media)
    if (member !== null) await new Response(await archive.media(member)).bytes();
  return { archive, guides, codes: archive.findings.map(({ code }) => code) };
}

/** The code with which an archive is refused; 'taken' if it is accepted. */
export async function refusal(
  content: Uint8Array<ArrayBuffer> | string,
  limits?: ReadLimits,
): Promise<string> {
  try {
    await openAll(content, 'test.omanual', limits);
    return 'taken';
  } catch (error) {
    if (error instanceof ArchiveRefused) return error.code;
    throw error;
  }
}
