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

/**
 * Guides that are written together, while the next ones are read, so that they share a sync to disk: at most this many,
 * until their answers have this many characters.
 */
const together = { guides: 16, characters: 512 * 1024 };

/** Guides of consecutive entries; `end`: index after the last entry. */
interface Group {
  entries: readonly ArchiveEntry[];
  guides: ReadGuide[];
  end: number;
}

/** Imports the remaining guides, each in its own transaction. */
export async function importGuides(run: ImportRun): Promise<void> {
  const { job, archive, services, row } = run;
  const effects = await effectsOf(services.storage.reader, row.importid);
  const done = new Map(effects.filter((one) => one.kind === 'guide').map((one) => [one.member, one]));
  const total = archive.entries.length;
  const read = (from: number): Promise<Group> => {
    const reading = readGroup(run, from, done);
    // A failure is reported when these guides are awaited.
    reading.catch(() => undefined);
    return reading;
  };
  let reading = read(0);
  try {
    for (let from = 0; from < total;) {
      await job.pause();
      job.progress(from, total, 'Importing');
      const group = await reading;
      from = group.end;
      reading = read(from);
      await importTogether(run, group, done);
    }
  } finally {
    await reading.catch(() => undefined);
  }
  job.progress(total, total, 'Imported');
}

async function readGroup(run: ImportRun, from: number, done: ReadonlyMap<string, Effect>): Promise<Group> {
  const { archive } = run;
  const reading: Promise<ReadGuide>[] = [];
  let characters = 0;
  let end = from;
  try {
    while (
      end < archive.entries.length &&
      reading.length < together.guides &&
      characters < together.characters
    ) {
      const { member } = must(archive.entries[end], 'an entry');
      end += 1;
      if (done.has(member)) continue;
      const guide = await guideOf(run, member);
      characters += archive.characters(member);
      const one = readGuide(run, guide);
      // All of them are awaited below.
      one.catch(() => undefined);
      reading.push(one);
    }
    return { entries: archive.entries.slice(from, end), guides: await Promise.all(reading), end };
  } finally {
    // Nothing is stored any more after a failure.
    await Promise.allSettled(reading);
  }
}

async function importTogether(
  run: ImportRun,
  { entries, guides }: Group,
  done: ReadonlyMap<string, Effect>,
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

/** Stores the media of a guide in the blob store, while earlier guides are written. */
async function readGuide(run: ImportRun, guide: ArchivedGuide): Promise<ReadGuide> {
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
