import { type FlushedStore, JournalError } from './store.ts';
import { serialQueue } from '../platform/serial-queue.ts';

const BALLAST = 'ballast';
const BALLAST_SIZE = 4 * 1024 * 1024;
// The files of a tab that ended become free a moment later than its lock.
const OPEN_ATTEMPTS = 50;
const OPEN_PAUSE_MS = 100;

interface SyncAccessHandle {
  getSize(): number;
  truncate(size: number): void;
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  flush(): void;
  close(): void;
}

declare global {
  // Exists in dedicated workers only, so it is missing in the types of a page.
  interface FileSystemFileHandle {
    createSyncAccessHandle(): Promise<SyncAccessHandle>;
  }
}

/** Opens a folder of the origin private file system. Works in a dedicated worker only. */
export async function openOpfsFiles(folder: string): Promise<FlushedStore> {
  const root = await navigator.storage.getDirectory();
  const files = new OpfsFiles(await root.getDirectoryHandle(folder, { create: true }));
  await files.list();
  return files;
}

class OpfsFiles implements FlushedStore {
  /** Runs work after all work so far. */
  readonly #inOrder = serialQueue();
  readonly durability = 'private-file-system';
  readonly #folder: FileSystemDirectoryHandle;
  /** The file that was used last. It stays open, because opening costs more than writing. */
  #open: { name: string; handle: SyncAccessHandle } | undefined;

  constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  list(): Promise<string[]> {
    return this.#inOrder(async () => {
      const names: string[] = [];
      for await (const name of this.#folder.keys()) if (name !== BALLAST) names.push(name);
      return names.toSorted();
    });
  }

  read(name: string): Promise<Uint8Array | undefined> {
    return this.#inOrder(async () => {
      const handle = await this.#handle(name, false);
      if (handle === undefined) return undefined;
      const bytes = new Uint8Array(handle.getSize());
      const length = handle.read(bytes, { at: 0 });
      return bytes.subarray(0, length);
    });
  }

  append(name: string, at: number, bytes: Uint8Array): Promise<void> {
    return this.#inOrder(() => this.#append(name, at, bytes));
  }

  put(name: string, at: number, bytes: Uint8Array): Promise<void> {
    return this.#inOrder(async () => void (await this.#put(name, at, bytes)));
  }

  flush(name: string): Promise<void> {
    return this.#inOrder(async () => {
      const handle = await this.#handle(name, true);
      if (handle !== undefined) sync(handle);
    });
  }

  write(name: string, bytes: Uint8Array): Promise<void> {
    return this.#inOrder(() => this.#append(name, 0, bytes));
  }

  remove(name: string): Promise<void> {
    return this.#inOrder(async () => {
      await this.#remove(name);
    });
  }

  releaseBallast(): Promise<boolean> {
    return this.#inOrder(() => this.#remove(BALLAST));
  }

  reserveBallast(): Promise<boolean> {
    return this.#inOrder(async () => {
      const handle = await this.#handle(BALLAST, false);
      if (handle?.getSize() === BALLAST_SIZE) return true;
      try {
        await this.#append(BALLAST, 0, incompressible(BALLAST_SIZE));
        return true;
      } catch {
        await this.#remove(BALLAST);
        return false;
      }
    });
  }

  close(): Promise<void> {
    return this.#inOrder(async () => this.#closeOpen());
  }

  async #append(name: string, at: number, bytes: Uint8Array): Promise<void> {
    sync(await this.#put(name, at, bytes));
  }

  async #put(name: string, at: number, bytes: Uint8Array): Promise<SyncAccessHandle> {
    const handle = await this.#handle(name, true);
    if (handle === undefined || handle.getSize() < at) {
      throw new JournalError('unavailable', `${name} is shorter than what was written to it`);
    }
    try {
      if (handle.getSize() > at) handle.truncate(at);
      const written = handle.write(bytes, { at });
      if (written < bytes.length)
        throw new JournalError('no-space', 'The browser gives this site no more space');
    } catch (error) {
      throw isQuota(error)
        ? new JournalError('no-space', 'The browser gives this site no more space')
        : error;
    }
    return handle;
  }

  async #handle(name: string, create: boolean): Promise<SyncAccessHandle | undefined> {
    if (this.#open?.name === name) return this.#open.handle;
    const file = await this.#folder.getFileHandle(name, { create }).catch((error: unknown) => {
      if (isNamed(error, 'NotFoundError')) return undefined;
      throw error;
    });
    if (file === undefined) return undefined;
    this.#closeOpen();
    const handle = await openPatiently(file);
    this.#open = { name, handle };
    return handle;
  }

  async #remove(name: string): Promise<boolean> {
    if (this.#open?.name === name) this.#closeOpen();
    try {
      await this.#folder.removeEntry(name);
      return true;
    } catch (error) {
      if (isNamed(error, 'NotFoundError')) return false;
      throw error;
    }
  }

  #closeOpen(): void {
    this.#open?.handle.close();
    this.#open = undefined;
  }
}

function sync(handle: SyncAccessHandle): void {
  try {
    handle.flush();
  } catch (error) {
    throw new JournalError('sync-failed', 'The browser could not write to the disk', { cause: error });
  }
}

async function openPatiently(file: FileSystemFileHandle): Promise<SyncAccessHandle> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      if (attempt === OPEN_ATTEMPTS || !isNamed(error, 'NoModificationAllowedError')) throw error;
      await new Promise((resolve) => setTimeout(resolve, OPEN_PAUSE_MS));
    }
  }
}

/** Random bytes: a file system may store zeros without using space. */
function incompressible(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

function isQuota(error: unknown): boolean {
  return isNamed(error, 'QuotaExceededError') || (error instanceof JournalError && error.kind === 'no-space');
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name;
}
