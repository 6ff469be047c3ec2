import { stat } from 'node:fs/promises';

import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';

/** Retention of a file after its import ended, or after an incomplete upload began, seconds. */
export const keepUploadSeconds = 7 * 24 * 3600;

/**
 * Removes files of imports after their retention. Until then a file can be imported with other rules, or its upload
 * continued. Checks the existing files, so that leftovers of a crash are removed too.
 */
export async function pruneUploads(services: Services, seconds: number): Promise<void> {
  const before = seconds - keepUploadSeconds;
  for (const importid of await services.archives.uploads())
    if ((await lastUse(services, importid)) < before) await forgetUpload(services, importid);
}

/** When the file was last used, UNIX seconds; infinite while its import runs. */
async function lastUse(services: Services, importid: number): Promise<number> {
  const row = await services.storage.reader
    .selectFrom('archive_imports')
    .leftJoin('jobs', 'jobs.jobid', 'archive_imports.jobid')
    .select(['archive_imports.created_date', 'jobs.jobid', 'jobs.finished_date'])
    .where('importid', '=', importid)
    .executeTakeFirst();
  // The file is created before its row is committed.
  if (row === undefined) return (await stat(services.archives.uploadPath(importid))).mtimeMs / 1000;
  return row.jobid === null ? row.created_date : (row.finished_date ?? Infinity);
}

async function forgetUpload(services: Services, importid: number): Promise<void> {
  // The row is updated first, so that no import starts with a file that is being removed.
  await services.storage.write(ownOrigin(services, 'prune'), (tx) =>
    tx
      .updateTable('archive_imports')
      .set({ sha256: null, received: 0 })
      .where('importid', '=', importid)
      .execute(),
  );
  await services.archives.removeUpload(importid);
}
