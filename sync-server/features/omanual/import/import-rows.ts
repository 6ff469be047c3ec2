import type { Selectable } from 'kysely';

import type { Db, Tables } from '#server/storage/tables.ts';
import type { Context } from '#server/core/context.ts';
import { prepared } from '#server/storage/prepared.ts';

export type ImportRow = Selectable<Tables['archive_imports']>;

/** An import, regardless of the caller. */
export async function findImport(db: Db, importid: number): Promise<ImportRow | undefined> {
  return db.selectFrom('archive_imports').selectAll().where('importid', '=', importid).executeTakeFirst();
}

export type Effect = Selectable<Tables['import_effects']>;
type EffectKind = 'guide' | 'category' | 'image' | 'video' | 'document';

/** An effect of an import to record. */
export type DoneEffect = Pick<Effect, 'member' | 'id' | 'action'> & {
  kind: EffectKind;
  revision_before?: number | null;
  revision_after?: number | null;
};

/**
 * Records effects of an import in their transaction. A killed import continues after them, and an undo reverts them.
 */
export async function rememberDone(ctx: Context, importid: number, ...effects: DoneEffect[]): Promise<void> {
  if (effects.length === 0) return;
  const [last] = await lastOrdinal(ctx.db, { importid });
  let ordinal = last?.ordinal ?? 0;
  for (const effect of effects) {
    ordinal += 1;
    const { member, kind, id, action, revision_before = null, revision_after = null } = effect;
    await storeEffect(ctx.db, {
      importid,
      ordinal,
      member,
      kind,
      id,
      action,
      revision_before,
      revision_after,
    });
  }
}

const lastOrdinal = prepared<{ importid: number }, { ordinal: number }>((db, value) =>
  db
    .selectFrom('import_effects')
    .select('ordinal')
    .where('importid', '=', value('importid'))
    .orderBy('ordinal', 'desc')
    .limit(1),
);

const storeEffect = prepared<Omit<Effect, 'undone'>, unknown>((db, value) =>
  db.insertInto('import_effects').values({
    importid: value('importid'),
    ordinal: value('ordinal'),
    member: value('member'),
    kind: value('kind'),
    id: value('id'),
    action: value('action'),
    revision_before: value('revision_before'),
    revision_after: value('revision_after'),
    undone: null,
  }),
);

/** The effects of an import, in order. */
export async function effectsOf(db: Db, importid: number): Promise<Effect[]> {
  return db
    .selectFrom('import_effects')
    .selectAll()
    .where('importid', '=', importid)
    .orderBy('ordinal')
    .execute();
}

/** Records the result of an undo: `done`, or the reason why the effect stays. */
export async function rememberUndone(
  ctx: Context,
  { importid, ordinal }: Pick<Effect, 'importid' | 'ordinal'>,
  undone: string,
): Promise<void> {
  await ctx.db
    .updateTable('import_effects')
    .set({ undone })
    .where('importid', '=', importid)
    .where('ordinal', '=', ordinal)
    .execute();
}
