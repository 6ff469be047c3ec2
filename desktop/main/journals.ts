import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import pLimit from 'p-limit';

import { IpcError } from '#desktop/ipc.ts';

import { chooseTarget } from './dialogs.ts';
import type { Dialog } from './electron.ts';
import type { IpcHandlers } from './ipc.ts';
import { unlessMissing } from './disk-errors.ts';
import { ballastName, JournalFiles } from './journal-store.ts';

type JournalCalls = Pick<IpcHandlers, Extract<keyof IpcHandlers, `journal${string}`>>;

/**
 * Handlers for the journals, each in a subfolder of `folder`. Every opening returns a new lease: a reloaded page
 * takes over its journal, and later calls of the previous page are refused.
 */
export function journalHandlers(
  folder: string,
  dialog: Dialog,
): JournalCalls & { closeAll(): Promise<void> } {
  const open = new Map<number, { name: string; files: JournalFiles }>();
  let leases = 0;
  // The page that opens a journal may end before it is open, and the next page opens it again.
  const inOrder = pLimit(1);

  const filesOf = (lease: number): JournalFiles => {
    const journal = open.get(lease);
    if (journal === undefined) throw new IpcError('unavailable', 'The journal was opened by another page');
    return journal.files;
  };
  const close = async (lease: number): Promise<void> => {
    const journal = open.get(lease);
    open.delete(lease);
    await journal?.files.close();
  };

  return {
    journalOpen: (name) =>
      inOrder(async () => {
        leases += 1;
        const lease = leases;
        const older = [...open].filter(([, journal]) => journal.name === name).map(([number]) => number);
        await Promise.all(older.map(close));
        open.set(lease, { name, files: await JournalFiles.open(join(folder, name)) });
        return lease;
      }),
    journalList: async (lease) => filesOf(lease).list(),
    journalRead: async (lease, name) => filesOf(lease).read(name),
    journalAppend: async (lease, name, at, bytes) =>
      filesOf(lease).append(name, at, bytes) as Promise<undefined>,
    journalPut: async (lease, name, at, bytes) => filesOf(lease).put(name, at, bytes) as Promise<undefined>,
    journalFlush: async (lease, name) => filesOf(lease).flush(name) as Promise<undefined>,
    journalWrite: async (lease, name, bytes) => filesOf(lease).write(name, bytes) as Promise<undefined>,
    journalRemove: async (lease, name) => filesOf(lease).remove(name) as Promise<undefined>,
    journalSize: async (lease, name) => filesOf(lease).size(name),
    journalReadPart: async (lease, name, at, length) => filesOf(lease).readPart(name, at, length),
    journalSaveAs: async (lease, name, options) => {
      const path = await chooseTarget(dialog, options);
      if (path !== null) await filesOf(lease).copyTo(name, path);
      return path !== null;
    },
    journalReleaseBallast: async (lease) => filesOf(lease).releaseBallast(),
    journalReserveBallast: async (lease) => filesOf(lease).reserveBallast(),
    journalClose: async (lease) => close(lease) as Promise<undefined>,
    closeAll: () =>
      inOrder(async () => {
        await Promise.all([...open.keys()].map(close));
      }),
  };
}

/**
 * Releases the reserved space of all journals in `folder`, which may be open: they reserve it again when there is room.
 * False if there was none.
 */
export async function releaseBallasts(folder: string): Promise<boolean> {
  let isReleased = false;
  for (const name of (await readdir(folder).catch(unlessMissing)) ?? []) {
    const ballast = join(folder, name, ballastName);
    if ((await stat(ballast).catch(() => undefined)) === undefined) continue;
    await rm(ballast, { force: true });
    isReleased = true;
  }
  return isReleased;
}
