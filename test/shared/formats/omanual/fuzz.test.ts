import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';

import { guideFacts } from '#shared/model/guide.ts';
import { wikiFacts } from '#shared/model/wiki.ts';
import { must } from '#shared/must.ts';
import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import { checkArchive } from '#shared/formats/omanual/check.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { bytesSource, type ByteSource } from '#shared/formats/omanual/source.ts';

import { archiveBytes, contentOf, guidesToWrite, pictureBytes } from './archives.ts';
import { fixture, packageWith } from './opened.ts';
import { plainCategory, plainGuide, plainLine, plainStep } from './plain-guides.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Random = (below: number) => number;

const cases = 2_400;
/**
 * Limits of one case for reading and decompression, and its processor time in ms on a slow machine; a case needs some
 * milliseconds.
 */
const mostRead = 8 * 1024 * 1024;
const mostUnpacked = 16 * 1024 * 1024;
const longest = 2_000;
const limits = { ...readLimits, totalBytes: mostUnpacked };

/** Numbers that are the same in every run (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

let seeds: Bytes[];
beforeAll(async () => {
  const image = { id: 3, guid: 'Picture3', width: 1, height: 1, markup: ';circle,1x1,3,red;' };
  const step = plainStep({ lines: [plainLine("A ''line''")], media: { type: 'image', data: [image] } });
  const guides = [plainGuide(4, { steps: [step, step] }), plainGuide(9, { prerequisites: [4] })];
  const categories = [plainCategory('Bench Grinder', null)];
  const own = await archiveBytes(contentOf(guidesToWrite(guides, ['loud']), { categories }));
  const names = ['full-1.0', 'minimal-1.0', 'tolerate-one-top-folder', 'tolerate-guide-only'];
  seeds = [
    own.bytes,
    ...names.map((name) => fixture(`own/${name}.omanual`)),
    fixture('own/full_guide.xml'),
    fixture('own/full_category.xml'),
    packageWith({
      'manifest.xml': `<manifest xmlns="http://omanual.com" locale="en"><procedures><procedure id="3"><path>P-3/procedure.xml</path></procedure></procedures><documents><document type="topic">T.xml</document></documents></manifest>`,
      'T.xml': '<topic><topic_info>T</topic_info></topic>',
      'P-3/procedure.xml': `<procedure><title>T</title><introduction>&lt;b&gt;x&lt;/b&gt;</introduction><steps><step number="0"><lines><line>L</line></lines><images><image>media/a.png</image></images></step></steps></procedure>`,
      'P-3/media/a.png': pictureBytes('a'),
    }),
  ];
});

/** Strings that confuse readers. */
const nasty = [
  '<',
  '>',
  '&',
  '&#0;',
  '&#x110000;',
  ']]>',
  '<!--',
  '<![CDATA[',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '<?x',
  '"',
  "'",
  '\u0000',
  '\ufffe',
  '../',
  '{x}',
  '-1',
  '9'.repeat(40),
  '1e999',
  'javascript:',
  '<p>'.repeat(200),
  '[nowiki]',
  "'''''",
  '{{{',
  '&lt;b&gt;',
  '://',
  'xmlns=""',
  '<a:b/>',
];

const changes: Readonly<Record<string, (bytes: Bytes, random: Random) => Bytes>> = {
  flipBits: (bytes, random) => {
    const changed = bytes.slice();
    for (let count = 1 + random(6); count > 0; count--) {
      const at = random(changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
    }
    return changed;
  },
  flipDirectory: (bytes, random) => {
    const changed = bytes.slice();
    const from = Math.max(0, changed.length - 22 - 60 * (1 + random(8)));
    for (let count = 1 + random(4); count > 0; count--)
      changed[from + random(changed.length - from)] = random(256);
    return changed;
  },
  cut: (bytes, random) => bytes.slice(0, random(bytes.length)),
  cutOut: (bytes, random) => {
    const from = random(bytes.length);
    return joined(bytes.subarray(0, from), bytes.subarray(from + 1 + random(200)));
  },
  double: (bytes, random) => {
    const from = random(bytes.length);
    const end = from + 1 + random(400);
    return joined(bytes.subarray(0, end), bytes.subarray(from));
  },
  swapHeaders: (bytes, random) => {
    const signatures = placesOf(bytes);
    if (signatures.length < 2) return bytes.slice(1);
    const [one, other] = [0, 0].map(() => must(signatures[random(signatures.length)], 'a header'));
    const changed = bytes.slice();
    const length = 30 + random(20);
    changed.set(
      bytes
        .subarray(must(other, 'a header'), must(other, 'a header') + length)
        .slice(0, changed.length - must(one, 'a header')),
      must(one, 'a header'),
    );
    return changed;
  },
  growNumbers: (bytes, random) => {
    const signatures = placesOf(bytes);
    const changed = bytes.slice();
    const at = (signatures[random(Math.max(1, signatures.length))] ?? 0) + 4 + random(42);
    const values = [0xffff_ffff, 0x7fff_ffff, 0x4000_0000, 0xffff, 1, 0];
    if (at + 4 <= changed.length)
      new DataView(changed.buffer).setUint32(at, values[random(values.length)] ?? 0, true);
    return changed;
  },
  changeText: (bytes, random) => rewritten(bytes, random, (text) => withNasty(text, random)),
  changeElements: (bytes, random) => rewritten(bytes, random, (text) => withElements(text, random)),
};

/** Positions of headers in a package. */
function placesOf(bytes: Bytes): number[] {
  const places: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at++)
    if (bytes[at] === 0x50 && bytes[at + 1] === 0x4b && (bytes[at + 2] ?? 9) < 8) places.push(at);
  return places;
}

function joined(...parts: Uint8Array[]): Bytes {
  return Uint8Array.from(Buffer.concat(parts));
}

/** The package with one of its texts changed, so that only the text is wrong; a single document is the text. */
function rewritten(bytes: Bytes, random: Random, change: (text: string) => string): Bytes {
  if (bytes[0] !== 0x50) return Uint8Array.from(Buffer.from(change(Buffer.from(bytes).toString())));
  const members = Object.entries(unzipSync(bytes));
  const texts = members.filter(([name]) => /\.(?:xml|json)$/.test(name));
  const chosen = texts[random(texts.length)]?.[0];
  return zipSync(
    Object.fromEntries(
      members.map(([name, content]) => [
        name,
        name === chosen ? strToU8(change(strFromU8(content))) : content,
      ]),
    ),
  );
}

function withNasty(text: string, random: Random): string {
  const at = random(text.length);
  const end = at + random(12);
  return text.slice(0, at) + (nasty[random(nasty.length)] ?? '') + text.slice(end);
}

/** Removes, doubles or moves an element or attribute. */
function withElements(text: string, random: Random): string {
  const parts = [...text.matchAll(/<[^<>]*>[^<>]*|\s[a-z_]+="[^"]*"/g)].map(({ 0: part, index }) => ({
    part,
    index,
  }));
  const one = parts[random(Math.max(1, parts.length))];
  const other = parts[random(Math.max(1, parts.length))];
  if (one === undefined || other === undefined) return '';
  const replaced = [``, one.part + one.part, other.part, `${one.part}${other.part}`][random(4)] ?? '';
  return text.slice(0, one.index) + replaced + text.slice(one.index + one.part.length);
}

interface Work {
  read: number;
  unpacked: number;
}

function countingSource(bytes: Bytes, work: Work): ByteSource {
  const source = bytesSource(bytes);
  return {
    size: source.size,
    read: (offset, length) => {
      work.read += length;
      return source.read(offset, length);
    },
  };
}

/** Reads everything, and checks accepted content. Returns the code of a refusal, or 'taken'. */
async function tryToRead(bytes: Bytes, work: Work): Promise<string> {
  try {
    const archive = await openArchive(countingSource(bytes, work), 'fuzzed.omanual', limits);
    const records = [...archive.categories];
    for (const category of records) wikiFacts.parse(category.facts);
    const media = records.flatMap((one) => one.media);
    for (const { member } of archive.entries) {
      const guide = await archive.guide(member);
      guideFacts.parse(guide.facts);
      media.push(...guide.media);
    }
    for (const { member } of media) {
      if (member === null) continue;
      expect(member).not.toMatch(/^\/|\\|(?:^|\/)\.\.(?:\/|$)/);
      work.unpacked += (await new Response(await archive.media(member)).bytes()).length;
    }
    return 'taken';
  } catch (error) {
    if (error instanceof ArchiveRefused) return error.code;
    throw error;
  }
}

/** Processor time of this thread, independent of other processes. */
function millisecondsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

describe('broken and hostile input', () => {
  it.each(Object.keys(changes).map((name, index) => [name, index] as const))(
    'OMANUAL-READ-18 %s: packages are read or refused, within bounds, without crashing',
    async (name, index) => {
      const change = must(changes[name], 'a change');
      const codes = new Set<string>();
      const perChange = Math.ceil(cases / Object.keys(changes).length);
      for (let number = 0; number < perChange; number++) {
        const random = randomFrom(index * 100_000 + number);
        const bytes = change(must(seeds[number % seeds.length], 'a seed'), random);
        const work: Work = { read: 0, unpacked: 0 };
        const begun = process.threadCpuUsage();
        const told = `${name} ${number}`;
        codes.add(
          await tryToRead(bytes, work).catch((error: unknown) =>
            Promise.reject(new Error(told, { cause: error })),
          ),
        );
        if (number % 8 === 0) await checkArchive(bytesSource(bytes), 'fuzzed.omanual', limits);
        expect(millisecondsSince(begun), told).toBeLessThan(longest);
        expect(work.read, told).toBeLessThan(mostRead);
        expect(work.unpacked, told).toBeLessThan(mostUnpacked);
      }
      expect(codes.size).toBeGreaterThan(1);
    },
  );

  it('OMANUAL-READ-18 tens of thousands of repeated faults cost no more than their length, in reading and checking', async () => {
    const flags = '<flag id="x"/>'.repeat(40_000);
    const xml = `<guide><title>T</title><introduction>&lt;b&gt;${'&lt;p'.repeat(20_000)}</introduction><flags>${flags}</flags><steps/></guide>`;
    const bytes = Uint8Array.from(Buffer.from(xml));
    const begun = process.threadCpuUsage();
    expect(await tryToRead(bytes, { read: 0, unpacked: 0 })).toBe('taken');
    expect((await checkArchive(bytesSource(bytes), 'flat.xml')).length).toBe(readLimits.findings);
    expect(millisecondsSince(begun)).toBeLessThan(10_000);
  });
});
