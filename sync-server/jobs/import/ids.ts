import type { Context } from '#server/http/context.ts';

/** Kinds of records whose ids an import translates. */
export type ImportedKind = 'guide' | 'step' | 'user' | 'image' | 'document' | 'video' | 'comment';

/** `keep`: an id stays what it was where it is free. `map`: everything gets an id of ours. */
export type IdChoice = 'keep' | 'map';

/** Which id of ours something of another site got, remembered across imports. */
export class ImportedIds {
  readonly #ctx: Context;
  readonly #site: string;

  constructor(ctx: Context, site: string) {
    this.#ctx = ctx;
    this.#site = site;
  }

  /** Our ids of several records; unknown ones are left out. */
  async known(kind: ImportedKind, sources: readonly number[]): Promise<Map<number, number>> {
    if (sources.length === 0) return new Map();
    const rows = await this.#ctx.db
      .selectFrom('imported_ids')
      .select(['source', 'id'])
      .where('site', '=', this.#site)
      .where('kind', '=', kind)
      .where('source', 'in', [...new Set(sources)])
      .execute();
    return new Map(rows.map((row) => [row.source, row.id]));
  }

  async find(kind: ImportedKind, source: number): Promise<number | undefined> {
    return (await this.known(kind, [source])).get(source);
  }

  async remember(kind: ImportedKind, source: number, id: number): Promise<void> {
    await this.#ctx.db
      .insertInto('imported_ids')
      .values({ site: this.#site, kind, source, id })
      .onConflict((conflict) => conflict.columns(['site', 'kind', 'source']).doUpdateSet({ id }))
      .execute();
  }
}

/**
 * Reserves ids for a guide and its steps before anything is stored, so that links between guides can be translated
 * whatever their order. A reserved id is given to nothing else.
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
  const known = await ids.known('step', guide.stepids);
  for (const source of guide.stepids) {
    if (known.has(source)) continue;
    const isFree = choice === 'keep' && !(await stepExists(ctx, source));
    await ids.remember('step', source, await takeStepId(ctx, isFree ? source : undefined));
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

async function stepExists(ctx: Context, stepid: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('steps')
    .select('stepid')
    .where('stepid', '=', stepid)
    .executeTakeFirst();
  return row !== undefined;
}

/** A row that comes and goes takes its number out of the sequence. */
async function takeGuideId(ctx: Context, guideid: number | undefined, userid: number): Promise<number> {
  const row = await ctx.db
    .insertInto('guides')
    .values({ ...(guideid === undefined ? {} : { guideid }), ...emptyGuideRow(userid) })
    .returning('guideid')
    .executeTakeFirstOrThrow();
  await ctx.db.deleteFrom('guides').where('guideid', '=', row.guideid).execute();
  return row.guideid;
}

async function takeStepId(ctx: Context, stepid: number | undefined): Promise<number> {
  const row = await ctx.db
    .insertInto('steps')
    .values({ ...(stepid === undefined ? {} : { stepid }), guideid: 0, deleted: 1 })
    .returning('stepid')
    .executeTakeFirstOrThrow();
  await ctx.db.deleteFrom('steps').where('stepid', '=', row.stepid).execute();
  return row.stepid;
}

/** A video of another site has no file here; its number must not become that of a file. */
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

/** Columns of a guide that is not written yet. */
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

/** Ids are kept on a site whose guides, if any, all came from the same place under the ids they had there. */
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
