import { stat } from 'node:fs/promises';

import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';

/** How long the file of an import is kept after the import ended, or began to be sent, seconds. */
export const keepUploadSeconds = 7 * 24 * 3600;

/**
 * Removes files of imports after their time: until then the file can be imported by other rules, or the upload gone on
 * with. It goes by the files that are there, so that what a crash left goes the next time.
 */
export async function pruneUploads(services: Services, seconds: number): Promise<void> {
  const before = seconds - keepUploadSeconds;
  for (const importid of await services.archives.uploads())
    if ((await lastUse(services, importid)) < before) await forgetUpload(services, importid);
}

/** When the file was last of use, UNIX seconds; infinite while its import is not over. */
async function lastUse(services: Services, importid: number): Promise<number> {
  const row = await services.storage.reader
    .selectFrom('archive_imports')
    .leftJoin('jobs', 'jobs.jobid', 'archive_imports.jobid')
    .select(['archive_imports.created_date', 'jobs.jobid', 'jobs.finished_date'])
    .where('importid', '=', importid)
    .executeTakeFirst();
  // A file comes to its place before its row is committed.
  if (row === undefined) return (await stat(services.archives.uploadPath(importid))).mtimeMs / 1000;
  return row.jobid === null ? row.created_date : (row.finished_date ?? Infinity);
}

async function forgetUpload(services: Services, importid: number): Promise<void> {
  // The row says first that the file is gone: nobody is to begin with a file that is about to go.
  await services.storage.write(ownOrigin(services, 'prune'), (tx) =>
    tx
      .updateTable('archive_imports')
      .set({ sha256: null, received: 0 })
      .where('importid', '=', importid)
      .execute(),
  );
  await services.archives.removeUpload(importid);
}
