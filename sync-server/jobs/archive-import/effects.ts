import type { Selectable } from 'kysely';

import type { Context } from '#server/http/context.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

export type Effect = Selectable<Tables['import_effects']>;
export type EffectKind = 'guide' | 'category' | 'image' | 'video' | 'document';

/** Writes down what an import did, in the transaction that does it: a killed import goes on after it, an undo takes it back. */
export async function rememberDone(
  ctx: Context,
  importid: number,
  effect: Pick<Effect, 'member' | 'id' | 'action'> & {
    kind: EffectKind;
    revision_before?: number | null;
    revision_after?: number | null;
  },
): Promise<void> {
  const { newest } = await ctx.db
    .selectFrom('import_effects')
    .select((eb) => eb.fn.max('ordinal').as('newest'))
    .where('importid', '=', importid)
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('import_effects')
    .values({
      importid,
      ordinal: (newest ?? 0) + 1,
      revision_before: null,
      revision_after: null,
      undone: null,
      ...effect,
    })
    .execute();
}

/** What an import did, in order. */
export async function effectsOf(db: Db, importid: number): Promise<Effect[]> {
  return db
    .selectFrom('import_effects')
    .selectAll()
    .where('importid', '=', importid)
    .orderBy('ordinal')
    .execute();
}

/** Says what became of an effect when it was taken back: `done`, or why it stays. */
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
