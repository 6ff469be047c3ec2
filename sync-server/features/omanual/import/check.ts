import { invalid } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { ArchivedMedia } from '#shared/formats/omanual/archive.ts';
import type { ImportRow } from '#server/features/omanual/import/import-rows.ts';

import { contextForJob } from '../../../core/job.ts';
import { choiceFor, type IdChoice } from '../../guides/import/ids.ts';
import { categoryAction } from './categories.ts';
import { numberedGuide, reservedTogether, reserveNumbers, type NumberedGuide } from './numbers.ts';
import { isFetched } from './ready-media.ts';
import { decideGuide, guideOf, readingPiece, type ImportRun } from './run.ts';
import type { GuideAction } from './store-guide.ts';

/** Decides, before anything else, whether the import keeps numbers. */
export async function decideNumbers({
  job,
  services,
  row,
  archive,
  origin,
}: Omit<ImportRun, 'choice'>): Promise<IdChoice> {
  if (job.cursor !== null) return job.cursor.ids;
  if (row.dry_run === 1) return 'map';
  return contextForJob(services, null, async (ctx) => {
    const mayKeep = archive.producer === 'benchbook' && row.existing !== 'new' && origin.host !== '';
    const ids = mayKeep ? await choiceFor(ctx, origin.host) : 'map';
    await job.advance(ctx, { ids });
    return ids;
  });
}

/** Reads the whole archive, so that it is refused before anything is stored. Reserves numbers for new guides. */
export async function checkAll(run: ImportRun): Promise<void> {
  const { job, services, row, archive, origin, choice, report } = run;
  const total = archive.entries.length;
  if (total === 0 && archive.categories.length === 0)
    throw invalid('file', 'There is nothing in the archive');
  await checkCategories(run);
  let waiting: NumberedGuide[] = [];
  const seen = new Set<string>();
  for (const [index, { member }] of archive.entries.entries()) {
    await job.pause();
    job.progress(index, total, 'Checking');
    const guide = await guideOf(run, member);
    run.files.set(member, filesIn(guide.media).length);
    const known = await decideGuide(run, await readingPiece(run), guide);
    const decided = withTwin(row, known, guide.facts, seen);
    if (decided.action !== 'skipped') countMedia(run, guide.media);
    report.add({ kind: 'guide', member, title: guide.facts.title, ...decided });
    if (row.dry_run === 1) continue;
    waiting.push(numberedGuide(guide));
    if (waiting.length < reservedTogether && index + 1 < total) continue;
    await reserveNumbers(services, row, waiting, { origin, choice });
    waiting = [];
  }
}

/** Adapts the action for a guide that equals an earlier guide of the archive, which will exist by then. */
function withTwin(
  { existing }: Pick<ImportRow, 'existing'>,
  decided: GuideAction,
  { category, type, title, langid }: GuideFacts,
  seen: Set<string>,
): GuideAction {
  const key = JSON.stringify([category, type, title, langid]);
  const isTwin = decided.action === 'created' && existing !== 'new' && seen.has(key);
  seen.add(key);
  return isTwin ? { action: existing === 'revision' ? 'changed' : 'skipped', id: null } : decided;
}

async function checkCategories(run: ImportRun): Promise<void> {
  const { row, archive, report } = run;
  const reading = await readingPiece(run);
  for (const category of archive.categories) {
    const action = await categoryAction(reading, category, row.existing);
    if (action !== 'skipped') countMedia(run, category.media);
    report.add({ kind: 'category', member: category.member, title: category.facts.title, action, id: null });
  }
}

function filesIn(media: readonly ArchivedMedia[]): ArchivedMedia[] {
  return media.filter(({ member }) => member !== null);
}

/** Counts the files of a dry run. Linked files are reported, because it is unknown whether they can be fetched. */
function countMedia({ row, notes, report }: ImportRun, media: readonly ArchivedMedia[]): void {
  report.countFiles(filesIn(media).length);
  if (row.dry_run === 0 || row.links === 'leave') return;
  for (const one of media.filter(isFetched))
    notes.add(
      'unresolved',
      'media-to-fetch',
      one.url ?? '',
      'A file is only linked; the import tries to fetch it',
    );
}
