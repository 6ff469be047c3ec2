import { firstValueFrom } from 'rxjs';
import { afterEach, expect, test } from 'vitest';

import { openHome } from '#desktop/engine/account/leaving/home-database.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { mirrorOf, type EngineDatabase } from '#desktop/engine/storage/database.ts';
import { RxMirror } from '#desktop/engine/sync/mirror/mirror.ts';
import { MirrorWriter } from '#desktop/engine/sync/mirror/mirror-writer.ts';
import { rowSnapshotsIn, SnapshotTimer } from '#desktop/engine/sync/mirror/row-snapshots.ts';
import { must } from '#shared/must.ts';
import { newDisk, platformOn, type Disk } from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Start {
  mirror: RxMirror;
  writer: MirrorWriter;
  database: EngineDatabase;
  titles: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** Starts on a disk. The writer goes on counting where the one before it ended. */
async function start(disk: Disk, before?: MirrorWriter): Promise<Start> {
  const environment = testEnvironment(fetch);
  const journal = await openJournal(memoryStore({}, disk.journal), environment);
  const opened = await openHome({
    platform: platformOn(disk, environment),
    journal,
    home: 'benchbook-0123456789',
  });
  const { database } = opened;
  const mirror = new RxMirror(mirrorOf(database), rowSnapshotsIn(database));
  const writes = before?.writes ?? { loadId: 'load', counts: {} };
  const records = mirrorOf(database);
  const writer = new MirrorWriter({ environment, records, closing: new AbortController().signal }, writes);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await database.close();
    opened.leave();
    await journal.close();
  };
  closing.push(close);
  const titles = async (): Promise<string[]> =>
    (await firstValueFrom(mirror.guideRows())).map(({ title }) => title).toSorted();
  return { mirror, writer, database, titles, close };
}

let seq = 0;
const guide = (guideid: number, title: string) => {
  seq += 1;
  return { c: 'guides' as const, id: String(guideid), seq, doc: { ...plainGuide, guideid, title } };
};

/** Keeps the rows as an app does: while something follows them. */
async function keep({ mirror }: Start): Promise<void> {
  const following = mirror.guideRows().subscribe();
  await firstValueFrom(mirror.guideRows());
  await mirror.saveGuideRows();
  following.unsubscribe();
}

/** Changes a title in the snapshot only, so that a start which uses it is noticed. */
async function mark({ database }: Start): Promise<void> {
  const snapshots = rowSnapshotsIn(database);
  const snapshot = must(await snapshots.read(), 'the snapshot');
  const rows = snapshot.rows.map((row) => ({ ...row, title: `${row.title} of the snapshot` }));
  await snapshots.write({ ...snapshot, rows });
}

test('MIRROR-22 a start reads the rows from the snapshot, and changes count on top', async () => {
  const disk = newDisk();
  const first = await start(disk);
  await first.writer.storeNewer([guide(1, 'Belt'), guide(2, 'Arbor')]);
  await keep(first);
  await mark(first);
  await first.close();
  const second = await start(disk, first.writer);
  const seen: string[][] = [];
  const following = second.mirror.guideRows().subscribe((rows) => {
    seen.push(rows.map(({ title }) => title).toSorted());
  });
  await firstValueFrom(second.mirror.guideRows());
  await second.writer.storeNewer([
    guide(2, 'Arbor nut'),
    { c: 'guides', id: '1', seq: (seq += 1), removed: true },
  ]);
  following.unsubscribe();
  expect(seen[0]).toEqual(['Arbor of the snapshot', 'Belt of the snapshot']);
  expect(seen.at(-1)).toEqual(['Arbor nut']);
});

test('MIRROR-22 after a write that the snapshot lacks, every guide is read', async () => {
  const disk = newDisk();
  const first = await start(disk);
  await first.writer.storeNewer([guide(1, 'Belt')]);
  await keep(first);
  await mark(first);
  await first.writer.storeNewer([guide(2, 'Arbor')]);
  await first.close();
  const second = await start(disk, first.writer);
  expect(await second.titles()).toEqual(['Arbor', 'Belt']);
});

test('MIRROR-22 the snapshot of an earlier load is not used', async () => {
  const disk = newDisk();
  const first = await start(disk);
  await first.writer.storeNewer([guide(1, 'Belt')]);
  await keep(first);
  await mark(first);
  const again = new MirrorWriter(
    {
      environment: testEnvironment(fetch),
      records: mirrorOf(first.database),
      closing: new AbortController().signal,
    },
    { loadId: 'another', counts: {} },
  );
  await again.begin();
  await first.close();
  expect(await (await start(disk)).titles()).toEqual(['Belt']);
});

test('MIRROR-22 a snapshot is taken once changes rest, and not more often than once a minute', () => {
  let at = 0;
  const timers: { run: () => void; at: number }[] = [];
  let saved = 0;
  const timer = new SnapshotTimer(
    {
      now: () => at,
      setTimer: (run, ms) => {
        const one = { run, at: at + ms };
        timers.push(one);
        return () => timers.splice(timers.indexOf(one), 1);
      },
    },
    async () => void (saved += 1),
  );
  const passes = (ms: number): void => {
    at += ms;
    for (const one of timers.filter((due) => due.at <= at)) {
      timers.splice(timers.indexOf(one), 1);
      one.run();
    }
  };
  timer.changed();
  passes(2000);
  timer.changed();
  passes(2000);
  expect(saved).toBe(0);
  passes(1000);
  expect(saved).toBe(1);
  timer.changed();
  passes(10_000);
  expect(saved).toBe(1);
  passes(50_000);
  expect(saved).toBe(2);
  timer.changed();
  timer.close();
  passes(100_000);
  expect(saved).toBe(2);
});
