import { z } from 'zod';

import type { ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import type { ImportRow } from '#server/features/omanual/import/import-rows.ts';

import { contextForJob, readingContext } from '../../../core/job.ts';
import { ImportedIds, type IdChoice } from '../../guides/import/ids.ts';
import type { RunningJob } from '../../../jobs/kind.ts';
import type { Origin } from './existing.ts';
import type { Placing } from './facts.ts';
import type { Notes } from '../findings.ts';
import { mappingOf } from './numbers.ts';
import type { ReadableArchive } from './reading.ts';
import type { MediaSources } from './ready-media.ts';
import type { ImportReport } from './report.ts';
import { guideAction, type GuideAction } from './store-guide.ts';

export const importInput = z.strictObject({ importid: z.int() });
/** `ids`: whether the import keeps numbers; decided once. */
export const importCursor = z.strictObject({ ids: z.enum(['keep', 'map']) });
export type ImportJob = RunningJob<z.infer<typeof importInput>, z.infer<typeof importCursor>>;

/** A running import: the opened archive, its rules, and the results so far. */
export interface ImportRun {
  job: ImportJob;
  services: Services;
  row: ImportRow;
  archive: ReadableArchive;
  origin: Origin;
  choice: IdChoice;
  notes: Notes;
  report: ImportReport;
  sources: MediaSources;
  /** Number of files of each guide, by its member; known after the check. */
  files: Map<string, number>;
}

/** A guide of the archive; if it names no category or language, with those that it gets here. */
export async function guideOf({ archive, services }: ImportRun, member: string): Promise<ArchivedGuide> {
  const guide = await archive.guide(member);
  const { category, langid } = guide.facts;
  const placed = {
    category: category || archive.categories[0]?.facts.title || 'Imported guides',
    langid: langid || services.site.langid,
  };
  return { ...guide, facts: { ...guide.facts, ...placed } };
}

/**
 * Runs a piece of an import in a transaction, with the permissions of the importer, also for references in texts.
 * Concurrent pieces share a commit, in their order.
 */
export function writePiece<T>({ services, row }: ImportRun, work: (ctx: Context) => Promise<T>): Promise<T> {
  return contextForJob(services, row.userid, work, 'person', 'import');
}

/** The action for a guide at this moment. `ctx` has the permissions of the importer. */
export function decideGuide(
  { row, origin, notes }: ImportRun,
  ctx: Context,
  guide: ArchivedGuide,
): Promise<GuideAction> {
  return guideAction(ctx, guide, { origin, existing: row.existing, notes });
}

/** A context for reading, with the permissions of the importer. */
export function readingPiece({ services, row }: ImportRun): Promise<Context> {
  return readingContext(services, row.userid, '');
}

export function placingOf(
  { row, origin, choice }: ImportRun,
  ctx: Context,
  whose: Pick<Placing, 'userid' | 'category' | 'isPublic'>,
): Placing {
  return { ...whose, choice, origin, ids: new ImportedIds(ctx, mappingOf(row.importid)) };
}
