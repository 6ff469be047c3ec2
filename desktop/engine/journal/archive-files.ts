import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { JournalError } from './store.ts';

/** How a copy of a file is offered to the person. */
export interface GivenFile {
  filename: string;
  /** Title of the dialog that asks where to save it. */
  title: string;
}

/** Appends to one file. Only one writer of a file may be open. Failures are `JournalError`s. */
export interface FileWriter {
  /** Bytes written so far. */
  readonly size: number;
  /** Takes ownership of the bytes: the caller must not use them again. They are safe only after `flush`. */
  write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Resolves after fsync of everything written so far. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Large files beside the journal, written and read in pieces and never held in memory as a whole. Names match
 * `storeName`.
 */
export interface ArchiveFiles {
  list(): Promise<string[]>;
  /** Undefined when there is no such file. */
  size(name: string): Promise<number | undefined>;
  /**
   * Opens a file for appending at byte `at`, which is not beyond its end, and cuts off what follows. A new file begins
   * at 0.
   */
  open(name: string, at: number): Promise<FileWriter>;
  /** @throws JournalError `missing` */
  source(name: string): Promise<ByteSource>;
  /** Does nothing when there is no such file. */
  remove(name: string): Promise<void>;
  /**
   * Saves a copy for the person: in the place they choose (desktop app), or among the downloads (browser). False when
   * they cancel.
   */
  give(name: string, about: GivenFile): Promise<boolean>;
}

/** Contents of files in memory, by name. */
export type MemoryFiles = Map<string, Uint8Array<ArrayBuffer>>;

/**
 * Files in memory, for tests and insecure pages. They live as long as `disk`. `onSave` is called with each saved copy.
 */
export function memoryArchiveFiles(
  disk: MemoryFiles = new Map(),
  onSave: (name: string, bytes: Uint8Array<ArrayBuffer>) => void = () => undefined,
): ArchiveFiles {
  return {
    list: () => Promise.resolve([...disk.keys()]),
    size: (name) => Promise.resolve(disk.get(name)?.length),
    open: async (name, at) => {
      let size = at;
      const put = (bytes: Uint8Array): void => {
        const after = new Uint8Array(size + bytes.length);
        after.set((disk.get(name) ?? new Uint8Array()).subarray(0, size));
        after.set(bytes, size);
        disk.set(name, after);
        size = after.length;
      };
      put(new Uint8Array());
      return {
        get size() {
          return size;
        },
        write: async (bytes) => put(bytes),
        flush: async () => undefined,
        close: async () => undefined,
      };
    },
    source: async (name) => {
      const bytes = disk.get(name);
      if (bytes === undefined) throw missing(name);
      return {
        size: bytes.length,
        read: async (offset, length) => {
          if (offset < 0 || offset + length > bytes.length)
            throw new RangeError('Beyond the end of the file');
          return bytes.slice(offset, offset + length);
        },
      };
    },
    remove: async (name) => void disk.delete(name),
    give: async (name, { filename }) => {
      const bytes = disk.get(name);
      if (bytes === undefined) throw missing(name);
      onSave(filename, bytes);
      return true;
    },
  };
}

/** The error for a file that does not exist. */
export function missing(name: string): JournalError {
  return new JournalError('missing', `There is no file ${name} on this device`);
}

/** Size of the pieces in which files are processed: small enough to be done between two frames of a page. */
export const pieceBytes = 1024 * 1024;

/** The pieces of a source in order, starting at byte `from`. */
export async function* piecesOf(source: ByteSource, from = 0): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = from; at < source.size; at += pieceBytes)
    yield await source.read(at, Math.min(pieceBytes, source.size - at));
}
