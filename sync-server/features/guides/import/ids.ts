import { must } from '#shared/must.ts';
import type { Context } from '#server/core/context.ts';
import { workSlices } from '#server/platform/slices.ts';
import { chunks } from '#server/storage/chunks.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Tables } from '#server/storage/tables.ts';

/** Kinds of records whose ids an import translates. */
export type ImportedKind =
  | 'guide'
  | 'step'
  | 'line'
  | 'user'
  | 'team'
  | 'wiki'
  | 'image'
  | 'document'
  | 'video'
  | 'comment'
  | 'form'
  | 'field'
  | 'entry';

/** `keep`: ids stay the same if they are free. `map`: all records get new ids. */
export type IdChoice = 'keep' | 'map';

/** Maps ids of another site to ids of this one; stored across imports. */
export class ImportedIds {
  readonly #ctx: Pick<Context, 'db'>;
  readonly #site: string;

  constructor(ctx: Pick<Context, 'db'>, site: string) {
    this.#ctx = ctx;
    this.#site = site;
  }

  /** The ids of several records by their ids on the other site, without unknown records. */
  async known(kind: ImportedKind, sources: readonly number[]): Promise<Map<number, number>> {
    const found = new Map<number, number>();
    for (const some of chunks([...new Set(sources)])) {
      const rows = await this.#ctx.db
        .selectFrom('imported_ids')
        .select(['source', 'id'])
        .where('site', '=', this.#site)
        .where('kind', '=', kind)
        .where('source', 'in', some)
        .execute();
      for (const row of rows) found.set(row.source, row.id);
    }
    return found;
  }

  async find(kind: ImportedKind, source: number): Promise<number | undefined> {
    const [row] = await idOf(this.#ctx.db, { site: this.#site, kind, source });
    return row?.id;
  }

  async remember(kind: ImportedKind, source: number, id: number): Promise<void> {
    await storeId(this.#ctx.db, { site: this.#site, kind, source, id });
  }
}

const idOf = prepared<Omit<Tables['imported_ids'], 'id'>, { id: number }>((db, value) =>
  db
    .selectFrom('imported_ids')
    .select('id')
    .where('site', '=', value('site'))
    .where('kind', '=', value('kind'))
    .where('source', '=', value('source')),
);

const storeId = prepared<Tables['imported_ids'], unknown>((db, value) =>
  db
    .insertInto('imported_ids')
    .values({ site: value('site'), kind: value('kind'), source: value('source'), id: value('id') })
    .onConflict((conflict) =>
      conflict.columns(['site', 'kind', 'source']).doUpdateSet((eb) => ({ id: eb.ref('excluded.id') })),
    ),
);

/**
 * Reserves ids for a guide and its steps before anything is stored, so that links between guides can be translated in
 * any order. A reserved id is not used for anything else.
 */
export async function reserveIds(
  ctx: Context,
  ids: ImportedIds,
  guide: { guideid: number; stepids: number[] },
  choice: IdChoice,
  userid: number,
): Promise<void> {
  if ((await ids.find('guide', guide.guideid)) === undefined) {
    const isFree = choice === 'keep' && !(await guideExists(ctx, guide.guideid));
    await ids.remember(
      'guide',
      guide.guideid,
      await takeGuideId(ctx, isFree ? guide.guideid : undefined, userid),
    );
  }
  await reserveSteps(ctx, ids, guide.stepids, choice);
}

/** Reserves ids for steps, also for those that only links name so far. */
export async function reserveSteps(
  ctx: Context,
  ids: ImportedIds,
  stepids: readonly number[],
  choice: IdChoice,
): Promise<void> {
  const known = await ids.known('step', stepids);
  const wanted = [...new Set(stepids)].filter((source) => !known.has(source));
  const taken = choice === 'keep' ? await existingSteps(ctx, wanted) : new Set(wanted);
  const assigned = await takeStepIds(
    ctx,
    wanted.filter((source) => !taken.has(source)),
    wanted.filter((source) => taken.has(source)),
  );
  const slice = workSlices();
  for (const [source, stepid] of assigned) {
    await slice();
    await ids.remember('step', source, stepid);
  }
}

export async function guideExists(ctx: Context, guideid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('guides')
    .select('guideid')
    .where('guideid', '=', guideid)
    .executeTakeFirst();
  return row !== undefined;
}

async function existingSteps(ctx: Context, stepids: readonly number[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (const some of chunks(stepids)) {
    const rows = await ctx.db.selectFrom('steps').select('stepid').where('stepid', 'in', some).execute();
    for (const { stepid } of rows) found.add(stepid);
  }
  return found;
}

/** Inserting and deleting a row consumes its number in the sequence. */
async function takeGuideId(ctx: Context, guideid: number | undefined, userid: number): Promise<number> {
  const row = await ctx.db
    .insertInto('guides')
    .values({ ...(guideid === undefined ? {} : { guideid }), ...emptyGuideRow(userid) })
    .returning('guideid')
    .executeTakeFirstOrThrow();
  await ctx.db.deleteFrom('guides').where('guideid', '=', row.guideid).execute();
  return row.guideid;
}

/** Consumes numbers for steps: the `free` ones as they are, and a new one for each of `others`. */
async function takeStepIds(
  ctx: Context,
  free: readonly number[],
  others: readonly number[],
): Promise<Map<number, number>> {
  const assigned = new Map<number, number>();
  const slice = workSlices();
  for (const stepid of free) {
    await slice();
    await takeStep(ctx.db, { stepid });
    assigned.set(stepid, stepid);
  }
  for (const source of others) {
    await slice();
    const [row] = await takeAnyStep(ctx.db, {});
    assigned.set(source, must(row, 'the row of the step').stepid);
  }
  for (const some of chunks([...assigned.values()]))
    await ctx.db.deleteFrom('steps').where('stepid', 'in', some).execute();
  return assigned;
}

const takeAnyStep = prepared<Record<never, never>, { stepid: number }>((db) =>
  db.insertInto('steps').values({ guideid: 0, deleted: 1 }).returning('stepid'),
);

const takeStep = prepared<{ stepid: number }, unknown>((db, value) =>
  db.insertInto('steps').values({ stepid: value('stepid'), guideid: 0, deleted: 1 }),
);

/** Consumes a number for a video of another site, which has no file here, so that no local file gets its number. */
export async function takeVideoId(ctx: Context, videoid: number | undefined): Promise<number> {
  const row = await ctx.db
    .insertInto('video_files')
    .values({
      ...(videoid === undefined ? {} : { videoid }),
      guid: `reserved ${videoid ?? ''}`,
      userid: 0,
      filename: '',
      size: 0,
      sha256: '',
      mime: '',
      created_date: 0,
    })
    .returning('videoid')
    .executeTakeFirstOrThrow();
  await ctx.db.deleteFrom('video_files').where('videoid', '=', row.videoid).execute();
  return row.videoid;
}

/** Columns of a guide that is not stored yet. */
export function emptyGuideRow(userid: number) {
  return {
    revisionid: 0,
    guide_revisionid: 0,
    userid,
    public: 0,
    deleted: 0,
    featured: 0,
    category: '',
    type: '',
    title: '',
    langid: '',
    created_date: 0,
    modified_date: 0,
  };
}

/**
 * Returns `keep` if all guides of this site, if any, came from the same other site with the ids that they had there.
 */
export async function choiceFor(ctx: Context, site: string): Promise<IdChoice> {
  const other = await ctx.db
    .selectFrom('guides')
    .leftJoin('imported_ids', (join) =>
      join
        .onRef('imported_ids.id', '=', 'guides.guideid')
        .onRef('imported_ids.source', '=', 'guides.guideid')
        .on('imported_ids.kind', '=', 'guide')
        .on('imported_ids.site', '=', site),
    )
    .select('guides.guideid')
    .where('imported_ids.id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined ? 'keep' : 'map';
}
