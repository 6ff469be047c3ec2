import { describe, expect, it } from 'vitest';

import { openArchive } from '#shared/formats/omanual/read.ts';
import { readLimits } from '#shared/formats/omanual/limits.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { handMadeZip, type HandMade } from '#desktop/build/conformance/hand-made-zip.ts';
import { fixture, guideDocument, openAll, refusal } from './opened.ts';

const guide: HandMade = { name: 'guide.xml', content: guideDocument(), deflate: true };
const refusalOf = (...members: HandMade[]): Promise<string> => refusal(handMadeZip([guide, ...members]));

describe('reading packages', () => {
  it.each([
    'minimal-1.0',
    'full-1.0',
    'tolerate-absolute-paths',
    'tolerate-guide-only',
    'tolerate-one-top-folder',
  ])('OMANUAL-READ-1 %s is accepted', async (name) => {
    const { guides } = await openAll(fixture(`own/${name}.omanual`));
    expect(guides.length).toBeGreaterThan(0);
    expect(guides.at(-1)?.facts).toMatchObject({
      title: 'Removing Sample Lamp Cover',
      steps: [{ lines: [{ text_raw: 'Lift the cover.' }], media: { data: [{ width: 32, height: 24 }] } }],
    });
  });

  it('OMANUAL-READ-1 the packages to be rejected are refused, each for its reason', async () => {
    const codes = ['zipslip', 'doctype', 'no-index-no-guide'].map((name) =>
      refusal(fixture(`own/reject-${name}.omanual`)),
    );
    expect(await Promise.all(codes)).toEqual(['name-outside', 'doctype', 'no-omanual']);
  });

  it('OMANUAL-READ-2 stored and compressed members, with sizes after the content and in zip64 fields, read the same', async () => {
    for (const kind of [
      {},
      { deflate: true },
      { descriptor: true },
      { deflate: true, descriptor: true },
      { large: true },
    ]) {
      const zip = handMadeZip([{ name: 'guide.xml', content: guideDocument(), ...kind }], 'a comment');
      expect((await openAll(zip)).guides[0]?.facts.title).toBe('Change the belt');
    }
  });

  it('OMANUAL-READ-2 names are UTF-8, marked or not, or code page 437', async () => {
    for (const name of [
      'Türe-3/guide.xml',
      Buffer.from('Türe-3/guide.xml'),
      Buffer.from('T\x81re-3/guide.xml', 'latin1'),
    ]) {
      const { archive } = await openAll(handMadeZip([{ ...guide, name }]));
      expect(archive.entries.map(({ member, foreignId }) => [member, foreignId])).toEqual([
        ['Türe-3/guide.xml', 3],
      ]);
    }
  });

  it.each([
    ['../x', 'name-outside'],
    ['a/../../x', 'name-outside'],
    ['/x', 'name-absolute'],
    ['C:/x', 'name-absolute'],
    ['a\\x', 'name-backslash'],
    ['a\u0000x', 'name-control'],
    ['x'.repeat(1025), 'name-too-long'],
    ['./guide.xml', 'name-twice'],
    ['', 'name-empty'],
  ])('OMANUAL-READ-3 a member named %j is refused', async (name, code) => {
    expect(await refusalOf({ name, content: '' })).toBe(code);
  });

  it('OMANUAL-READ-3 a file that is the folder of another one is refused', async () => {
    for (const names of [
      ['a', 'a/b'],
      ['x/a/b/c', 'x/a'],
      ['a/', 'a'],
    ])
      expect(await refusal(handMadeZip([guide, ...names.map((name) => ({ name, content: '' }))]))).toBe(
        'name-twice',
      );
  });

  it('OMANUAL-READ-3 links, devices, encryption and unknown compression are refused', async () => {
    expect(await refusalOf({ name: 'x', content: '/etc/passwd', mode: 0o120777 })).toBe('link');
    expect(await refusalOf({ name: 'x', content: '', mode: 0o060644 })).toBe('link');
    expect(await refusalOf({ name: 'x', content: 'x', flags: 1 })).toBe('encrypted');
    expect(await refusalOf({ name: 'x', content: 'x', directory: { method: 12 } })).toBe('zip-method');
  });

  it('OMANUAL-READ-4 overlapping members, and members whose header and directory disagree, are refused', async () => {
    const doc: HandMade = { ...guide, name: 'a/guide.xml' };
    const wrong = (directory: HandMade['directory'] & object): Promise<string> =>
      refusal(handMadeZip([{ ...doc, directory }]));
    expect(await refusalOf({ name: 'x', content: 'x', directory: { offset: 0 } })).toBe('overlap');
    expect(await wrong({ name: 'b/guide.xml' })).toBe('zip-disagree');
    expect(await wrong({ size: 20 })).toBe('zip-disagree');
    expect(await wrong({ crc: 7 })).toBe('zip-disagree');
    expect(await refusal(handMadeZip([{ ...doc, descriptor: true, directory: { crc: 7 } }]))).toBe('crc');
    expect(await refusal(handMadeZip([{ ...doc, descriptor: true, directory: { size: 20 } }]))).toBe(
      'zip-disagree',
    );
  });

  it('OMANUAL-READ-4 a directory with more members than its end states is refused', async () => {
    const bytes = handMadeZip([guide, { name: 'b/hidden.txt', content: 'x' }]);
    const end = new DataView(bytes.buffer);
    for (const at of [8, 10]) end.setUint16(bytes.length - 22 + at, 1, true);
    expect(await refusal(bytes)).toBe('zip-disagree');
  });

  it('OMANUAL-READ-5 too many members and excessive expansion are refused before decompression', async () => {
    const many = Array.from({ length: 30 }, (_, index): HandMade => ({ name: `${index}`, content: '' }));
    expect(await refusal(handMadeZip([guide, ...many]), { ...readLimits, members: 30 })).toBe(
      'too-many-members',
    );
    const bomb = Buffer.alloc(3 * 1024 * 1024);
    expect(await refusalOf({ name: 'x', content: bomb, deflate: true })).toBe('bomb');
    const small = { ...readLimits, totalBytes: 100 };
    expect(await refusal(handMadeZip([guide]), small)).toBe('bomb');
    expect(await refusal(handMadeZip([guide]), { ...readLimits, documentBytes: 100 })).toBe('too-large');
  });

  it('OMANUAL-READ-5 a member with a false size is stopped during decompression', async () => {
    const bomb: HandMade = {
      ...guide,
      content: `${guideDocument()}${' '.repeat(3_000_000)}`,
      descriptor: true,
      directory: { size: 5_000 },
    };
    expect(await refusal(handMadeZip([bomb]))).toBe('zip-disagree');
  });

  it('OMANUAL-READ-6 a gigabyte is read in place, piece by piece', async () => {
    const counted = gigabyteSource();
    const before = process.memoryUsage();
    const archive = await openArchive(counted.source, 'large.omanual');
    const reader = (await archive.media('media/large.mp4')).getReader();
    let size = 0;
    let most = 0;
    for (let next = await reader.read(); !next.done && size < counted.read; next = await reader.read()) {
      size += next.value.length;
      const now = process.memoryUsage();
      most = Math.max(most, now.heapUsed + now.external - before.heapUsed - before.external);
    }
    expect(size).toBeGreaterThanOrEqual(counted.read);
    expect(most).toBeLessThan(200 * 1024 * 1024);
    expect(counted.largest()).toBeLessThan(2 * 1024 * 1024);
    await reader.cancel();
  });
});

/** A package whose video has a gigabyte that is generated when it is read, not held in memory. */
function gigabyteSource(): {
  source: ByteSource;
  read: number;
  largest: () => number;
} {
  const size = 1024 ** 3;
  const film = Buffer.from('\0\0\0\x18ftypisom');
  const plain = Buffer.from(handMadeZip([guide, { name: 'media/large.mp4', content: film }]));
  const filmAt = plain.indexOf(film);
  const grown = Buffer.from(plain);
  const entry = grown.lastIndexOf('media/large.mp4') - 46;
  for (const at of [entry + 20, entry + 24]) grown.writeUInt32LE(size, at);
  for (const at of [filmAt - 15 - 30 + 18, filmAt - 15 - 30 + 22]) grown.writeUInt32LE(size, at);
  grown.writeUInt32LE(grown.readUInt32LE(grown.length - 6) + size - film.length, grown.length - 6);
  let largest = 0;
  const gap = size - film.length;
  return {
    read: 100 * 1024 * 1024,
    largest: () => largest,
    source: {
      size: grown.length + gap,
      read: async (offset, length) => {
        largest = Math.max(largest, length);
        const out = new Uint8Array(length);
        const end = filmAt + film.length;
        if (offset < end) out.set(grown.subarray(offset, Math.min(end, offset + length)));
        const tail = Math.max(offset, end + gap);
        if (offset + length > tail) out.set(grown.subarray(tail - gap, offset + length - gap), tail - offset);
        return out;
      },
    },
  };
}
