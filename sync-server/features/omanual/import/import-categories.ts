import type { ArchivedCategory } from '#shared/formats/omanual/archive.ts';
import type { Context } from '#server/core/context.ts';
import { versionsOf } from '#server/features/wikis/store.ts';

import { categoryAction, parentsFirst, storeCategory } from './categories.ts';
import { effectsOf, type Effect } from './import-rows.ts';
import { readMedia, withNames, type ReadyMedia } from './ready-media.ts';
import { placingOf, writePiece, type ImportRun } from './run.ts';
import { storeMedia } from './stored-media.ts';

/** Imports the remaining categories, each in its own transaction. */
export async function importCategories(run: ImportRun): Promise<void> {
  const effects = await effectsOf(run.services.storage.reader, run.row.importid);
  const done = new Map(effects.filter((one) => one.kind === 'category').map((one) => [one.id, one]));
  for (const category of parentsFirst(run.archive.categories)) {
    await run.job.pause();
    const media = withNames(category.media, category.facts.documents ?? []);
    const ready = await readMedia(run.sources, media, run.notes);
    await writePiece(run, (ctx) => importCategory(run, ctx, { category, ready, done }));
  }
}

async function importCategory(
  run: ImportRun,
  ctx: Context,
  {
    category,
    ready,
    done,
  }: { category: ArchivedCategory; ready: ReadyMedia[]; done: ReadonlyMap<number, Effect> },
): Promise<void> {
  const { row, report, choice } = run;
  const { member } = category;
  const { title } = category.facts;
  const [here] = await versionsOf(ctx.db, 'CATEGORY', title);
  const known = here === undefined ? undefined : done.get(here.wikiid);
  if (known !== undefined) {
    if (known.action !== 'skipped') report.countFiles(ready.length);
    report.add({ kind: 'category', member, title, action: known.action, id: known.id });
    return;
  }
  const action = await categoryAction(ctx, category, row.existing);
  const used = action === 'skipped' ? [] : ready;
  const stored = await storeMedia(ctx, used, row.userid, choice);
  const placing = placingOf(run, ctx, { userid: row.userid, category: '', isPublic: false });
  const result = await storeCategory(ctx, row.importid, category, action, { placing, stored });
  report.countFiles(used.length);
  report.add({ kind: 'category', member, title, ...result });
}
