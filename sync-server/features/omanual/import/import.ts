import { importReport, type ImportReportRecord } from '#shared/model/archive-record.ts';
import { invalid } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import type { ByteSource } from '#shared/formats/omanual/source.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import { fileSource } from '#server/features/omanual/file-source.ts';
import { findImport, type ImportRow } from '#server/features/omanual/import/import-rows.ts';
import { wantedBase } from '#server/features/omanual/versions.ts';
import { callerNumbered } from '#server/platform/caller.ts';

import { requireOpenAccount } from '../../../core/job.ts';
import { jobKind } from '../../../jobs/kind.ts';
import { checkAll, decideNumbers } from './check.ts';
import { originOf } from './existing.ts';
import { fetchArchive } from './fetch.ts';
import { importCategories } from './import-categories.ts';
import { importGuides } from './import-guides.ts';
import { LinkedFiles } from './linked-files.ts';
import { Notes } from '../findings.ts';
import { forgetMapping } from './numbers.ts';
import { mediaScale } from './ready-media.ts';
import { ImportReport } from './report.ts';
import { importCursor, importInput, type ImportJob, type ImportRun } from './run.ts';
import { undoEffects } from './undo.ts';

/** Kind of the jobs that import archives. */
export const importKind = 'archive-import';

/**
 * Imports an archive. Everything is read and checked before anything is stored. Then each category and each guide is
 * stored in a transaction with its media and a recorded effect. A killed import continues after the last effect.
 */
export const importJob = jobKind({
  kind: importKind,
  input: importInput,
  cursor: importCursor,
  result: importReport,
  async run(job, services) {
    try {
      return await importArchive(job, services, await prepared(job, services));
    } catch (error) {
      throw error instanceof ArchiveRefused ? refusal(error) : error;
    }
  },
  async abandon(job, services) {
    await undoEffects(services, job.input.importid, { force: false });
    await forgetMapping(services, job.input.importid);
  },
});

/** A refused archive as a 422; the member is the field. */
function refusal({ member, message, code }: ArchiveRefused): Error {
  return invalid(member === '' ? 'file' : member, `${message} (${code})`);
}

/** The import, with its file on disk. */
async function prepared(job: ImportJob, services: Services): Promise<ImportRow> {
  const { importid } = job.input;
  const { reader } = services.storage;
  const row = must(await findImport(reader, importid), 'the import');
  await requireOpenAccount(reader, row.userid);
  if (row.sha256 !== null || row.url === null) return row;
  const file = await fetchArchive(services, importid, row.url, job);
  await services.storage.write(ownOrigin(services, 'import'), (tx) =>
    tx
      .updateTable('archive_imports')
      .set({ ...file, received: file.size })
      .where('importid', '=', importid)
      .execute(),
  );
  return { ...row, ...file };
}

async function importArchive(
  job: ImportJob,
  services: Services,
  row: ImportRow,
): Promise<ImportReportRecord> {
  await using source = await uploadedSource(services, row.importid);
  const archive = await services.archiveReading.open(callerNumbered(row.userid), {
    path: services.archives.uploadPath(row.importid),
    filename: row.filename,
    source,
    blobs: { folder: services.blobs.folder, areLocal: services.blobs.areLocal },
  });
  const origin = originOf(archive.base, [services.site.address, row.base, await wantedBase(services)]);
  const notes = new Notes();
  const report = new ImportReport(notes);
  const linked = row.links === 'fetch' ? new LinkedFiles(services, job.signal) : null;
  const opened = {
    job,
    services,
    row,
    archive,
    origin,
    notes,
    report,
    sources: { services, caller: callerNumbered(row.userid), archive, linked, scale: mediaScale() },
    files: new Map<string, number>(),
  };
  const run: ImportRun = { ...opened, choice: await decideNumbers(opened) };
  await checkAll(run);
  if (row.dry_run === 1) return report.record(archive);
  report.reset();
  await importCategories(run);
  await importGuides(run);
  await forgetMapping(services, row.importid);
  return report.record(archive);
}

/** The file of the import. Throws 422 if it is missing, for example after a restore from a backup without it. */
async function uploadedSource(services: Services, importid: number): Promise<ByteSource & AsyncDisposable> {
  return fileSource(services.archives.uploadPath(importid)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? invalid('file', 'The uploaded file is not here any more; send it again')
      : error;
  });
}
