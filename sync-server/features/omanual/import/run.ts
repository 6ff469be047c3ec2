import { z } from 'zod';

import type { Archive, ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import type { ImportRow } from '#server/features/omanual/import-rows.ts';

import { contextForJob, readingContext } from '../../../core/job.ts';
import { ImportedIds, type IdChoice } from '../../guides/import/ids.ts';
import type { RunningJob } from '../../../jobs/kind.ts';
import type { Origin } from './existing.ts';
import type { Placing } from './facts.ts';
import type { Notes } from './notes.ts';
import { mappingOf } from './numbers.ts';
import type { MediaSources } from './ready-media.ts';
import type { ImportReport } from './report.ts';
import { guideAction, type GuideAction } from './store-guide.ts';

export const importInput = z.strictObject({ importid: z.int() });
/** `ids`: whether numbers stay what they were, decided once. */
export const importCursor = z.strictObject({ ids: z.enum(['keep', 'map']) });
export type ImportJob = RunningJob<z.infer<typeof importInput>, z.infer<typeof importCursor>>;

/** An import under way: the opened archive, its rules, and what was found and done so far. */
export interface ImportRun {
  job: ImportJob;
  services: Services;
  row: ImportRow;
  archive: Archive;
  origin: Origin;
  choice: IdChoice;
  notes: Notes;
  report: ImportReport;
  sources: MediaSources;
  /** How many files of the archive each guide has, by its member; known after the check. */
  files: Map<string, number>;
}

/** A guide of the archive in the category and the language that it gets here, where the archive names none. */
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
 * One piece of an import, whole or not there, with the rights of the importer, and what texts name judged by them.
 * Pieces that are written at the same time share a commit, in their order.
 */
export function writePiece<T>({ services, row }: ImportRun, work: (ctx: Context) => Promise<T>): Promise<T> {
  return contextForJob(services, row.userid, work, 'person', 'import');
}

/** What is done with a guide, as things are now: `ctx` has the rights of the importer. */
export function decideGuide(
  { row, origin, notes }: ImportRun,
  ctx: Context,
  guide: ArchivedGuide,
): Promise<GuideAction> {
  return guideAction(ctx, guide, { origin, existing: row.existing, notes });
}

/** For looking at what is here, with the rights of the importer. */
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
