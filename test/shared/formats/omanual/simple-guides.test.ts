import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

import {
  archiveSchemas,
  blocksHtml,
  bytesSource,
  checkArchive,
  lineHtml,
  linePlainText,
  openArchive,
  writeGuides,
  type SimpleGuide,
} from '#shared/formats/omanual/index.ts';

import { pictureBytes } from './archives.ts';

const picture = (name: string): Blob => new Blob([pictureBytes(name)]);
const guide: SimpleGuide = {
  title: 'Change the belt',
  category: 'Bench Grinder',
  introduction: '== Before ==\nUnplug it.',
  author: 'Ana',
  picture: picture('cover'),
  tools: [{ name: 'Spudger', quantity: 2, url: 'https://shop.example/spudger' }],
  created: new Date('2026-01-02T03:04:05Z'),
  steps: [
    { title: 'Open', lines: ["Undo '''three''' screws", { text: 'Keep them', bullet: 'red', level: 1 }] },
    { lines: ['Lift it off'], pictures: [picture('one'), picture('two')] },
  ],
};

async function written(guides: SimpleGuide[]): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  const sink = { write: async (bytes: Uint8Array) => void chunks.push(bytes.slice()) };
  await writeGuides(guides, sink, { base: 'https://guides.example.com', title: 'Guides' });
  return Uint8Array.from(Buffer.concat(chunks));
}

test('OMANUAL-WRITE-14 guides made of plain values become a valid archive, and are read back', async () => {
  const bytes = await written([guide, { title: 'Two', category: 'Lamp', steps: [{ lines: ['x'] }] }]);
  expect(await checkArchive(bytesSource(bytes), 'made.omanual')).toEqual([]);
  expect(await written([guide, { title: 'Two', category: 'Lamp', steps: [{ lines: ['x'] }] }])).toEqual(
    bytes,
  );
  const archive = await openArchive(bytesSource(bytes), 'made.omanual');
  expect(archive.entries.map(({ title }) => title)).toEqual(['Change the belt', 'Two']);
  const { facts, media, author } = await archive.guide(archive.entries[0]?.member ?? '');
  expect([author, media.length, facts.tools[0]?.text]).toEqual(['Ana', 3, 'Spudger']);
  expect(
    facts.steps.map(({ lines }) => lines.map(({ text_raw, bullet }) => `${bullet} ${text_raw}`)),
  ).toEqual([["black Undo '''three''' screws", 'red Keep them'], ['black Lift it off']]);
  await expect(written([{ ...guide, picture: new Blob(['words']) }])).rejects.toThrow(TypeError);
});

test('OMANUAL-WRITE-14 each step has an id of its own, however many steps a guide has', async () => {
  const steps = (count: number) => Array.from({ length: count }, () => ({ lines: ['x', 'y'] }));
  const bytes = await written([
    { ...guide, steps: steps(1500) },
    { ...guide, steps: steps(600) },
  ]);
  const archive = await openArchive(bytesSource(bytes), 'made.omanual');
  const ids: number[] = [];
  const lineIds: string[] = [];
  for (const { member } of archive.entries) {
    const { facts } = await archive.guide(member);
    ids.push(...facts.steps.map(({ stepid }) => stepid));
    lineIds.push(...facts.steps.flatMap(({ lines }) => lines.map(({ id }) => id)));
  }
  expect([ids.length, new Set(ids).size, new Set(lineIds).size]).toEqual([2100, 2100, 4200]);
});

test('OMANUAL-WRITE-14 texts of guides are available as HTML and as plain text', () => {
  expect(lineHtml("Undo '''three''' screws <b>")).toBe('Undo <strong>three</strong> screws &lt;b&gt;');
  expect(linePlainText("Undo '''three''' screws")).toBe('Undo three screws');
  expect(blocksHtml('== Before ==\nUnplug it.')).toMatch(/<h2[^>]*>.*Before.*<\/h2>\s*<p>Unplug it\.<\/p>/s);
});

test('OMANUAL-WRITE-14 JSON Schemas describe the records that are read', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const archive = await openArchive(bytesSource(await written([guide])), 'made.omanual');
  const { facts } = await archive.guide(archive.entries[0]?.member ?? '');
  const isGuide = ajv.compile(archiveSchemas().guide);
  expect([isGuide(facts), isGuide.errors]).toEqual([true, null]);
  expect(isGuide({ ...facts, title: 7 })).toBe(false);
  expect(ajv.compile(archiveSchemas().category)({})).toBe(false);
});
