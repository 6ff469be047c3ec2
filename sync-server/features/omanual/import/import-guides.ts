import { must } from '#shared/must.ts';
import type { ArchivedGuide, ArchiveEntry } from '#shared/formats/omanual/archive.ts';
import type { Context } from '#server/core/context.ts';

import { effectsOf, type Effect } from './import-rows.ts';
import { readMedia, withNames, type ReadyMedia } from './ready-media.ts';
import { decideGuide, guideOf, placingOf, readingPiece, writePiece, type ImportRun } from './run.ts';
import { authorOf, storeGuide, type GuideAction } from './store-guide.ts';

/**
 * A guide of the archive whose media are in the blob store; `ready` is null if it was to be skipped when it was read.
 */
interface ReadGuide {
  guide: ArchivedGuide;
  ready: ReadyMedia[] | null;
}

/** Number of guides that are written together, while the next ones are read, so that they share a sync to disk. */
const together = 4;

/** Imports the remaining guides, each in its own transaction. */
export async function importGuides(run: ImportRun): Promise<void> {
  const { job, archive, services, row } = run;
  const effects = await effectsOf(services.storage.reader, row.importid);
  const done = new Map(effects.filter((one) => one.kind === 'guide').map((one) => [one.member, one]));
  const total = archive.entries.length;
  const read = (from: number): Promise<ReadGuide[]> => {
    const some = archive.entries.slice(from, from + together).filter(({ member }) => !done.has(member));
    const reading = Promise.all(some.map(({ member }) => readGuide(run, member)));
    // A failure is reported when these guides are awaited.
    reading.catch(() => undefined);
    return reading;
  };
  let reading = read(0);
  try {
    for (let from = 0; from < total; from += together) {
      await job.pause();
      job.progress(from, total, 'Importing');
      const guides = await reading;
      reading = read(from + together);
      await importTogether(run, archive.entries.slice(from, from + together), { guides, done });
    }
  } finally {
    await reading.catch(() => undefined);
  }
  job.progress(total, total, 'Imported');
}

async function importTogether(
  run: ImportRun,
  entries: readonly ArchiveEntry[],
  { guides, done }: { guides: readonly ReadGuide[]; done: ReadonlyMap<string, Effect> },
): Promise<void> {
  // All of them must settle, so that an undo knows every effect.
  const tried = await Promise.allSettled(guides.map((one) => importGuide(run, one)));
  const actions = new Map<string, GuideAction>();
  for (const [index, one] of tried.entries()) {
    if (one.status === 'rejected') throw one.reason;
    actions.set(must(guides[index], 'the guide that was tried').guide.member, one.value);
  }
  for (const { member, title } of entries) {
    const before = done.get(member);
    const action = actions.get(member) ?? before;
    if (before !== undefined && before.action !== 'skipped')
      run.report.countFiles(run.files.get(member) ?? 0);
    if (action !== undefined)
      run.report.add({ kind: 'guide', member, title, action: action.action, id: action.id });
  }
}

/** Reads a guide and stores its media in the blob store, while earlier guides are written. */
async function readGuide(run: ImportRun, member: string): Promise<ReadGuide> {
  const guide = await guideOf(run, member);
  const { action } = await decideGuide(run, await readingPiece(run), guide);
  return { guide, ready: action === 'skipped' ? null : await mediaOf(run, guide) };
}

function mediaOf({ sources, notes }: ImportRun, { media, facts }: ArchivedGuide): Promise<ReadyMedia[]> {
  return readMedia(sources, withNames(media, facts.documents), notes);
}

async function importGuide(run: ImportRun, { guide, ready: read }: ReadGuide): Promise<GuideAction> {
  const stored = await writePiece(run, (ctx) => writeGuide(run, ctx, guide, read));
  if (stored !== null) return stored;
  const ready = await mediaOf(run, guide);
  return must(await writePiece(run, (ctx) => writeGuide(run, ctx, guide, ready)), 'the guide with its media');
}

/**
 * Stores a guide. Returns null if it must be stored although it was skipped when read, so that its media are missing.
 */
async function writeGuide(
  run: ImportRun,
  ctx: Context,
  guide: ArchivedGuide,
  read: ReadyMedia[] | null,
): Promise<GuideAction | null> {
  const { row, notes, report } = run;
  const { member, facts } = guide;
  // Decided again, because an earlier guide of the archive may be the same one.
  const decided = await decideGuide(run, ctx, guide);
  if (decided.action !== 'skipped' && read === null) return null;
  const ready = decided.action === 'skipped' ? [] : (read ?? []);
  const userid = await authorOf(ctx, row, guide.author, notes, member);
  const placing = placingOf(run, ctx, { userid, category: facts.category, isPublic: isPublic(run, guide) });
  const { importid, userid: importer } = row;
  const stored = await storeGuide(ctx, guide, decided, { importid, placing, ready, importer });
  report.countFiles(ready.length);
  return stored;
}

/** Whether the guide becomes public. Only archives of this software state the visibility. */
function isPublic({ archive, row: { visibility } }: ImportRun, { facts }: ArchivedGuide): boolean {
  return visibility === 'archived'
    ? archive.producer === 'benchbook' && facts.public
    : visibility === 'public';
}
