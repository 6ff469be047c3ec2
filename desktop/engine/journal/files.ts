import { z } from 'zod';

import { sha256 } from './bytes.ts';
import type { AppendOptions, JournalFile } from './journal.ts';
import type { StoredRecord } from './records.ts';
import type { JournalState } from './state.ts';
import { JournalError, type JournalStore, removeQuietly } from './store.ts';
import type { WriteHealth } from './write-health.ts';
import { serialQueue } from '../platform/serial-queue.ts';

const storedFile = z.strictObject({
  /** The store's name of the file. */
  stored: z.string(),
  type: z.string(),
  name: z.string(),
  size: z.int().nonnegative(),
  sha256: z.string(),
});

/** An entry of the journal's `files` collection, which describes a file beside the journal. */
type StoredFile = z.infer<typeof storedFile>;

interface Deps {
  store: JournalStore;
  state: JournalState;
  health: WriteHealth;
  uuid: () => string;
  /** Appends records; see `Journal.append`. */
  append: (records: readonly StoredRecord[], options: AppendOptions) => Promise<void>;
}

/** The files beside the journal (JOURNAL-13). Calls run one after the other. */
export class JournalFiles {
  /** Runs work after all work so far. */
  readonly inOrder = serialQueue();
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  put(
    id: string,
    content: Uint8Array | Blob,
    about: { type: string; name: string },
    options: AppendOptions,
  ): Promise<JournalFile> {
    const { store, state, health, uuid, append } = this.#deps;
    const taken = content instanceof Blob ? content : content.slice();
    return this.inOrder(async () => {
      const bytes = taken instanceof Blob ? new Uint8Array(await taken.arrayBuffer()) : taken;
      const file: StoredFile = {
        ...about,
        stored: `file-${uuid()}`,
        size: bytes.length,
        sha256: await sha256(bytes),
      };
      const before = findFile(state, id);
      if (options.id !== undefined && state.recentIds.has(options.id)) {
        return toJournalFile(id, before ?? file);
      }
      health.mustBeWritable();
      try {
        await health.withBallast(() => store.write(file.stored, bytes));
        await append([{ op: 'put', collection: 'files', id, value: file }], options);
      } catch (error) {
        await removeQuietly(store, file.stored);
        throw error;
      }
      if (before !== undefined) await removeQuietly(store, before.stored);
      return toJournalFile(id, file);
    });
  }

  read(id: string): Promise<JournalFile & { bytes: Uint8Array }> {
    const { store, state } = this.#deps;
    return this.inOrder(async () => {
      const file = findFile(state, id);
      const bytes = file === undefined ? undefined : await store.read(file.stored);
      if (file === undefined || bytes === undefined)
        throw new JournalError('missing', `No file ${id} in the journal`);
      if ((await sha256(bytes)) !== file.sha256) {
        throw new JournalError('damaged', `The file ${id} no longer has the bytes that were saved`);
      }
      return { ...toJournalFile(id, file), bytes };
    });
  }

  delete(id: string, options: AppendOptions): Promise<void> {
    const { store, state, append } = this.#deps;
    return this.inOrder(async () => {
      const before = findFile(state, id);
      await append([{ op: 'delete', collection: 'files', id }], options);
      if (before !== undefined) await removeQuietly(store, before.stored);
    });
  }

  list(): JournalFile[] {
    return [...listStoredFiles(this.#deps.state)].map(([id, file]) => toJournalFile(id, file));
  }

  /** Resolves when all calls so far have ended. */
  async ended(): Promise<void> {
    await this.inOrder(async () => undefined);
  }
}

/** All files that the journal names, by id. */
export function listStoredFiles(state: JournalState): Map<string, StoredFile> {
  return new Map([...state.entries.files].map(([id, { value }]) => [id, storedFile.parse(value)]));
}

/** The public description of a stored file. */
export function toJournalFile(id: string, file: StoredFile): JournalFile {
  return { id, type: file.type, name: file.name, size: file.size, sha256: file.sha256 };
}

function findFile(state: JournalState, id: string): StoredFile | undefined {
  const entry = state.entries.files.get(id);
  return entry === undefined ? undefined : storedFile.parse(entry.value);
}
