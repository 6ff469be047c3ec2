import { strFromU8, unzipSync } from 'fflate';

import type {
  ArchiveContent,
  GuideMention,
  GuideToWrite,
  MediaBytes,
  WriteOptions,
  WriteReport,
} from '#shared/formats/omanual/content.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import {
  roundTripGuide,
  roundTripGuideMember,
  type RoundTripGuide,
} from '#shared/formats/omanual/round-trip.ts';
import { pictureBytes } from '#desktop/build/conformance/documents.ts';
import { must } from '#shared/must.ts';
import { writeArchive } from '#shared/formats/omanual/write.ts';
import { plainContext, type WikiContext } from '#shared/formats/wikitext/context.ts';

export { pictureBytes } from '#desktop/build/conformance/documents.ts';

export const base = 'https://guides.example.com';

/** A context with guides 1 to 9, pictures 1 to 9 and one template. */
export const wiki: WikiContext = {
  ...plainContext,
  siteUrl: base,
  siteHosts: ['guides.example.com'],
  guideTitle: (id) => (id < 10 ? { title: `Guide ${id}`, url: `/Guide/Guide+${id}/${id}` } : null),
  image: (id) =>
    id < 10 ? { id, guid: `InText${id}`, url: (size) => `${base}/igi/InText${id}.${size}` } : null,
  product: (code) => (code === 'AB-1' ? { title: 'Belt', url: '/products/AB-1' } : null),
  template: (name) => (name === 'Note' ? "'''Note:''' {{{a|none}}} [image|3]" : null),
  guidelist: () => [{ guideid: 1, title: 'Guide 1', url: '/Guide/Guide+1/1' }],
};

export const flags = new Map([['GUIDE_IN_PROGRESS', { title: 'In Progress', text: 'Not finished.' }]]);

export function mentionOf(facts: GuideFacts, included: boolean): GuideMention {
  const { guideid, title, subject, type, langid, image } = facts;
  return { guideid, title, subject, type, langid, image, included };
}

/** Guides in the form that an archive takes; prerequisites that are not among them are invisible. */
export function guidesToWrite(all: readonly GuideFacts[], tags: readonly string[] = []): GuideToWrite[] {
  const byId = new Map(all.map((facts) => [facts.guideid, facts]));
  return all.map((facts) => ({
    facts,
    author: 'Ana Ruiz',
    tags,
    wiki,
    prerequisites: facts.prerequisites.flatMap((guideid) => {
      const found = byId.get(guideid);
      return found === undefined ? [] : [mentionOf(found, true)];
    }),
  }));
}

/** The usual content of an archive; `extra` replaces parts of it. */
export function contentOf(
  guides: readonly GuideToWrite[],
  extra: Partial<ArchiveContent> = {},
): ArchiveContent {
  return {
    base,
    title: 'Example Workshop',
    langid: 'en',
    modified: 1_767_230_000,
    flags,
    categories: [],
    ancestors: [],
    wiki,
    guides,
    media: async (ref) =>
      mediaBytes(pictureBytes(ref.kind === 'image' ? ref.image.guid : 'file'), 'image/png'),
    ...extra,
  };
}

export function mediaBytes(bytes: Uint8Array<ArrayBuffer>, mime: string): MediaBytes {
  return { mime, size: bytes.length, open: async () => [bytes] };
}

/** Writes an archive into memory. */
export async function archiveBytes(
  content: ArchiveContent,
  options: WriteOptions = { media: 'inside' },
): Promise<{ bytes: Uint8Array<ArrayBuffer>; report: WriteReport }> {
  const chunks: Uint8Array[] = [];
  const report = await writeArchive(
    content,
    { write: async (chunk) => void chunks.push(chunk.slice()) },
    options,
  );
  return { bytes: Uint8Array.from(Buffer.concat(chunks)), report };
}

/** The members of an archive, read by another program. */
export function membersOf(bytes: Uint8Array): Map<string, Uint8Array> {
  return new Map(Object.entries(unzipSync(bytes)));
}

/** The XML members, as text. */
export function documentsOf(bytes: Uint8Array): { name: string; xml: string }[] {
  return [...membersOf(bytes)]
    .filter(([name]) => name.endsWith('.xml'))
    .map(([name, content]) => ({ name, xml: strFromU8(content) }));
}

/** A member as text. */
export function textOf(bytes: Uint8Array, member: string): string {
  return strFromU8(must(membersOf(bytes).get(member), `a member ${member}`));
}

/** The content of our own member about a guide. */
export function roundTripOf(bytes: Uint8Array, guideid: number): RoundTripGuide {
  return roundTripGuide.parse(JSON.parse(textOf(bytes, roundTripGuideMember(guideid))));
}
