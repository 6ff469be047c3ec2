import { sql, type Compilable, type RawBuilder, type Selectable } from 'kysely';

import { badgeCategory, badgeType, type BadgeCounts, type EarnedBadge } from '#shared/model/badge.ts';
import { must } from '#shared/must.ts';
import type { Context } from '#server/core/context.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { type MeritKind, publishLater } from './reputation.ts';

/** The counts that badges depend on: a query for each measure, by userid. */
const measures = {
  guides_published: merits('guide.published'),
  favorites_received: merits('guide.favorited'),
  completions_received: merits('guide.completed'),
  guides_contributed: merits('guide.edited'),
  wikis_edited: merits('wiki.edited'),
  comments_posted: counting((db, userid) =>
    db.selectFrom('comments').select(countAll).where('userid', '=', userid).where('status', '!=', 'deleted'),
  ),
  guides_completed: counting((db, userid) =>
    db.selectFrom('completions').select(countAll).where('userid', '=', userid),
  ),
  work_finished: counting((db, userid) =>
    db.selectFrom('work_log').select(countAll).where('userid', '=', userid).where('status', '=', 'complete'),
  ),
  teams_joined: counting((db, userid) =>
    db.selectFrom('team_members').select(countAll).where('userid', '=', userid),
  ),
};

export type Measure = keyof typeof measures;

const countAll = sql<number>`count(*)`.as('count');

/** Counts the rows of a person. */
function counting(
  build: (db: Db, userid: RawBuilder<number>) => Compilable<{ count: number }>,
): (db: Db, userid: number) => Promise<number> {
  const rows = prepared<{ userid: number }, { count: number }>((db, value) => build(db, value('userid')));
  return async (db, userid) => must((await rows(db, { userid }))[0], 'the count').count;
}

function merits(kind: MeritKind): (db: Db, userid: number) => Promise<number> {
  return counting((db, userid) =>
    db
      .selectFrom('merits')
      .select(countAll)
      .where('userid', '=', userid)
      .where('kind', '=', kind)
      .where('active', '=', 1),
  );
}

const badgesFor = prepared<
  { measure: string },
  Pick<Selectable<Tables['badges']>, 'badgeid' | 'threshold' | 'multiple'>
>((db, value) =>
  db
    .selectFrom('badges')
    .select(['badgeid', 'threshold', 'multiple'])
    .where('measure', '=', value('measure')),
);

const awardsOf = prepared<{ userid: number }, { badgeid: number; times_earned: number }>((db, value) =>
  db.selectFrom('badge_awards').select(['badgeid', 'times_earned']).where('userid', '=', value('userid')),
);

/**
 * Awards the badges for `measure` that the person has earned. The badges are rows of the table `badges`.
 *
 * - MERIT-7 A badge is earned by the action that reaches its threshold, and stays if the count falls.
 * - MERIT-8 A badge that can be earned several times (`multiple`) is earned again only when the count exceeds its
 *   earlier maximum.
 */
export async function awardBadges(ctx: Context, userid: number, measure: Measure): Promise<void> {
  const badges = await badgesFor(ctx.db, { measure });
  const awards = await awardsOf(ctx.db, { userid });
  const held = new Map(awards.map(({ badgeid, times_earned }) => [badgeid, times_earned]));
  if (badges.every(({ badgeid, multiple }) => multiple === 0 && held.has(badgeid))) return;
  const count = await measures[measure](ctx.db, userid);
  for (const { badgeid, threshold, multiple } of badges) {
    const reached = Math.floor(count / threshold);
    const times = multiple === 1 ? reached : Math.min(reached, 1);
    if (times <= (held.get(badgeid) ?? 0)) continue;
    const award = { times_earned: times, date: ctx.seconds };
    await ctx.db
      .insertInto('badge_awards')
      .values({ badgeid, userid, ...award })
      .onConflict((conflict) => conflict.columns(['userid', 'badgeid']).doUpdateSet(award))
      .execute();
    await publishLater(ctx, userid);
  }
}

/** Awards every badge that a person has earned with existing records, after a demo or an import. */
export async function awardAllBadges(ctx: Context, userid: number): Promise<void> {
  for (const measure of Object.keys(measures) as Measure[]) await awardBadges(ctx, userid, measure);
}

/** The number of badges of each type that a person has earned; a badge earned twice counts twice. */
export async function badgeCounts(db: Db, userid: number): Promise<BadgeCounts> {
  const rows = await db
    .selectFrom('badge_awards')
    .innerJoin('badges', 'badges.badgeid', 'badge_awards.badgeid')
    .select(['type', (eb) => eb.fn.sum<number>('times_earned').as('count')])
    .where('userid', '=', userid)
    .groupBy('type')
    .execute();
  const of = (type: string): number => Number(rows.find((row) => row.type === type)?.count ?? 0);
  const [bronze, silver, gold] = [of('bronze'), of('silver'), of('gold')];
  return { bronze, silver, gold, total: bronze + silver + gold };
}

/**
 * The badges of a person.
 *
 * - MERIT-9 Earned badges are listed first, newest first; the others follow on request.
 */
export async function listBadges(
  ctx: Context,
  userid: number,
  query: { category?: string | undefined; includeUnearned: boolean },
): Promise<EarnedBadge[]> {
  let select = ctx.db
    .selectFrom('badges')
    .leftJoin('badge_awards as held', (join) =>
      join.onRef('held.badgeid', '=', 'badges.badgeid').on('held.userid', '=', userid),
    )
    .selectAll('badges')
    .select(['times_earned', 'date'])
    .select((eb) =>
      eb
        .selectFrom('badge_awards as all')
        .whereRef('all.badgeid', '=', 'badges.badgeid')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('num_users'),
    );
  if (query.category !== undefined) select = select.where('category', '=', query.category);
  if (!query.includeUnearned) select = select.where('times_earned', 'is not', null);
  const rows = await select.orderBy('badges.badgeid').execute();
  ctx.total(rows.length);
  return rows
    .map((row) => ({
      earned: row.times_earned !== null,
      times_earned: row.times_earned ?? 0,
      date: row.date,
      badge: {
        badgeid: row.badgeid,
        name: row.name,
        type: badgeType.parse(row.type),
        category: badgeCategory.parse(row.category),
        description: row.description,
        multiple: row.multiple === 1,
        num_users: row.num_users ?? 0,
        icon: null,
        image: '',
        secondary_color: row.secondary_color,
      },
    }))
    .toSorted((a, b) => (b.date ?? 0) - (a.date ?? 0));
}
