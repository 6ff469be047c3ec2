import type { Platform } from '#desktop/engine/platform.ts';
import type { MediaStore, SecretStore } from '#desktop/engine/platform.ts';
import { JournalError, type JournalStore } from '#desktop/engine/journal/store.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';

/** When the device dies by itself: at this write of the journal, of which so many bytes reach the disk. */
export interface Death {
  write: number;
  torn: number;
}

/** What a device keeps: it stays when the app dies, and nothing that a dead app does reaches it. */
export class Disk {
  readonly journal = new Map<string, Uint8Array>();
  readonly secrets = new Map<string, string>();
  readonly media = new Map<string, Blob>();
  readonly archives = new Map<string, Uint8Array<ArrayBuffer>>();
  storage = memoryStorage();
  /** Bytes that fit into the journal; Infinity: as many as there are. */
  room = Infinity;
  /** Whether the database takes writes. */
  isDatabaseFull = false;

  /** The databases are lost, as when a browser clears them. */
  loseDatabases(): void {
    this.storage = memoryStorage();
  }
}

/**
 * The life of an app from its start to its end. When it is dead, nothing that it writes reaches the disk, though it is
 * told otherwise, so that it comes to its end.
 */
export class Life {
  readonly #disk: Disk;
  #isDead = false;
  #death: Death | null = null;
  #writes = 0;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** From now on nothing that the app does has an effect. */
  die(): void {
    this.#isDead = true;
  }

  dieAt(death: Death | null): void {
    this.#death = death === null ? null : { ...death, write: this.#writes + death.write };
  }

  journalStore(): JournalStore {
    const disk = this.#disk;
    const store = memoryStore({}, disk.journal);
    const write = async (name: string, at: number, bytes: Uint8Array): Promise<void> => {
      if (this.#isDead) return;
      const number = (this.#writes += 1);
      const before = disk.journal.get(name)?.slice(0, at) ?? new Uint8Array();
      if (this.#death !== null && number >= this.#death.write) {
        disk.journal.set(name, joined(before, bytes.subarray(0, this.#death.torn % (bytes.length + 1))));
        return this.die();
      }
      const others = [...disk.journal].reduce(
        (sum, [one, { length }]) => sum + (one === name ? 0 : length),
        0,
      );
      const room = disk.room - others - before.length;
      if (bytes.length > room) {
        disk.journal.set(name, joined(before, bytes.subarray(0, Math.max(0, room))));
        throw new JournalError('no-space', 'No space is left');
      }
      disk.journal.set(name, joined(before, bytes));
    };
    return {
      ...store,
      append: write,
      write: (name, bytes) => write(name, 0, bytes),
      remove: async (name) => {
        if (!this.#isDead) disk.journal.delete(name);
      },
      reserveBallast: async () => disk.room === Infinity,
      releaseBallast: async () => false,
    };
  }

  secrets(): SecretStore {
    const { secrets } = this.#disk;
    return {
      read: async (name) => secrets.get(name),
      write: async (name, secret) => {
        if (!this.#isDead) secrets.set(name, secret);
      },
      remove: async (name) => {
        if (!this.#isDead) secrets.delete(name);
      },
    };
  }

  media(): MediaStore {
    const { media } = this.#disk;
    return {
      get: async (key) => media.get(key),
      put: async (key, blob) => {
        if (!this.#isDead) media.set(key, blob);
      },
      remove: async (key) => {
        if (!this.#isDead) media.delete(key);
      },
      list: async () => [...media].map(([key, { size }]) => ({ key, bytes: size })),
    };
  }

  /** The databases, which take no writes of a dead app. */
  storage(): Platform['storage'] {
    const { storage } = this.#disk;
    return {
      ...storage,
      createStorageInstance: async (params) => {
        const instance = await storage.createStorageInstance(params);
        const write = instance.bulkWrite.bind(instance);
        instance.bulkWrite = async (rows, context) => {
          if (this.#isDead) return { error: [] };
          if (this.#disk.isDatabaseFull)
            throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
          return write(rows, context);
        };
        return instance;
      },
    };
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
