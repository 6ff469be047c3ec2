import { sql } from 'kysely';

import type { Context } from '#server/core/context.ts';

import { points, type MeritKind } from './points.ts';

/** What earned something. `subject` tells apart what counts separately, e.g. `guide:61 by 7`. */
export interface Merit {
  kind: MeritKind;
  subject: string;
  userid: number;
  /** The guide that it goes away with. */
  guideid: number | null;
}

/**
 * Counts a merit; one that counts already changes nothing, one that was taken back counts again as it did. A merit is
 * remembered for good, for whom it first counted, so that it cannot be earned twice. `worth` differs from the table
 * only for what came with a reputation of its own. Returns whether it counts since now.
 */
export async function grant(
  ctx: Context,
  merit: Merit,
  worth: number = points[merit.kind],
): Promise<boolean> {
  const added = await ctx.db
    .insertInto('merits')
    .values({ ...merit, points: worth, active: 1, date: ctx.seconds })
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doNothing())
    .returning(['userid', 'points'])
    .executeTakeFirst();
  const moved = added ?? (await switchMerit(ctx, merit.kind, merit.subject, true));
  if (moved !== undefined) await move(ctx, moved.userid, moved.points);
  return moved !== undefined;
}

/** Takes a merit back; without one nothing changes. */
export async function revoke(ctx: Context, kind: MeritKind, subject: string): Promise<void> {
  const moved = await switchMerit(ctx, kind, subject, false);
  if (moved !== undefined) await move(ctx, moved.userid, -moved.points);
}

/** Takes back whatever a guide earned anybody: it is gone. */
export async function revokeGuide(ctx: Context, guideid: number): Promise<void> {
  const gone = await ctx.db
    .updateTable('merits')
    .set({ active: 0 })
    .where('guideid', '=', guideid)
    .where('active', '=', 1)
    .returning(['userid', 'points'])
    .execute();
  await takeBack(ctx, gone);
}

/** Takes back the merits of a kind whose subject begins with `beginning` (letters, digits, colons and spaces). */
export async function revokeSubjects(ctx: Context, kind: MeritKind, beginning: string): Promise<void> {
  const gone = await ctx.db
    .updateTable('merits')
    .set({ active: 0 })
    .where('kind', '=', kind)
    .where('subject', 'like', `${beginning}%`)
    .where('active', '=', 1)
    .returning(['userid', 'points'])
    .execute();
  await takeBack(ctx, gone);
}

async function takeBack(ctx: Context, gone: { userid: number; points: number }[]): Promise<void> {
  for (const [userid, merits] of Map.groupBy(gone, (merit) => merit.userid)) {
    await move(ctx, userid, -merits.reduce((sum, merit) => sum + merit.points, 0));
  }
}

async function switchMerit(
  ctx: Context,
  kind: MeritKind,
  subject: string,
  active: boolean,
): Promise<{ userid: number; points: number } | undefined> {
  return ctx.db
    .updateTable('merits')
    .set({ active: active ? 1 : 0 })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('active', '=', active ? 0 : 1)
    .returning(['userid', 'points'])
    .executeTakeFirst();
}

async function move(ctx: Context, userid: number, by: number): Promise<void> {
  if (by === 0) return;
  await ctx.db
    .updateTable('users')
    .set({ reputation: sql<number>`reputation + ${by}` })
    .where('userid', '=', userid)
    .execute();
  await publishLater(ctx, userid);
}

/** Has the person's facts published by and by: a guide that hundreds like must not cost every device hundreds of rows. */
export async function publishLater(ctx: Context, userid: number): Promise<void> {
  await ctx.db
    .insertInto('unpublished_merits')
    .values({ userid })
    .onConflict((conflict) => conflict.column('userid').doNothing())
    .execute();
}
