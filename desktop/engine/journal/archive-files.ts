import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { JournalError } from './store.ts';

/** What a file of archives may be offered as. */
export interface GivenFile {
  filename: string;
  /** Of the dialog that asks where to keep it. */
  title: string;
}

/** Adds to the end of one file. Only one writer of a file may be open. A failure is a `JournalError`. */
export interface FileWriter {
  /** Bytes that were written. */
  readonly size: number;
  /** Takes the bytes over: nobody may use them again. They are safe only after `flush`. */
  write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Resolves after fsync of all that was written. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Large files beside the journal: written and read piece by piece, never held in memory as a whole. Names match
 * `storeName`.
 */
export interface ArchiveFiles {
  list(): Promise<string[]>;
  /** Undefined when there is no such file. */
  size(name: string): Promise<number | undefined>;
  /** Goes on at the byte `at`, which is no further than the end; what is behind it goes. A new file begins at 0. */
  open(name: string, at: number): Promise<FileWriter>;
  /** @throws JournalError `missing` */
  source(name: string): Promise<ByteSource>;
  /** No error when it is not there. */
  remove(name: string): Promise<void>;
  /** Gives a copy to the person: where they choose in the desktop app, among the downloads in a browser; false when they change their mind. */
  give(name: string, about: GivenFile): Promise<boolean>;
}

/** What memory keeps of a file, by name. */
export type MemoryFiles = Map<string, Uint8Array<ArrayBuffer>>;

/** Files that live as long as the page, or as long as `disk`. `given`: what a person was given. */
export function memoryArchiveFiles(
  disk: MemoryFiles = new Map(),
  given: (name: string, bytes: Uint8Array<ArrayBuffer>) => void = () => undefined,
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
      given(filename, bytes);
      return true;
    },
  };
}

export function missing(name: string): JournalError {
  return new JournalError('missing', `There is no file ${name} on this device`);
}

/** So much is worked on at once: small enough to be done between two frames of a page. */
export const pieceBytes = 1024 * 1024;

/** The pieces of a source, in order, from the byte `from` on. */
export async function* piecesOf(source: ByteSource, from = 0): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = from; at < source.size; at += pieceBytes)
    yield await source.read(at, Math.min(pieceBytes, source.size - at));
}
