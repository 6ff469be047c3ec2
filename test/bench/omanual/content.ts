import { readFile } from 'node:fs/promises';

import sharp from 'sharp';

import { loadOwnContent, loadRecordedContent } from '#server/demo-content/load.ts';
import { placeholderSvg } from '#server/demo-content/placeholder.ts';
import { guideFromAnswer } from '#server/features/guides/import/guide-from-answer.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { ArchiveContent, GuideMention, MediaBytes, MediaRef } from '#shared/formats/omanual/content.ts';
import { plainContext } from '#shared/formats/wikitext/context.ts';

/** The guides of the demo and their files. */
export interface DemoGuides {
  guides: GuideFacts[];
  /** Pictures by guid, documents by guid. */
  files: ReadonlyMap<string, { bytes: Uint8Array<ArrayBuffer>; mime: string }>;
}

/** Reads the guides of the demo and draws their pictures, 800 by 600, as JPEG. */
export async function demoGuides(): Promise<DemoGuides> {
  const own = loadOwnContent();
  const guides = [...loadRecordedContent().guides, ...own.guides].map(
    (answer) => guideFromAnswer(answer).facts,
  );
  const drawings = new Map(own.pictures.map(({ guid, file }) => [guid, file]));
  const files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; mime: string }>();
  const wanted = new Map(
    guides.flatMap((facts) => picturesOf(facts).map((guid) => [guid, facts.title] as const)),
  );
  const queue = [...wanted];
  const draw = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const [guid, guideTitle] = next;
      const file = drawings.get(guid);
      const svg =
        file === undefined ? Buffer.from(placeholderSvg({ guid, guideTitle })) : await readFile(file);
      const bytes = Uint8Array.from(await sharp(svg, { density: 36 }).jpeg({ quality: 82 }).toBuffer());
      files.set(guid, { bytes, mime: 'image/jpeg' });
    }
  };
  await Promise.all([draw(), draw(), draw()]);
  for (const { guid, file } of own.documents) {
    files.set(guid, { bytes: Uint8Array.from(await readFile(file)), mime: 'application/pdf' });
  }
  return { guides, files };
}

function picturesOf({ image, steps }: GuideFacts): string[] {
  const shown = steps.flatMap(({ media }) => (media.type === 'image' ? media.data : []));
  return [...(image === null ? [] : [image]), ...shown].map(({ guid }) => guid);
}

/** Copies of the same guides, with their own numbers. */
export function copiesOf({ guides, files }: DemoGuides, count: number): DemoGuides {
  const highest = Math.max(...guides.map(({ guideid }) => guideid));
  const all = Array.from({ length: count }, (_, copy) =>
    guides.map((facts) => ({
      ...facts,
      guideid: facts.guideid + copy * highest,
      prerequisites: facts.prerequisites.map((guideid) => guideid + copy * highest),
    })),
  );
  return { guides: all.flat(), files };
}

/** The guides as one archive; guides read from one, or the demo's own. */
export function contentOf({ guides, files }: DemoGuides): ArchiveContent {
  const byId = new Map(guides.map((facts) => [facts.guideid, facts]));
  const mention = (facts: GuideFacts): GuideMention => ({ ...facts, included: true });
  return {
    base: 'https://guides.example.com',
    title: 'Demo workshop',
    langid: 'en',
    modified: 1_767_230_000,
    flags: new Map(),
    categories: [],
    ancestors: [],
    wiki: plainContext,
    guides: guides.map((facts) => ({
      facts,
      author: 'Demo',
      tags: [],
      wiki: plainContext,
      prerequisites: facts.prerequisites.flatMap((id) => byId.get(id) ?? []).map(mention),
    })),
    media: async (ref) => bytesOf(files.get(guidOf(ref))),
  };
}

function guidOf(ref: MediaRef): string {
  switch (ref.kind) {
    case 'image':
      return ref.image.guid;
    case 'document':
      return ref.document.guid;
    case 'video':
      return '';
  }
}

function bytesOf(file: { bytes: Uint8Array<ArrayBuffer>; mime: string } | undefined): MediaBytes | null {
  return file === undefined
    ? null
    : { mime: file.mime, size: file.bytes.length, open: async () => [file.bytes] };
}
