import type { ByteSink, ByteSource } from '#shared/omanual/source.ts';

import { JournalError } from '../journal/store.ts';

/** What a file of archives may be offered as. */
export interface GivenFile {
  filename: string;
  /** Of the dialog that asks where to keep it. */
  title: string;
}

/** Adds to the end of one file. Only one writer of a file may be open. */
export interface FileWriter {
  /** Bytes that are there. */
  readonly size: number;
  /** Resolves after fsync. A failure is a `JournalError`; what was there before is untouched. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Large files beside the journal: written and read piece by piece, never held in memory as a whole. Names match
 * `storeName`.
 */
export interface ArchiveFiles {
  list(): Promise<string[]>;
  /** Undefined when there is no such file. */
  size(name: string): Promise<number | undefined>;
  /** Goes on at the end of what is there. */
  open(name: string): Promise<FileWriter>;
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
    open: async (name) => {
      disk.set(name, disk.get(name) ?? new Uint8Array());
      return {
        get size() {
          return disk.get(name)?.length ?? 0;
        },
        write: async (bytes) => {
          const before = disk.get(name) ?? new Uint8Array();
          const after = new Uint8Array(before.length + bytes.length);
          after.set(before);
          after.set(bytes, before.length);
          disk.set(name, after);
        },
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

const pieceBytes = 1024 * 1024;

/** The pieces of a source, in order, each small enough to be worked on between two frames of a page. */
export async function* piecesOf(source: ByteSource, from = 0): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = from; at < source.size; at += pieceBytes)
    yield await source.read(at, Math.min(pieceBytes, source.size - at));
}

/** Gathers small pieces until they are worth a write; the last ones go at `flush`. */
export function bufferedSink(
  write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>,
): ByteSink & { flush(): Promise<void> } {
  let waiting: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (size === 0) return;
    const whole = joined(waiting, size);
    waiting = [];
    size = 0;
    await write(whole);
  };
  return {
    write: async (bytes) => {
      // Whoever gave the bytes may write the next ones over them.
      waiting.push(bytes.slice());
      size += bytes.length;
      if (size >= pieceBytes) await flush();
    },
    flush,
  };
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
