import type { Platform, MediaStore } from '#desktop/engine/journal/platform.ts';
import type { SecretStore } from '#desktop/engine/platform/ports.ts';
import { JournalError, type JournalStore } from '#desktop/engine/journal/store.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { fillable } from '#test/support/full-storage.ts';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';

/** When the app crashes by itself: at this write of the journal, of which this number of bytes reaches the disk. */
export interface Death {
  write: number;
  torn: number;
}

type States = Map<string, { documents: Map<string, unknown> }>;

function storageOf(states: States): Platform['storage'] {
  const storage = { ...getRxStorageMemory(), collectionStates: states };
  return storage as Platform['storage'];
}

/** The stored data of a device: it outlives the app, and a killed app cannot change it. */
export class Disk {
  readonly journal = new Map<string, Uint8Array>();
  readonly secrets = new Map<string, string>();
  readonly media = new Map<string, Blob>();
  readonly archives = new Map<string, Uint8Array<ArrayBuffer>>();
  /** State without its own storage. */
  #states: States = new Map();
  readonly #places = new Map<string, States>();
  /** Free bytes for the journal; Infinity: unlimited. */
  room = Infinity;
  /** Whether the database refuses writes. */
  isDatabaseFull = false;

  get storage(): Platform['storage'] {
    return storageOf(this.#states);
  }

  get places(): Map<string, States> {
    return this.#places;
  }

  get journalBytes(): number {
    return [...this.journal.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Flips a bit in a file of the journal. */
  flip(which: number, where: number): void {
    const names = [...this.journal.keys()].filter((name) => !name.startsWith('file-')).toSorted();
    const name = names[which % Math.max(1, names.length)];
    const bytes = name === undefined ? undefined : this.journal.get(name);
    if (name === undefined || bytes === undefined || bytes.length === 0) return;
    const at = (where * 7919) % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
  }

  /** Which of these words are in files or databases, as text or in base64. */
  holding(words: readonly string[]): string[] {
    const texts = [...this.journal.values()].map((bytes) => Buffer.from(bytes).toString('latin1'));
    for (const [key, { documents }] of [
      ...this.#states,
      ...[...this.#places.values()].flatMap((one) => [...one]),
    ])
      texts.push(`${key} ${JSON.stringify([...documents.values()], withBytes)}`);
    const whole = texts.join('\n');
    return words.filter((word) => [word, ...inBase64(word)].some((form) => whole.includes(form)));
  }

  /** Removes the databases, like a browser that clears them. */
  loseDatabases(): void {
    this.#states = new Map();
    this.#places.clear();
  }
}

/**
 * The life of an app from start to end. After its death no write reaches the disk, although writes succeed, so that
 * the app can finish.
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

  places(): NonNullable<Platform['places']> {
    const { places } = this.#disk;
    return {
      open: async (place) => {
        const states: States = places.get(place) ?? new Map();
        places.set(place, states);
        return this.storage(storageOf(states));
      },
      remove: async (place) => {
        if (!this.#isDead) places.delete(place);
      },
      list: async () => [...places.keys()],
      listCommon: async () => [],
      removeCommon: async () => undefined,
      scrubCommon: async () => true,
    };
  }

  /** The databases, which ignore writes of a dead app. */
  storage(storage: Platform['storage']): Platform['storage'] {
    const onDisk = fillable(storage, () => this.#disk.isDatabaseFull);
    return {
      ...onDisk,
      createStorageInstance: async (params) => {
        const instance = await onDisk.createStorageInstance(params);
        const write = instance.bulkWrite.bind(instance);
        instance.bulkWrite = async (rows, context) => (this.#isDead ? { error: [] } : write(rows, context));
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

/** The base64 forms of a word at each alignment, without the ends that its neighbours influence. */
function inBase64(word: string): string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.from('-'.repeat(shift) + word)
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(shift === 0 ? 0 : shift + 1, -1);
  });
}

function withBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
}
