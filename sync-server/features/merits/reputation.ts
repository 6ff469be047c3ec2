import { sql } from 'kysely';

import type { Context } from '#server/core/context.ts';
import { startsWith } from '#server/storage/dialect.ts';

/**
 * The points of each kind of merit; a new account has a reputation of 1. A merit changes reputation and badges in the
 * transaction of the action that earns it.
 *
 * - MERIT-1 A public guide, and its favourites and completions by others, count for its author.
 * - MERIT-2 Actions on one's own guides do not count.
 * - MERIT-4 Comments count once per document, as long as one exists; edits of others' guides count once per guide.
 */
export const points = {
  /** A guide of the person is public. Counts as long as it is. */
  'guide.published': 10,
  /** Another person has a guide of the person as a favourite. Counts as long as they do. */
  'guide.favorited': 5,
  /** Another person completed a guide of the person. Counts until they remove the mark. */
  'guide.completed': 2,
  /** The person edited another person's guide. Counts once per guide. */
  'guide.edited': 3,
  /** Text of the person on a wiki page is shown. Counts once per page, as long as the page exists. */
  'wiki.edited': 2,
  /** The person commented on another person's document. Counts once per document, as long as a comment exists. */
  'comment.posted': 1,
} as const;

/**
 * Most comments that count within 24 hours.
 *
 * - MERIT-12 At most 10 comments of a person count within 24 hours. A later comment counts when another comment on the
 *   same document follows after that time.
 */
export const mostCommentsPerDay = 10;

export type MeritKind = keyof typeof points;

/** A merit. `subject` distinguishes merits of a kind that count separately, such as `guide:61 by 7`. */
export interface Merit {
  kind: MeritKind;
  subject: string;
  userid: number;
  /** The merit is revoked when this guide is deleted. */
  guideid: number | null;
}

/**
 * Counts a merit. `worth` differs from `points` only for imported records, whose author brought a reputation along.
 * Returns false if the merit counted already.
 *
 * - MERIT-3 Revoking and repeating an action changes nothing in total: a merit counts once per subject, and returns
 *   with its earlier points for the person for whom it first counted.
 * - MERIT-6 When a guide gets another author, its favourites do not count a second time.
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

/** Revokes a merit, if it counts. */
export async function revoke(ctx: Context, kind: MeritKind, subject: string): Promise<void> {
  const moved = await switchMerit(ctx, kind, subject, false);
  if (moved !== undefined) await move(ctx, moved.userid, -moved.points);
}

/**
 * Revokes all merits of a deleted guide.
 *
 * - MERIT-5 The merits of a guide, for all people, are revoked when it is deleted.
 */
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

/** Revokes the merits of a kind whose subject begins with `beginning` (letters, digits, colons and spaces). */
export async function revokeSubjects(ctx: Context, kind: MeritKind, beginning: string): Promise<void> {
  const gone = await ctx.db
    .updateTable('merits')
    .set({ active: 0 })
    .where('kind', '=', kind)
    .where(startsWith(ctx.db, 'subject', beginning))
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

/**
 * Queues the person's facts for the next publication (MERIT-10), so that hundreds of favourites of a guide do not send
 * hundreds of rows to every device.
 */
export async function publishLater(ctx: Context, userid: number): Promise<void> {
  await ctx.db
    .insertInto('unpublished_merits')
    .values({ userid })
    .onConflict((conflict) => conflict.column('userid').doNothing())
    .execute();
}
