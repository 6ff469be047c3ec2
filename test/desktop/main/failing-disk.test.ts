import { join } from 'node:path';

import { expect, test } from 'vitest';

import { JournalError, type JournalStore } from '#desktop/engine/journal/store.ts';
import { IpcError } from '#desktop/ipc.ts';
import { type FileCalls, JournalFiles } from '#desktop/main/journal-store.ts';
import { withJournalErrors } from '#desktop/renderer/platform/file-journal-store.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { open as openJournalOn, put } from '../engine/journal/world.ts';

/** Real disk calls of which the n-th fails; a failing write stores half of its bytes. */
function failingAt(nth: number, code: string): FileCalls & { made: number } {
  const failure = Object.assign(new Error('failed'), { code });
  return {
    made: 0,
    async write(file, bytes, at) {
      this.made += 1;
      const taken = this.made === nth ? bytes.subarray(0, bytes.length >> 1) : bytes;
      const { bytesWritten } = await file.write(taken, 0, taken.length, at);
      if (this.made === nth) throw failure;
      return bytesWritten;
    },
    async sync(file) {
      this.made += 1;
      if (this.made === nth) throw failure;
      await file.sync();
    },
  };
}

async function storeIn(folder: string, calls?: FileCalls): Promise<JournalStore> {
  const files = await JournalFiles.open(folder, calls);
  return {
    durability: 'file',
    list: () => withJournalErrors(files.list()),
    read: (name) => withJournalErrors(files.read(name)),
    append: (name, at, bytes) => withJournalErrors(files.append(name, at, bytes)),
    write: (name, bytes) => withJournalErrors(files.write(name, bytes)),
    remove: (name) => withJournalErrors(files.remove(name)),
    releaseBallast: () => withJournalErrors(files.releaseBallast()),
    reserveBallast: async () => true,
    close: () => withJournalErrors(files.close()),
  };
}

const gone = 'gone';

/** Saved values: by key the values that may exist, the acknowledged one first. */
class Saved {
  readonly values = new Map<string, unknown[]>();
  readonly files = new Map<string, Uint8Array>();

  /** Records the outcome of a change. Resolves to whether it was acknowledged. */
  async note(key: string, value: unknown, change: Promise<unknown>): Promise<boolean> {
    try {
      await change;
    } catch (error) {
      expect(error).toBeInstanceOf(JournalError);
      this.values.set(key, [...(this.values.get(key) ?? [gone]), value]);
      return false;
    }
    this.values.set(key, [value]);
    return true;
  }
}

/** Saves, replaces and removes until the call has failed, and some more; then checks the state after a restart. */
async function saveOnFailingDisk(folder: string, nth: number, code: string): Promise<void> {
  const calls = failingAt(nth, code);
  const store = await storeIn(folder, calls).catch((error: unknown) => {
    expect(error).toBeInstanceOf(IpcError);
    return storeIn(folder, calls);
  });
  const saved = new Saved();
  const journal = await openJournalOn(store);
  for (let step = 0, after = 0; after < 8; step += 1) {
    if (calls.made >= nth) after += 1;
    const key = `k${step % 17}`;
    const value = `${step} ${'x'.repeat((step * 37) % 900)}`;
    if (step % 23 === 22) await journal.compact().catch(() => undefined);
    else if (step % 11 === 10) {
      const bytes = new Uint8Array(3000 + step).fill(step);
      const isSaved = await saved.note(
        `f${step}`,
        step,
        journal.putFile(`f${step}`, bytes, { type: '', name: '' }),
      );
      if (isSaved) saved.files.set(`f${step}`, bytes);
    } else if (step % 7 === 6) await saved.note(key, gone, journal.forget('outbox', [key]));
    else await saved.note(key, value, journal.append([put(key, value)]));
  }
  await journal.close().catch(() => undefined);
  await store.close().catch(() => undefined);

  const again = await openJournalOn(await storeIn(folder), 1);
  const { outbox } = await again.entries();
  for (const [key, allowed] of saved.values)
    if (!key.startsWith('f')) expect(allowed, key).toContain(outbox.get(key) ?? gone);
  for (const [id, bytes] of saved.files) expect((await again.readFile(id)).bytes).toEqual(bytes);
  await again.append([put('later', 1)]);
  await again.close();
}

const most = isLongRun ? 500 : 20;

test.each(['EIO', 'ENOSPC'])(
  `JOURNAL-2 JOURNAL-9 JOURNAL-10 no saved work is lost when the n-th disk call fails with %s, n up to ${most}`,
  async (code) => {
    await using temporary = await temporaryFolder('failing-disk');
    for (let nth = 1; nth <= most; nth += 1)
      await saveOnFailingDisk(join(temporary.path, `${code}-${nth}`), nth, code);
  },
);
