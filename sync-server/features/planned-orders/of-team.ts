import type { Db } from '#server/storage/tables.ts';

/** Number of open orders that are planned for a team, not for one of its members. */
export async function openOrdersOfTeam(db: Db, teamid: number): Promise<number> {
  const { count } = await db
    .selectFrom('planned_orders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('teamid', '=', teamid)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow();
  return Number(count);
}
