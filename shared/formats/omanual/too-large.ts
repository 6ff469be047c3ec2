import { ArchiveRefused } from './archive.ts';
import type { ReadLimits } from './limits.ts';
import { readXml } from './xml-tree.ts';

/** What of an archive is too large: one guide or category, or the archive as a whole. */
export type TooLarge = 'document' | 'files' | 'archive';

/**
 * Thrown for an archive that our reader would refuse as too large; the message says what to do. What has been written is
 * useless.
 */
export class ArchiveTooLarge extends Error {
  override name = 'ArchiveTooLarge';
  readonly what: TooLarge;

  constructor(message: string, what: TooLarge) {
    super(message);
    this.what = what;
  }
}

/** The error for more than `most` members. */
export function tooManyFiles(most: number): ArchiveTooLarge {
  return new ArchiveTooLarge(
    `The archive would hold more than ${most} files; make several, such as one for each category`,
    'files',
  );
}

/** The error for more than `most` bytes of all members. */
export function tooManyBytes(most: number): ArchiveTooLarge {
  return new ArchiveTooLarge(
    `The archive would hold more than ${sizeText(most)}; make several, such as one for each category`,
    'archive',
  );
}

/** Throws ArchiveTooLarge if our reader would refuse the document or the round-trip member of a guide. */
export async function requireReadableGuide(
  title: string,
  written: Written,
  limits: ReadLimits,
): Promise<void> {
  switch (await excessOf(written, limits)) {
    case null:
      return;
    case 'run':
      throw new ArchiveTooLarge(
        `The guide “${title}” has a text of more than ${limits.run} characters; shorten it`,
        'document',
      );
    case 'nodes':
      throw new ArchiveTooLarge(
        `The guide “${title}” has more steps and lines than one document can hold; make several guides of it`,
        'document',
      );
    case 'bytes':
      throw new ArchiveTooLarge(
        `The guide “${title}” has more than ${sizeText(limits.documentBytes)} of text; make several guides of it`,
        'document',
      );
  }
}

/** The same for the index, which has the page of one category, and for the round-trip member with all categories. */
export async function requireReadableIndex(
  title: string,
  written: Written,
  limits: ReadLimits,
): Promise<void> {
  const excess = await excessOf(written, { ...limits, nodes: limits.indexNodes });
  if (excess === 'run')
    throw new ArchiveTooLarge(
      `The page of “${title}” has a text of more than ${limits.run} characters; shorten it`,
      'document',
    );
  if (excess !== null)
    throw new ArchiveTooLarge(
      'The archive would list more guides and categories than one index can hold; make several, such as one for each category',
      'archive',
    );
}

/** A document as XML, and what is stored about it in the round-trip member. */
interface Written {
  xml: Uint8Array<ArrayBuffer>;
  json: Uint8Array<ArrayBuffer>;
}

async function excessOf(
  { xml, json }: Written,
  limits: ReadLimits,
): Promise<'bytes' | 'nodes' | 'run' | null> {
  if (Math.max(xml.length, json.length) > limits.documentBytes) return 'bytes';
  // An element, an attribute, and a text between elements have more than two bytes each.
  if (xml.length <= Math.min(2 * limits.nodes, limits.run) || (await isReadable(xml, limits))) return null;
  return (await isReadable(xml, { ...limits, nodes: xml.length })) ? 'nodes' : 'run';
}

async function isReadable(xml: Uint8Array<ArrayBuffer>, limits: ReadLimits): Promise<boolean> {
  try {
    await readXml(pieces(xml), '', limits);
    return true;
  } catch (error) {
    if (error instanceof ArchiveRefused && error.code === 'too-large') return false;
    throw error;
  }
}

async function* pieces(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield bytes;
}

function sizeText(bytes: number): string {
  const megabytes = bytes / 1024 ** 2;
  if (megabytes >= 1024) return `${Math.floor(megabytes / 1024)} GB`;
  return megabytes >= 1 ? `${Math.floor(megabytes)} MB` : `${Math.floor(bytes / 1024)} KB`;
}
