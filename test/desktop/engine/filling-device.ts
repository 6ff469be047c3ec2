import { firstValueFrom } from 'rxjs';

import { openCore } from '#desktop/engine/open-core.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore, type MemoryFaults } from '#desktop/engine/journal/memory.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import {
  inSync,
  newDisk,
  noHistory,
  platformOn,
  signIn,
  type Device,
} from '#test/desktop/engine/support/device.ts';
import { testEnvironment } from '#test/desktop/engine/support/environment.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { fillable, type StorageWrite } from '#test/support/full-storage.ts';
import { endsWithTest } from '#test/support/ends-with-test.ts';

/** A device that is in sync with a server, on a disk whose journal and databases can be full. */
export async function startOnDisk() {
  const server = new StandInServer();
  server.putGuide(1, { title: 'One' });
  const environment = testEnvironment(server.fetch);
  const disk = newDisk();
  let isFull: (write: StorageWrite) => boolean = () => false;
  const faults: MemoryFaults = {};
  const platform: Platform = {
    ...platformOn(disk, environment),
    openJournal: () => openJournal(memoryStore(faults, disk.journal), environment),
    storage: fillable(disk.storage, (write) => isFull(write)),
  };
  const open = async (): Promise<Device> => {
    const { core, close } = await openCore(platform);
    core.handleConflicts({
      ...noHistory,
      pathNow: async () => null,
      settle: async () => ({ action: 'drop' }),
    });
    let closing: Promise<void> | undefined;
    return endsWithTest({ core, environment, close: () => (closing ??= close()) });
  };
  const device = await open();
  await signIn(device);
  await inSync(device);
  return {
    ...device,
    open,
    disk,
    platform,
    server,
    /** The server is restored to another history, with one guide of this title. */
    restore: (title: string) => {
      server.setUp(false);
      server.restore('h2');
      server.putGuide(1, { title });
      server.setUp(true);
    },
    fillDatabases: (fills: boolean | typeof isFull) =>
      void (isFull = typeof fills === 'boolean' ? () => fills : fills),
    fillJournal: (isFull: boolean) => {
      if (!isFull) delete faults.capacity;
      else faults.capacity = [...disk.journal.values()].reduce((sum, { length }) => sum + length, 0);
    },
  };
}

export async function titles({ core }: Device): Promise<string[]> {
  return (await firstValueFrom(core.mirror.guideRows())).map(({ title }) => title);
}
