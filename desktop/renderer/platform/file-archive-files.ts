import { type ArchiveFiles, missing } from '#desktop/engine/journal/archive-files.ts';

import type { Bridge } from './bridge.ts';
import { translated } from './file-journal-store.ts';

/** Stores archives as files, through the main process, beside the journals. */
export async function openFileArchiveFiles(bridge: Bridge): Promise<ArchiveFiles> {
  const lease = await translated(bridge.journalOpen('archives'));
  const size = (name: string) => translated(bridge.journalSize(lease, name));
  return {
    list: () => translated(bridge.journalList(lease)),
    size,
    async open(name, from) {
      let at = from;
      return {
        get size() {
          return at;
        },
        write: async (bytes) => {
          await translated(bridge.journalPut(lease, name, at, bytes));
          at += bytes.length;
        },
        flush: () => translated(bridge.journalFlush(lease, name)),
        close: async () => undefined,
      };
    },
    async source(name) {
      const bytes = await size(name);
      if (bytes === undefined) throw missing(name);
      return {
        size: bytes,
        read: (offset, length) => translated(bridge.journalReadPart(lease, name, offset, length)),
      };
    },
    remove: (name) => translated(bridge.journalRemove(lease, name)),
    give: (name, { filename, title }) => {
      const extension = /\.([a-z0-9]{1,10})$/i.exec(filename)?.[1]?.toLowerCase() ?? 'omanual';
      return translated(
        bridge.journalSaveAs(lease, name, {
          title,
          suggestedName: plainName(filename),
          filters: [{ name: extension, extensions: [extension] }],
        }),
      );
    },
  };
}

/** A file name that is valid in every file system. */
function plainName(filename: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be in a file name
  const plain = filename.replaceAll(/[/\\:*?"<>|\u0000-\u001f]/g, '-').slice(-200);
  return /^\.+$/.test(plain) ? 'archive.omanual' : plain;
}
