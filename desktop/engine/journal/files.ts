import { z } from 'zod';

import { type Cipher, CipherError } from '../platform/cipher.ts';
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
  /** Of the bytes before encryption. */
  size: z.int().nonnegative(),
  sha256: z.string(),
  /** Whether the file is encrypted. */
  sealed: z.literal(true).optional(),
});

/** An entry of the journal's `files` collection, which describes a file beside the journal. */
type StoredFile = z.infer<typeof storedFile>;

type EncryptedFile = Pick<StoredFile, 'stored' | 'name' | 'sealed'>;

const keptPrefix = 'kept-';

interface Deps {
  store: JournalStore;
  state: JournalState;
  health: WriteHealth;
  uuid: () => string;
  cipher: Cipher | undefined;
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
    const { state } = this.#deps;
    const taken = content instanceof Blob ? content : content.slice();
    return this.inOrder(async () => {
      const bytes = taken instanceof Blob ? new Uint8Array(await taken.arrayBuffer()) : taken;
      const file = this.#placed({ ...about, size: bytes.length, sha256: await sha256(bytes) });
      const before = findFile(state, id);
      if (options.id !== undefined && state.recentIds.has(options.id)) {
        return toJournalFile(id, before ?? file);
      }
      await this.#store(id, file, bytes, options);
      return toJournalFile(id, file);
    });
  }

  read(id: string): Promise<JournalFile & { bytes: Uint8Array }> {
    const { store, state, cipher } = this.#deps;
    return this.inOrder(async () => {
      const file = findFile(state, id);
      const bytes = file === undefined ? undefined : await readStored(store, file, cipher);
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

  /** Encrypts the files that an earlier version stored without encryption (CIPHER-4). */
  encryptEarlier(): Promise<void> {
    const { store, state, cipher } = this.#deps;
    return this.inOrder(async () => {
      if (cipher === undefined) return;
      for (const [id, file] of listStoredFiles(state)) {
        if (file.sealed === true) continue;
        const bytes = await store.read(file.stored);
        if (bytes !== undefined) await this.#store(id, this.#placed(file), bytes, {});
      }
    });
  }

  /** The record of a new file with this description. */
  #placed(described: Omit<StoredFile, 'stored' | 'sealed'>): StoredFile {
    const { uuid, cipher } = this.#deps;
    return {
      ...described,
      stored: `file-${uuid()}`,
      ...(cipher === undefined ? {} : { sealed: true as const }),
    };
  }

  /** Writes a file and then its record, and removes the file that it replaces. */
  async #store(id: string, file: StoredFile, bytes: Uint8Array, options: AppendOptions): Promise<void> {
    const { store, state, health, cipher, append } = this.#deps;
    const before = findFile(state, id);
    health.mustBeWritable();
    try {
      const stored = cipher === undefined ? bytes : sealFile(cipher, file, bytes);
      await health.withBallast(() => store.write(file.stored, stored));
      await append([{ op: 'put', collection: 'files', id, value: file }], options);
    } catch (error) {
      await removeQuietly(store, file.stored);
      throw error;
    }
    if (before !== undefined) await removeQuietly(store, before.stored);
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

/** A file whose name is not in a record: a damaged segment that was encrypted as a whole. */
export function keptFile(stored: string): EncryptedFile | undefined {
  return stored.startsWith(keptPrefix) ? { stored, name: stored, sealed: true } : undefined;
}

/** Name of the file that holds the damaged segment with this number. */
export function keptName(segment: number): string {
  return `${keptPrefix}${segment}`;
}

/** Encrypts the bytes of a file. */
export function sealFile(
  cipher: Cipher,
  { stored }: Pick<StoredFile, 'stored'>,
  bytes: Uint8Array,
): Uint8Array {
  return cipher.seal(bytes, `file ${stored}`);
}

/**
 * The bytes of a stored file, decrypted; undefined if it does not exist.
 * @throws JournalError `damaged` if it was encrypted and cannot be decrypted
 */
export async function readStored(
  store: JournalStore,
  file: EncryptedFile,
  cipher: Cipher | undefined,
): Promise<Uint8Array | undefined> {
  const bytes = await store.read(file.stored);
  if (bytes === undefined || file.sealed === undefined) return bytes;
  try {
    if (cipher === undefined) throw new CipherError('other-key');
    return cipher.open(bytes, `file ${file.stored}`);
  } catch (cause) {
    throw new JournalError('damaged', `The file ${file.name} cannot be decrypted`, { cause });
  }
}

/** The public description of a stored file. */
export function toJournalFile(id: string, file: StoredFile): JournalFile {
  return { id, type: file.type, name: file.name, size: file.size, sha256: file.sha256 };
}

function findFile(state: JournalState, id: string): StoredFile | undefined {
  const entry = state.entries.files.get(id);
  return entry === undefined ? undefined : storedFile.parse(entry.value);
}
