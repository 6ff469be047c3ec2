import { type ArchiveFiles, missing } from '#desktop/engine/journal/archive-files.ts';

import type { Bridge } from './bridge.ts';
import { withJournalErrors } from './file-journal-store.ts';

/** Stores archives as files, through the main process, beside the journals. */
export async function openFileArchiveFiles(bridge: Bridge): Promise<ArchiveFiles> {
  const lease = await withJournalErrors(bridge.journalOpen('archives'));
  const size = (name: string) => withJournalErrors(bridge.journalSize(lease, name));
  return {
    list: () => withJournalErrors(bridge.journalList(lease)),
    size,
    async open(name, from) {
      let at = from;
      return {
        get size() {
          return at;
        },
        write: async (bytes) => {
          await withJournalErrors(bridge.journalPut(lease, name, at, bytes));
          at += bytes.length;
        },
        flush: () => withJournalErrors(bridge.journalFlush(lease, name)),
        close: async () => undefined,
      };
    },
    async source(name) {
      const bytes = await size(name);
      if (bytes === undefined) throw missing(name);
      return {
        size: bytes,
        read: (offset, length) => withJournalErrors(bridge.journalReadPart(lease, name, offset, length)),
      };
    },
    remove: (name) => withJournalErrors(bridge.journalRemove(lease, name)),
    give: (name, { filename, title }) => {
      const extension = /\.([a-z0-9]{1,10})$/i.exec(filename)?.[1]?.toLowerCase() ?? 'omanual';
      return withJournalErrors(
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
