import { describe, expect, test } from 'vitest';

import { newDamage } from '#desktop/engine/journal/damage.ts';
import { encodeFrame, type FrameKind, scanSegment } from '#desktop/engine/journal/format.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { type MemoryFaults, memoryStore } from '#desktop/engine/journal/memory.ts';
import { encodeBody } from '#desktop/engine/journal/records.ts';
import { segmentName, segmentNumber } from '#desktop/engine/journal/replay.ts';
import { type Cipher, deviceCipher } from '#desktop/engine/platform/cipher.ts';
import { must } from '#shared/must.ts';

const randomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
const cipher = deviceCipher(randomBytes(32), randomBytes);

type Disk = Map<string, Uint8Array>;

let ids = 0;

function open(disk: Disk, by: Cipher | null = cipher, faults: MemoryFaults = {}): Promise<Journal> {
  return openJournal(memoryStore(faults, disk), {
    now: () => 1000,
    uuid: () => `id-${(ids += 1)}`,
    cipher: by ?? undefined,
  });
}

function put(journal: Journal, id: string, value: unknown): Promise<void> {
  return journal.append([{ op: 'put', collection: 'outbox', id, value }]);
}

async function outboxOf(journal: Journal): Promise<Record<string, unknown>> {
  const { outbox } = await journal.entries();
  return Object.fromEntries(outbox);
}

/** A sealed journal with a call, compacted or not. */
async function sealedJournal(isCompacted: boolean): Promise<Disk> {
  const disk: Disk = new Map();
  const journal = await open(disk);
  await put(journal, 'own', 'genuine');
  if (isCompacted) await journal.compact();
  await journal.close();
  return disk;
}

function newest(disk: Disk): { segment: number; bytes: Uint8Array } {
  const segment = Math.max(...[...disk.keys()].map((name) => segmentNumber(name) ?? 0));
  return { segment, bytes: must(disk.get(segmentName(segment)), 'a segment') };
}

const planted = {
  batch: encodeBody({
    seq: 99,
    id: 'planted',
    at: 1000,
    records: [
      { op: 'put', collection: 'outbox', id: 'own', value: 'forged' },
      { op: 'put', collection: 'outbox', id: 'other', value: 'forged' },
    ],
  }),
  snapshot: encodeBody({
    puts: [{ seq: 99, record: { op: 'put', collection: 'outbox', id: 'own', value: 'forged' } }],
  }),
  seal: encodeBody({ seq: 99, recentIds: [], keptSegments: [] }),
};

/** Appends well-formed frames to a segment, which need no key. */
function plant(disk: Disk, segment: number, ...kinds: FrameKind[]): void {
  let bytes = disk.get(segmentName(segment)) ?? new Uint8Array();
  for (const kind of kinds)
    bytes = Buffer.concat([bytes, encodeFrame({ kind, payload: planted[kind] }, segment, bytes.length)]);
  disk.set(segmentName(segment), bytes);
}

describe('CIPHER-5 frames without encryption', () => {
  test.each([false, true])(
    'after sealed ones are damage, which is reported (compacted: %s)',
    async (isCompacted) => {
      const disk = await sealedJournal(isCompacted);
      const { segment, bytes } = newest(disk);
      plant(disk, segment, 'batch');
      const journal = await open(disk);
      expect(await outboxOf(journal)).toEqual({ own: 'genuine' });
      expect(journal.health().damage).toMatchObject([{ segment, from: bytes.length, isTorn: false }]);
      expect(newDamage(journal.health(), null)).toMatchObject({ segment, isSeen: false });
      await put(journal, 'next', 'genuine');
      // What was found stays for a support export.
      const exported = await journal.exportAll();
      const kept = must(exported[`store/${segmentName(segment)}`], 'the segment');
      expect(Buffer.from(kept).includes('forged')).toBe(true);
      await journal.close();
      expect(await outboxOf(await open(disk))).toEqual({ own: 'genuine', next: 'genuine' });
    },
  );

  test('between sealed ones are damage, and the sealed ones behind them are read', async () => {
    const disk = await sealedJournal(true);
    const { segment } = newest(disk);
    plant(disk, segment, 'batch');
    const bytes = must(disk.get(segmentName(segment)), 'a segment');
    const payload = encodeBody({
      seq: 3,
      id: 'later',
      at: 1000,
      records: [{ op: 'put', collection: 'outbox', id: 'later', value: 'genuine' }],
    });
    const frame = encodeFrame({ kind: 'batch', payload }, segment, bytes.length, cipher);
    disk.set(segmentName(segment), Buffer.concat([bytes, frame]));
    const journal = await open(disk);
    expect(await outboxOf(journal)).toEqual({ own: 'genuine', later: 'genuine' });
    expect(journal.health().damage).toMatchObject([{ kind: 'middle' }]);
  });

  test.each([[['batch']], [['snapshot', 'seal']]] as const)(
    'in a segment of their own replace nothing: %s',
    async (kinds) => {
      for (const isCompacted of [false, true]) {
        const disk = await sealedJournal(isCompacted);
        const { segment } = newest(disk);
        plant(disk, segment + 1, ...kinds);
        const journal = await open(disk);
        expect(await outboxOf(journal)).toEqual({ own: 'genuine' });
        expect(journal.health()).toMatchObject({ writable: true, damage: [{ segment: segment + 1 }] });
      }
    },
  );

  test('count neither when the seal before them was damaged', async () => {
    const disk = await sealedJournal(true);
    const { segment, bytes } = newest(disk);
    const { frames } = scanSegment(bytes, segment, { cipher });
    const seal = must(
      frames.find(({ kind }) => kind === 'seal'),
      'a seal',
    );
    bytes.fill(0, seal.at + 20, seal.at + 24);
    plant(disk, segment, 'batch');
    const journal = await open(disk);
    expect(await outboxOf(journal)).toEqual({ own: 'genuine' });
  });

  test('CIPHER-4 count while a full disk postpones the encryption', async () => {
    const disk: Disk = new Map();
    const clear = await open(disk, null);
    await put(clear, 'before', 'x'.repeat(3000));
    await clear.close();
    const used = newest(disk).bytes.length;
    // Room for small appends, but not for a new segment.
    const full = await open(disk, cipher, { capacity: used + 2000 });
    await put(full, 'between', 'small');
    await full.close();
    const kinds = new Set([...disk.values()].flatMap((bytes) => [bytes[9]]));
    expect([...kinds]).toEqual([1]);
    const journal = await open(disk);
    expect(Object.keys(await outboxOf(journal))).toEqual(['before', 'between']);
    expect(journal.health()).toMatchObject({ damage: [] });
    await journal.close();
    plant(disk, newest(disk).segment, 'batch');
    expect(await outboxOf(await open(disk))).not.toHaveProperty('other');
  });
});
