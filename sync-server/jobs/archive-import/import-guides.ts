import { must } from '#shared/must.ts';
import type { ArchivedGuide } from '#shared/omanual/archive.ts';

import { effectsOf } from './effects.ts';
import { readMedia, withNames, type ReadyMedia } from './ready-media.ts';
import { decideGuide, placingOf, writePiece, type ImportRun } from './run.ts';
import { authorOf, storeGuide } from './store-guide.ts';

/** A guide of the archive whose media are in the blob store; null: it was to be skipped when it was read. */
interface ReadGuide {
  guide: ArchivedGuide;
  ready: ReadyMedia[] | null;
}

/** Guides that are read ahead while one is written: reading and writing wait for the disk at different places. */
const readAhead = 2;

/** Imports the guides that are not done yet, each in one transaction. */
export async function importGuides(run: ImportRun): Promise<void> {
  const { job, archive, report, services, row } = run;
  const effects = await effectsOf(services.storage.reader, row.importid);
  const done = new Map(effects.filter((one) => one.kind === 'guide').map((one) => [one.member, one]));
  const total = archive.entries.length;
  const reading = new Map<string, Promise<ReadGuide>>();
  const begin = (index: number): void => {
    const member = archive.entries[index]?.member;
    if (member === undefined || done.has(member)) return;
    const read = readGuide(run, member);
    // Its failure counts when it is that guide's turn.
    read.catch(() => undefined);
    reading.set(member, read);
  };
  for (let index = 0; index < readAhead; index += 1) begin(index);
  try {
    for (const [index, { member, title }] of archive.entries.entries()) {
      await job.pause();
      job.progress(index, total, 'Importing');
      const before = done.get(member);
      const read = await reading.get(member);
      reading.delete(member);
      begin(index + readAhead);
      if (before === undefined) await importGuide(run, must(read, 'the guide that was read'));
      else report.say({ kind: 'guide', member, title, action: before.action, id: before.id });
    }
  } finally {
    await Promise.allSettled(reading.values());
  }
  job.progress(total, total, 'Imported');
}

/** Reads a guide and puts its media into the blob store, while the one before it is written. */
async function readGuide(run: ImportRun, member: string): Promise<ReadGuide> {
  const guide = await run.archive.guide(member);
  const { action } = await decideGuide(run, guide);
  return { guide, ready: action === 'skipped' ? null : await mediaOf(run, guide) };
}

function mediaOf({ sources, notes }: ImportRun, { media, facts }: ArchivedGuide): Promise<ReadyMedia[]> {
  return readMedia(sources, withNames(media, facts.documents), notes);
}

async function importGuide(run: ImportRun, { guide, ready: read }: ReadGuide): Promise<void> {
  const { row, archive, notes, report } = run;
  const { member, facts } = guide;
  // Again: the guide before may be the same one.
  const decided = await decideGuide(run, guide);
  const ready = decided.action === 'skipped' ? [] : (read ?? (await mediaOf(run, guide)));
  await writePiece(run, async (ctx) => {
    const userid = await authorOf(ctx, row, guide.author, notes, member);
    const category = facts.category || archive.categories[0]?.facts.title || 'Imported guides';
    const placing = placingOf(run, ctx, { userid, category, isPublic: isPublic(run, guide) });
    const { importid, userid: importer } = row;
    const item = await storeGuide(ctx, guide, decided, { importid, placing, ready, importer });
    report.countFiles(ready.length);
    report.say({ kind: 'guide', member, title: facts.title, ...item });
  });
}

/** As the archive says, where it says it: only our own do. */
function isPublic({ archive, row: { visibility } }: ImportRun, { facts }: ArchivedGuide): boolean {
  return visibility === 'archived'
    ? archive.producer === 'benchbook' && facts.public
    : visibility === 'public';
}
