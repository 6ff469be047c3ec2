import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { strFromU8 } from 'fflate';
import { expect, test, vi } from 'vitest';

import type { VideoFacts } from '#shared/model/guide.ts';
import { categoryXml } from '#shared/formats/omanual/category-document.ts';
import { convertArchive } from '#shared/formats/omanual/convert.ts';
import { guideXml } from '#shared/formats/omanual/guide-document.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { roundTripFolder, roundTripMember, roundTripPackage } from '#shared/formats/omanual/round-trip.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { plainContext } from '#shared/formats/wikitext/context.ts';

import { anyCategories, anyGuides } from './arbitrary-guides.ts';
import {
  archiveBytes,
  base,
  contentOf,
  documentsOf,
  flags,
  guidesToWrite,
  membersOf,
  mentionOf,
  pictureBytes,
  roundTripOf,
  textOf,
} from './archives.ts';
import { packageWith } from './opened.ts';
import { plainCategory, plainGuide, plainLine, plainStep } from './plain-guides.ts';
import { schemaErrors } from './schemas.ts';

const site = { base, flags };

test('OMANUAL-WRITE-1 for any guide, its archive and its single document are valid by the schemas', async () => {
  const documents: { name: string; xml: string }[] = [];
  const archives = fc.sample(fc.tuple(anyGuides, anyCategories), { numRuns: 120, seed: 7 });
  for (const [index, [guides, categories]] of archives.entries()) {
    const toWrite = guidesToWrite(guides);
    const options = { media: index % 2 === 0 ? 'inside' : 'links' } as const;
    const { bytes } = await archiveBytes(contentOf(toWrite, { categories, ancestors: ['Up & up'] }), options);
    documents.push(...documentsOf(bytes).map(({ name, xml }) => ({ name: `${index}-${name}`, xml })));
    for (const guide of toWrite) documents.push({ name: `${index}.xml`, xml: guideXml(guide, site).xml });
    for (const facts of categories) {
      const mentions = guides.map((guide) => mentionOf(guide, false));
      const category = { facts, ancestors: ['Up'], children: ['Down'], wiki: plainContext };
      documents.push({ name: `${index}.xml`, xml: categoryXml(category, mentions, site).xml });
    }
  }
  expect(documents.length).toBeGreaterThan(500);
  expect(await schemaErrors(documents)).toEqual([]);
});

test('OMANUAL-WRITE-2 the same content gives the same bytes, and different content different ones', async () => {
  await fc.assert(
    fc.asyncProperty(anyGuides, anyCategories, async (guides, categories) => {
      const write = async (title: string) =>
        (await archiveBytes(contentOf(guidesToWrite(guides), { categories, title }))).bytes;
      expect(await write('One')).toEqual(await write('One'));
      expect(await write('One')).not.toEqual(await write('Two'));
    }),
    { numRuns: 20 },
  );
});

test('OMANUAL-WRITE-2 the order of fields in facts does not matter', async () => {
  const facts = plainGuide(1, {});
  const turned = Object.fromEntries(Object.entries(facts).toReversed()) as typeof facts;
  const [one, other] = await Promise.all(
    [facts, turned].map((guide) => archiveBytes(contentOf(guidesToWrite([guide])))),
  );
  expect(other?.bytes).toEqual(one?.bytes);
});

test('OMANUAL-WRITE-4 every path in a document names a file of the archive, relative to the document', async () => {
  await fc.assert(
    fc.asyncProperty(anyGuides, anyCategories, async (guides, categories) => {
      const { bytes } = await archiveBytes(contentOf(guidesToWrite(guides), { categories }));
      const names = new Set(membersOf(bytes).keys());
      for (const { name, xml } of documentsOf(bytes)) {
        for (const path of pathsIn(xml)) {
          const member = decodeURIComponent(new URL(path, `http://x/${encodeURI(name)}`).pathname).slice(1);
          expect(names, `${path} in ${name}`).toContain(member);
        }
      }
      expect(new Set([...names].map((name) => name.toLowerCase())).size).toBe(names.size);
    }),
    { numRuns: 40 },
  );
});

/** Paths of files in a document: texts of `image`, `path`, `encoding`, `poster` and addresses of documents. */
function pathsIn(xml: string): string[] {
  const texts = [...xml.matchAll(/<(?:image|path|encoding|poster)(?: [^>]*)?>([^<]+)</g)].map(
    ([, text]) => text,
  );
  const documents = [...xml.matchAll(/<document url="([^"]*)"/g)].map(([, url]) => url);
  return [...texts, ...documents].map((path) => path ?? '').filter((path) => !/^https?:/.test(path));
}

test('OMANUAL-WRITE-4 pictures of a prerequisite are in its own folder if that comes first', async () => {
  const image = { id: 1, guid: 'cover', width: 8, height: 6 };
  const [first, second] = [plainGuide(1, { image }), plainGuide(2, { image: null, prerequisites: [1] })];
  const { bytes } = await archiveBytes(contentOf(guidesToWrite([first, second])));
  expect(textOf(bytes, 'Guide-2-2/guide.xml')).toContain(
    '<path>../Guide-1-1/guide.xml</path>\n<image>../Guide-1-1/media/cover.png</image>',
  );
  const turned = await archiveBytes(contentOf(guidesToWrite([second, first])));
  expect(textOf(turned.bytes, 'Guide-2-2/guide.xml')).toContain('<image>media/cover.png</image>');
});

test('OMANUAL-WRITE-5 more than eight lines, 64 lines or three pictures are spread over steps, in order, and reported', async () => {
  const lines = Array.from({ length: 70 }, (_, index) => plainLine(`Line ${index}.`));
  const data = Array.from({ length: 4 }, (_, index) => ({
    id: index,
    guid: `p${index}`,
    width: 8,
    height: 6,
  }));
  const steps = [
    plainStep({ title: 'Long', lines }),
    plainStep({ media: { type: 'image', data } }),
    plainStep({}),
  ];
  const { bytes, report } = await archiveBytes(
    contentOf(guidesToWrite([plainGuide(1, { image: null, steps })])),
  );
  const xml = textOf(bytes, 'Guide-1-1/guide.xml');
  expect(
    [...xml.matchAll(/<step number="(\d+)"(?: title="(\w+)")?>/g)].map(([, number, title]) => [
      number,
      title,
    ]),
  ).toEqual([
    ['1', 'Long'],
    ['2', undefined],
    ['3', undefined],
    ['4', undefined],
    ['5', undefined],
  ]);
  const blocks = [...xml.matchAll(/<lines>(.*?)<\/lines>/gs)].map(
    ([, block]) => block?.match(/<line /g)?.length,
  );
  expect(blocks).toEqual([8, 8, 8, 8, 8, 8, 8, 8, 6]);
  expect([...xml.matchAll(/Line (\d+)\./g)].map(([, number]) => Number(number))).toEqual(
    lines.map((_, index) => index),
  );
  expect(
    [...xml.matchAll(/orderby="(\d)">media\/(\w+)/g)].map(([, order, name]) => `${order}${name}`),
  ).toEqual(['1p0', '2p1', '3p2', '1p3']);
  expect(report.findings.map(({ code, place }) => `${code} ${place}`)).toEqual([
    'picture-of-step guide/image',
    'step-split guide/steps/step[1]',
    'lines-split guide/steps/step[1]',
    'step-split guide/steps/step[3]',
  ]);
});

test('OMANUAL-WRITE-6 markers are drawn into a copy that the document shows; the original picture stays in the archive', async () => {
  const image = { id: 1, guid: 'cover', width: 8, height: 6, markup: ';circle,4x3,2,red;' };
  const content = contentOf(guidesToWrite([plainGuide(1, { image })]));
  const marked = async () => Uint8Array.from([1, 2, 3]);
  const { bytes } = await archiveBytes(content, { media: 'inside', marked });
  expect(textOf(bytes, 'Guide-1-1/guide.xml')).toContain('<image>media/cover-marked.png</image>');
  expect(membersOf(bytes).get('Guide-1-1/media/cover-marked.png')).toEqual(Uint8Array.from([1, 2, 3]));
  expect(membersOf(bytes).get('Guide-1-1/media/cover.png')).toEqual(pictureBytes('cover'));
  expect(roundTripOf(bytes, 1).media).toMatchObject([
    { id: 1, guid: 'cover', member: 'Guide-1-1/media/cover.png', marked: 'Guide-1-1/media/cover-marked.png' },
  ]);
});

test.each([
  ['no drawing function is given', undefined],
  ['the drawing fails', () => Promise.reject(new Error('no'))],
])('OMANUAL-WRITE-6 where %s, the picture is shown unchanged, with a finding', async (_, marked) => {
  const image = { id: 1, guid: 'cover', width: 8, height: 6, markup: ';circle,4x3,2,red;' };
  const content = contentOf(guidesToWrite([plainGuide(1, { image })]));
  const { bytes, report } = await archiveBytes(content, { media: 'inside', ...(marked && { marked }) });
  expect(textOf(bytes, 'Guide-1-1/guide.xml')).toContain('<image>media/cover.png</image>');
  expect(report.findings.map(({ code }) => code)).toEqual(['markers-not-drawn']);
  expect(roundTripOf(bytes, 1).facts.image?.markup).toBe(image.markup);
});

test('OMANUAL-WRITE-8 the extra member reveals nothing about other people and nothing that the reader may not see', async () => {
  await fc.assert(
    fc.asyncProperty(anyGuides, anyCategories, async (guides, categories) => {
      const { bytes } = await archiveBytes(contentOf(guidesToWrite(guides), { categories }));
      const kept = [...membersOf(bytes)].filter(([name]) => name.startsWith(roundTripFolder));
      expect(kept.length).toBe(guides.length + 1);
      for (const [, content] of kept) {
        const text = strFromU8(content);
        expect(text).not.toMatch(/471100\d|device-key|step-key|wiki-key/);
        expect(text).not.toContain('allowed_');
      }
      const there = new Set(guides.map(({ guideid }) => guideid));
      for (const { guideid, prerequisites } of guides) {
        expect(roundTripOf(bytes, guideid).facts.prerequisites).toEqual(
          prerequisites.filter((id) => there.has(id)),
        );
      }
    }),
    { numRuns: 40 },
  );
});

test('OMANUAL-WRITE-8 the hashes are those of the documents, and the index names every guide', async () => {
  const guides = [plainGuide(1, {}), plainGuide(2, {})];
  const { bytes } = await archiveBytes(contentOf(guidesToWrite(guides, ['belt'])));
  const about = roundTripPackage.parse(JSON.parse(textOf(bytes, roundTripMember)));
  expect(about.guides.map(({ member }) => member)).toEqual(['Guide-1-1/guide.xml', 'Guide-2-2/guide.xml']);
  for (const { member, sha256, tags } of [roundTripOf(bytes, 1), roundTripOf(bytes, 2)]) {
    expect(createHash('sha256').update(textOf(bytes, member)).digest('hex')).toBe(sha256);
    expect(tags).toEqual(['belt']);
  }
  expect(createHash('sha256').update(textOf(bytes, 'category.xml')).digest('hex')).toBe(about.index.sha256);
});

test('OMANUAL-WRITE-9 a tree of categories has its root as index; the others are stored in the extra member, with a finding', async () => {
  const root = plainCategory('Workshop', null);
  const categories = [root, plainCategory('Grinder', 'Workshop'), plainCategory('Saw', 'Grinder')];
  const content = contentOf(guidesToWrite([plainGuide(1, {})]), { categories, ancestors: ['Building'] });
  const { bytes, report } = await archiveBytes(content);
  expect(documentsOf(bytes).map(({ name }) => name)).toEqual(['Guide-1-1/guide.xml', 'category.xml']);
  const xml = textOf(bytes, 'category.xml');
  expect(xml).toContain('<category_info>Workshop</category_info>');
  expect(xml).toContain('<ancestors>\n<ancestor>Building</ancestor>\n</ancestors>');
  expect(xml).toContain('<children>\n<child>Grinder</child>\n</children>');
  const about = roundTripPackage.parse(JSON.parse(textOf(bytes, roundTripMember)));
  expect(about.categories.map(({ facts }) => facts)).toEqual(categories);
  expect(about.index.category).toBe('Workshop');
  expect(report.findings.map(({ code }) => code)).toEqual(['categories-without-document']);
});

test('OMANUAL-WRITE-9 without a single root, the index has the name of the site and lists the roots', async () => {
  const categories = [plainCategory('Workshop', null), plainCategory('Office', null)];
  const { bytes } = await archiveBytes(contentOf(guidesToWrite([plainGuide(1, {})]), { categories }));
  const xml = textOf(bytes, 'category.xml');
  expect(xml).toContain('<category_info>Example Workshop</category_info>');
  expect(xml).toContain('<children>\n<child>Workshop</child>\n<child>Office</child>\n</children>');
  const about = roundTripPackage.parse(JSON.parse(textOf(bytes, roundTripMember)));
  expect(about.index.category).toBeNull();
});

test('OMANUAL-WRITE-10 an unavailable file is named by its address, with a finding', async () => {
  const image = { id: 1, guid: 'cover', width: 1600, height: 1200 };
  const content = contentOf(guidesToWrite([plainGuide(1, { image })]), { media: async () => null });
  const { bytes, report } = await archiveBytes(content);
  expect(textOf(bytes, 'Guide-1-1/guide.xml')).toContain(`>${base}/igi/cover.full</image>`);
  expect(textOf(bytes, 'category.xml')).toContain(`<image>${base}/igi/cover.full</image>`);
  expect(roundTripOf(bytes, 1).media).toMatchObject([{ member: null, url: `${base}/igi/cover.full` }]);
  expect(report).toMatchObject({ media: 0, findings: [{ code: 'medium-not-inside', place: 'guide/image' }] });
});

test('OMANUAL-WRITE-10 an archive of links requests no bytes and names the sizes that fit the boxes of the format', async () => {
  const image = { id: 1, guid: 'cover', width: 1600, height: 1200 };
  const tall = { id: 2, guid: 'tall', width: 600, height: 1200 };
  const steps = [plainStep({ media: { type: 'image', data: [tall] } })];
  const media = () => Promise.reject(new Error('asked'));
  const content = contentOf(guidesToWrite([plainGuide(1, { image, steps })]), { media });
  const { bytes, report } = await archiveBytes(content, { media: 'links' });
  const xml = textOf(bytes, 'Guide-1-1/guide.xml');
  const sizes = (name: string) =>
    [...xml.matchAll(new RegExp(` (\\w+)="${base}/igi/${name}`, 'g'))].map(([, key]) => key);
  expect(sizes('cover')).toEqual(['large', 'medium', 'standard', 'thumbnail', 'mini']);
  expect(sizes('tall')).toEqual(['large', 'medium', 'standard']);
  expect(report.findings).toEqual([]);
});

test('OMANUAL-WRITE-11 fields required by the format and missing in a guide are empty or have a substitute', async () => {
  const image = { id: 1, guid: 'step-picture', width: 8, height: 6 };
  const film: VideoFacts = {
    videoid: 4,
    objectid: 4,
    srcid: null,
    filename: 'belt.mp4',
    image: null,
    duration: 3,
    width: 8,
    height: 6,
    meta: null,
    encodings: [
      {
        column: '',
        label: '',
        always_generate: false,
        width: 8,
        height: 6,
        codecs: '',
        format: 'mp4',
        mime: 'video/mp4',
        url: '/Video/4',
      },
    ],
  };
  const guides = [
    plainGuide(1, { steps: [plainStep({ media: { type: 'image', data: [image] } })] }),
    plainGuide(2, { prerequisites: [77], steps: [plainStep({ media: { type: 'video', data: film } })] }),
  ];
  const categories = [plainCategory('Workshop', null)];
  const { bytes, report } = await archiveBytes(contentOf(guidesToWrite(guides), { categories }));
  expect(textOf(bytes, 'Guide-1-1/guide.xml')).toContain('<image>media/step-picture.png</image>');
  const bare = textOf(bytes, 'Guide-2-2/guide.xml');
  expect(bare).toMatch(/<image\/>|<image><\/image>/);
  expect(bare).toMatch(/<poster\/>|<poster><\/poster>/);
  const index = textOf(bytes, 'category.xml');
  expect(index).toMatch(/<solutions count="0"/);
  expect(index).not.toMatch(/introduced|discontinued/);
  // A prerequisite that the reader may not see is absent, and counted as left out.
  for (const [, content] of membersOf(bytes)) expect(strFromU8(content)).not.toMatch(/\b77\b/);
  expect(report.findings.map(({ code }) => code)).toEqual(['picture-of-step', 'prerequisite-hidden']);
});

test('OMANUAL-WRITE-13 an archive without guides is not converted: nothing is written, and a message says so', async () => {
  const index =
    '<category xmlns="http://www.omanual.org/category" locale="en"><title>Empty</title></category>';
  const archive = await openArchive(bytesSource(packageWith({ 'category.xml': index })), 'empty.omanual');
  const write = vi.fn<(bytes: Uint8Array) => Promise<void>>();
  await expect(convertArchive(archive, { write })).rejects.toThrow(
    'There is no guide in the archive; nothing was written.',
  );
  expect(write).not.toHaveBeenCalled();
});
