import { concatBytes } from './bytes.ts';
import { JournalError, type JournalStore } from './store.ts';

/** The faults of a store in memory. */
export interface MemoryFaults {
  /** The write with this number (0 is the first) and its fsync fail with `sync-failed`. */
  failSync?: number;
  /** The operation with this number (write or remove) is interrupted, and all later ones fail, as in a crash. */
  crashAt?: number;
  /** How many bytes of the interrupted write reach the disk. */
  tornBytes?: number;
  /** How many bytes all files together may have. */
  capacity?: number;
}

/** A store in memory, with its contents and counters. */
export interface MemoryJournalStore extends JournalStore {
  readonly faults: MemoryFaults;
  /** The files by name. Tests may change them in place. */
  readonly disk: Map<string, Uint8Array>;
  /** Number of fsyncs. */
  readonly syncs: number;
  /** Number of writes and removes, which `failSync` and `crashAt` count. */
  readonly operations: number;
}

const BALLAST = 4096;

/** A store in memory, for tests and simulations. It fails as `faults` says. */
export function memoryStore(
  faults: MemoryFaults = {},
  disk = new Map<string, Uint8Array>(),
): MemoryJournalStore {
  let operations = 0;
  let syncs = 0;
  let ballast = 0;
  let crashed = false;
  const used = (): number => [...disk.values()].reduce((sum, bytes) => sum + bytes.length, ballast);

  /** Counts an operation. The one that crashes runs `torn` first. */
  const begin = (torn: () => void): void => {
    if (crashed) throw new JournalError('unavailable', 'The store has crashed');
    const operation = operations;
    operations += 1;
    if (operation !== faults.crashAt) return;
    torn();
    crashed = true;
    throw new JournalError('unavailable', 'The store has crashed');
  };

  const put = (name: string, before: Uint8Array, bytes: Uint8Array): void => {
    begin(() => disk.set(name, concatBytes([before, bytes.subarray(0, faults.tornBytes ?? 0)])));
    const others = used() - (disk.get(name)?.length ?? 0);
    const room = (faults.capacity ?? Infinity) - others - before.length;
    disk.set(name, concatBytes([before, bytes.subarray(0, Math.max(0, room))]));
    if (bytes.length > room) throw new JournalError('no-space', 'No space is left');
    syncs += 1;
    if (operations - 1 === faults.failSync) throw new JournalError('sync-failed', 'The disk did not take it');
  };

  return {
    durability: 'memory',
    faults,
    disk,
    get syncs() {
      return syncs;
    },
    get operations() {
      return operations;
    },
    list: async () => [...disk.keys()],
    read: async (name) => disk.get(name)?.slice(),
    append: async (name, at, bytes) => put(name, disk.get(name)?.slice(0, at) ?? new Uint8Array(), bytes),
    write: async (name, bytes) => put(name, new Uint8Array(), bytes),
    remove: async (name) => {
      begin(() => undefined);
      disk.delete(name);
    },
    releaseBallast: async () => {
      const had = ballast > 0;
      ballast = 0;
      return had;
    },
    reserveBallast: async () => {
      if (ballast === 0 && used() + BALLAST > (faults.capacity ?? Infinity)) return false;
      ballast = BALLAST;
      return true;
    },
    close: async () => undefined,
  };
}
