import { openOpfsStore } from './opfs.ts';
import { JournalError } from './store.ts';
import { blobSource } from '#shared/formats/omanual/source.ts';
import { type ArchiveFiles, missing } from './archive-files.ts';

const store = 'archives';

/** Files in the origin private file system. They are written by a worker, which can fsync, and read directly. */
export function opfsArchiveFiles(): ArchiveFiles {
  const folder = async (): Promise<FileSystemDirectoryHandle> => {
    const root = await navigator.storage.getDirectory();
    return root.getDirectoryHandle(`journal-${store}`, { create: true });
  };
  const find = async (name: string): Promise<File | undefined> => {
    try {
      return await (await (await folder()).getFileHandle(name)).getFile();
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return undefined;
      throw new JournalError('unavailable', `${name} could not be read`, { cause: error });
    }
  };
  const read = async (name: string): Promise<File> => {
    const file = await find(name);
    if (file === undefined) throw missing(name);
    return file;
  };
  return {
    async list() {
      const names: string[] = [];
      for await (const name of (await folder()).keys()) names.push(name);
      return names.filter((name) => name !== 'ballast');
    },
    size: async (name) => (await find(name))?.size,
    async open(name, at) {
      let size = at;
      const worker = await openOpfsStore(store);
      return {
        get size() {
          return size;
        },
        write: async (bytes) => {
          const { length } = bytes;
          await worker.put(name, size, bytes);
          size += length;
        },
        flush: () => worker.flush(name),
        close: () => worker.close(),
      };
    },
    source: async (name) => blobSource(await read(name)),
    async remove(name) {
      const worker = await openOpfsStore(store);
      try {
        await worker.remove(name);
      } finally {
        await worker.close();
      }
    },
    async give(name, { filename }) {
      const url = URL.createObjectURL(await read(name));
      const link = document.createElement('a');
      link.href = url;
      link.download = filename;
      link.click();
      // The browser reads the file while it saves the copy, so the address must stay valid that long.
      setTimeout(() => URL.revokeObjectURL(url), givenMs);
      return true;
    },
  };
}

const givenMs = 10 * 60_000;
