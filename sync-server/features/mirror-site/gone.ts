import type { Context } from '#server/core/context.ts';

import { allMirrored, forgetMirrored, type Mirrored, type MirroredKind } from './mirrored.ts';
import type { Collection } from './report.ts';
import { absenceOf, forEach, write, type Run } from './run.ts';

/** Records of a kind that a site does not list any more. */
export interface Gone {
  collection: Collection;
  kind: MirroredKind;
  /** What a record is called in the report. */
  nameOf: (record: Mirrored) => string;
  /** The address of a record at the site, below `/api/2.0`. */
  pathOf: (record: Mirrored) => string;
  /** Deletes a record here if it is still here; returns why not if it stays. */
  remove: (ctx: Context, record: Mirrored) => Promise<string | null>;
}

export const changedHere = 'It was deleted there, and changed here';

const otherViewer =
  'It is not listed any more, but this token sees other records than that of the run before; it stays';
const stillThere = 'The list does not have it, but it is there';

/** Deletes the copies of records that the site does not list any more. `present`: the ids there that it lists. */
export async function deleteAbsent(run: Run, present: ReadonlySet<string>, gone: Gone): Promise<void> {
  const known = await allMirrored(run.services.storage.reader, run.site, gone.kind);
  const absent = known.filter(({ source }) => !present.has(source));
  await forEach(run, gone.collection, absent, gone.nameOf, (record) => deleteGone(run, record, gone));
}

/**
 * Deletes the copy of a record that is not listed any more.
 *
 * - MIRRORSITE-10 A record that its list does not have any more is asked for by its number. If it does not exist there, it is
 *   deleted here, unless it was changed here since it was copied, or people here commented on it or worked by it.
 * - MIRRORSITE-11 Nothing is deleted if the token is another person's than that of the run before, or has other privileges,
 *   because it sees other records.
 */
export async function deleteGone(run: Run, record: Mirrored, gone: Gone): Promise<void> {
  const { report, site } = run;
  const { collection, kind, nameOf, pathOf, remove } = gone;
  const what = nameOf(record);
  if (!run.deletes) return report.keep(collection, what, otherViewer);
  if (run.dryRun) return report.count(collection, 'deleted');
  const absence = await absenceOf(run, pathOf(record));
  if (absence === 'there') return report.keep(collection, what, stillThere);
  if (absence !== 'gone') return report.keep(collection, what, absence.why);
  const reason = await write(run, async (ctx) => {
    const kept = await remove(ctx, record);
    if (kept === null) await forgetMirrored(ctx.db, site, kind, record.source);
    return kept;
  });
  if (reason === null) report.count(collection, 'deleted');
  else report.keep(collection, what, reason);
}
