import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { encodeFrame, scanSegment } from '#desktop/engine/journal/format.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { type MemoryFaults, memoryStore } from '#desktop/engine/journal/memory.ts';
import { type Cipher, deviceCipher } from '#desktop/engine/platform/cipher.ts';
import { must } from '#shared/must.ts';
import { runs } from '#test/support/long-run.ts';

const randomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
const key = randomBytes(32);
const cipher = deviceCipher(key, randomBytes);

type Disk = Map<string, Uint8Array>;

let ids = 0;

function open(disk: Disk, by: Cipher | undefined, faults: MemoryFaults = {}): Promise<Journal> {
  return openJournal(memoryStore(faults, disk), {
    now: () => 1000,
    uuid: () => `id-${(ids += 1)}`,
    cipher: by,
  });
}

const words = ['bearing', 'gearbox', 'torque wrench', 'photograph', 'picture.jpg'];

/** Stores every kind of thing, and compacts in between. */
async function fill(journal: Journal): Promise<void> {
  await journal.append([{ op: 'put', collection: 'outbox', id: 'c1', value: { text: 'bearing' } }]);
  await journal.putFile('f1', new TextEncoder().encode('a photograph'), {
    type: 'image/jpeg',
    name: 'picture.jpg',
  });
  await journal.compact();
  await journal.append([
    {
      op: 'put',
      collection: 'drafts',
      id: 'd1',
      value: { steps: ['gearbox'], bytes: new Uint8Array([1, 2]) },
    },
    { op: 'put', collection: 'meta', id: 'torque wrench', value: 3 },
  ]);
}

async function contents(journal: Journal): Promise<unknown> {
  const { outbox, drafts, meta } = await journal.entries();
  const file = await journal.readFile('f1');
  return { outbox, drafts, meta, file: { ...file, bytes: new TextDecoder().decode(file.bytes) } };
}

function wordsOn(disk: Disk): string[] {
  const all = [...disk.values()].map((bytes) => Buffer.from(bytes).toString('latin1')).join('\n');
  return words.filter((word) => all.includes(word));
}

async function clearDisk(): Promise<{ disk: Disk; before: unknown }> {
  const disk: Disk = new Map();
  const journal = await open(disk, undefined);
  await fill(journal);
  const before = await contents(journal);
  await journal.close();
  return { disk, before };
}

/** Changes bytes of the last frame, so that its segment is kept. */
function damage(disk: Disk): void {
  const [name, bytes] = must(
    [...disk].find(([one]) => one.startsWith('segment-')),
    'a segment',
  );
  const frame = must(scanSegment(bytes, Number(name.slice(-8))).frames.at(-1), 'a frame');
  bytes.fill(0, frame.at + 20, frame.at + 24);
}

describe('an encrypted journal', () => {
  test('CIPHER-1 its files hold nothing that can be read without the key', async () => {
    const disk: Disk = new Map();
    const journal = await open(disk, cipher);
    await fill(journal);
    const before = await contents(journal);
    await journal.close();
    expect(wordsOn(disk)).toEqual([]);
    const again = await open(disk, cipher);
    expect(await contents(again)).toEqual(before);
    expect(again.health()).toMatchObject({ writable: true, damage: [] });
    const exported = await again.exportAll();
    const stored = Object.entries(exported).find(([path]) => path.startsWith('store/file-'));
    expect(new TextDecoder().decode(stored?.[1])).toBe('a photograph');
  });

  test('CIPHER-1 the same bytes are never sealed alike', () => {
    const clear = new TextEncoder().encode('bearing');
    const sealed = Array.from({ length: 100 }, () => Buffer.from(cipher.seal(clear, 'x')).toString('hex'));
    expect(new Set(sealed).size).toBe(100);
  });

  test.each([
    ['another key', deviceCipher(randomBytes(32), randomBytes)],
    ['no key', undefined],
  ])('CIPHER-2 it does not open with %s, and its files stay as they are', async (_, other) => {
    const disk: Disk = new Map();
    const journal = await open(disk, cipher);
    await fill(journal);
    await journal.close();
    const before = new Map([...disk].map(([name, bytes]) => [name, bytes.slice()]));
    await expect(open(disk, other)).rejects.toMatchObject({ name: 'CipherError', kind: 'other-key' });
    expect(disk).toEqual(before);
  });

  test('CIPHER-3 a frame from another place counts as damage', async () => {
    const disk: Disk = new Map();
    const journal = await open(disk, cipher);
    await fill(journal);
    await journal.close();
    const [name, bytes] = must(
      [...disk].find(([one]) => one.startsWith('segment-')),
      'a segment',
    );
    const number = Number(name.slice(-8));
    const { frames, end } = scanSegment(bytes, number, { cipher });
    const { payload } = must(frames.at(-1), 'a frame');
    const elsewhere: Cipher = { ...cipher, seal: (clear) => cipher.seal(clear, `batch ${number} 0`) };
    const moved = encodeFrame({ kind: 'batch', payload }, number, end, elsewhere);
    disk.set(name, Buffer.concat([bytes, moved]));
    const again = await open(disk, cipher);
    expect(again.health().damage).toMatchObject([{ from: end, to: end + moved.length }]);
  });

  test('CIPHER-3 whichever byte changes, no value is read that was not written', async () => {
    const disk: Disk = new Map();
    const journal = await open(disk, cipher);
    await fill(journal);
    const before = (await contents(journal)) as Record<string, ReadonlyMap<string, unknown>>;
    await journal.close();
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), async (which, at, change) => {
        const changed = new Map([...disk].map(([name, bytes]) => [name, bytes.slice()]));
        const bytes = must([...changed.values()][which % changed.size], 'a file');
        const place = at % bytes.length;
        bytes[place] = must(bytes[place], 'a byte') ^ change;
        const again = await open(changed, cipher).catch((error: unknown) => {
          // The fingerprint of the key was changed, and the checksum with it: it looks like another key.
          expect(error).toMatchObject({ kind: 'other-key' });
          return null;
        });
        if (again === null) return;
        const after = await again.entries();
        for (const name of ['outbox', 'drafts', 'meta'] as const)
          for (const [id, value] of after[name]) expect(before[name]?.get(id)).toEqual(value);
        const file = await again.readFile('f1').catch(() => null);
        if (file !== null) expect(new TextDecoder().decode(file.bytes)).toBe('a photograph');
        await again.close();
      }),
      { numRuns: runs(800) },
    );
  });

  test('CIPHER-4 a journal of before encryption is encrypted when it is opened', async () => {
    const { disk, before } = await clearDisk();
    expect(wordsOn(disk)).toEqual(words);
    const journal = await open(disk, cipher);
    expect(await contents(journal)).toEqual(before);
    await journal.close();
    expect(wordsOn(disk)).toEqual([]);
    const again = await open(disk, cipher);
    expect(await contents(again)).toEqual(before);
  });

  test('CIPHER-4 a damaged segment that was kept is encrypted as a whole', async () => {
    const { disk } = await clearDisk();
    damage(disk);
    const damaged = await open(disk, undefined);
    await damaged.close();
    expect(wordsOn(disk)).not.toEqual([]);
    const journal = await open(disk, cipher);
    expect(wordsOn(disk)).toEqual([]);
    const exported = await journal.exportAll();
    const kept = Object.entries(exported).filter(([path]) => path.startsWith('store/kept-'));
    expect(kept.map(([, bytes]) => Buffer.from(bytes).includes('gearbox'))).toEqual([true]);
  });

  test('CIPHER-4 an end of the app during the encryption loses nothing', async () => {
    const { disk } = await clearDisk();
    damage(disk);
    const damaged = await open(disk, undefined);
    const expected = await contents(damaged);
    await damaged.close();
    for (let crashAt = 0; crashAt < 60; crashAt += 1) {
      const copy: Disk = new Map([...disk].map(([name, bytes]) => [name, bytes.slice()]));
      for (const tornBytes of [0, 100]) {
        const broken = await open(copy, cipher, { crashAt, tornBytes }).catch(() => null);
        await broken?.close().catch(() => undefined);
      }
      const journal = await open(copy, cipher);
      expect(await contents(journal)).toEqual(expected);
      await journal.close();
      // What the last start could not do, the next one does.
      await (await open(copy, cipher)).close();
      expect([crashAt, ...wordsOn(copy)]).toEqual([crashAt]);
    }
  });
});
