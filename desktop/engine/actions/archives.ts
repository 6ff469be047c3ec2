import type { ArchiveActions } from '../api/archives.ts';
import type { ActionContext } from '../features/action-context.ts';

/** Loads the code that writes archives and pages when it is first needed. */
const exporting = () => import('../features/archives/export/export.ts');

/** Actions on archives. */
export function archiveActions(context: ActionContext): ArchiveActions {
  const { archives } = context;
  const { store, downloads } = archives;
  return {
    openArchive: (source, filename) => store.add(source, filename, { kind: 'opened' }),
    fetchArchive: (url) => downloads.fromUrl(url),
    dismissArchiveNews: (archiveid) => archives.news.dismiss(archiveid),
    allowArchiveLinks: (archiveid) => store.allowLinks(archiveid),
    removeArchive: (archiveid) => archives.remove(archiveid),
    saveArchive: (archiveid, title) => store.give(archiveid, title),
    exportArchive: async (choice) => (await exporting()).exportArchive(context, choice),
    exportPage: async (choice, title, locale) =>
      (await exporting()).exportPage(context, choice, title, locale),
    downloadArchive: (name) => downloads.fromServer(name),
    importArchive: (archiveid, rules) => archives.imports.queue(archiveid, rules, { trial: false }),
    tryImport: (archiveid, rules) => archives.imports.queue(archiveid, rules, { trial: true }),
    runImport: (importid, rules) => archives.imports.run(importid, rules),
    undoImport: (importid) => archives.imports.undo(importid),
    requestArchive: (choice) => downloads.onRequest(choice),
    pauseDownload: (archiveid) => downloads.pause(archiveid),
    resumeDownload: (archiveid) => downloads.resume(archiveid),
  };
}
