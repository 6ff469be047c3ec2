import type { ExpressionBuilder } from 'kysely';

import type { UserSummary } from '#shared/model/user.ts';
import { userSummaryRecord } from '#shared/rules/people.ts';
import { searchName } from '#shared/rules/search-name.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';
import { contains } from '#server/storage/dialect.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { findPeople } from './store.ts';

interface Paging {
  offset: number;
  limit: number;
}

/**
 * Enabled accounts ordered by userid.
 *
 * - USER-6 People are listed in pages, ordered by userid.
 */
export async function listUsers(
  ctx: Context,
  query: Paging & { order: 'ASC' | 'DESC'; joinedSince?: number | undefined },
): Promise<UserSummary[]> {
  let select = ctx.db.selectFrom('users').select('userid').where('enabled', '=', 1);
  if (query.joinedSince !== undefined) select = select.where('join_date', '>=', query.joinedSince);
  const rows = await readPage(ctx, select.orderBy('userid', query.order === 'ASC' ? 'asc' : 'desc'), query);
  return summaries(ctx, rows);
}

async function summaries(ctx: Context, rows: { userid: number }[]): Promise<UserSummary[]> {
  const people = await findPeople(
    ctx.db,
    rows.map((row) => row.userid),
  );
  return rows.flatMap(({ userid }) => {
    const person = people.get(userid);
    return person === undefined ? [] : [userSummaryRecord(person, ctx.baseUrl)];
  });
}

/**
 * People by userid, or by name and address (spec, GET /users/search/{search}). Results of the same rank are ordered by
 * name.
 *
 * - PEOPLE-1 A search ranks exact unique usernames first, then exact usernames, then exact addresses, then parts of
 *   each. Addresses are searched for administrators only; others find names.
 * - PEOPLE-2 A number that is a userid finds that person only. Case does not matter in any script; `%` and `_` have no
 *   special meaning.
 */
export async function searchUsers(ctx: Context, text: string, page: Paging): Promise<UserSummary[]> {
  const seesDisabled = can(ctx.viewer, 'person.findDisabled', { userid: 0 });
  let people = ctx.db.selectFrom('users').select('userid');
  if (!seesDisabled) people = people.where('enabled', '=', 1);
  const byId = /^\d{1,15}$/.test(text) ? await people.where('userid', '=', Number(text)).execute() : [];
  if (byId.length > 0) {
    ctx.total(byId.length);
    return summaries(ctx, byId.slice(page.offset, page.offset + page.limit));
  }
  const ranks = ranksFor(
    ctx.db,
    searchName(text.trim()),
    can(ctx.viewer, 'person.findByAddress', { userid: 0 }),
  );
  const found = people
    .where((eb) => eb.or(ranks.map((rank) => rank(eb))))
    .orderBy((eb) => {
      const [first, ...rest] = ranks.map((rank, index) => ({ when: rank(eb), index }));
      let choice = eb
        .case()
        .when(first?.when ?? eb.lit(true))
        .then(0);
      for (const { when, index } of rest) choice = choice.when(when).then(index);
      return choice.else(ranks.length).end();
    })
    .orderBy('username_search')
    .orderBy('userid');
  return summaries(ctx, await readPage(ctx, found, page));
}

type Users = ExpressionBuilder<Tables, 'users'>;

/** The conditions of the ranks, best rank first. */
function ranksFor(db: Db, name: string, withEmail: boolean) {
  const columns = ['unique_username', 'username_search', ...(withEmail ? (['email'] as const) : [])] as const;
  return [
    ...columns.map((column) => (eb: Users) => eb(column, '=', name)),
    ...columns.map((column) => () => contains(db, column, name)),
  ];
}

/**
 * The deprecated search by names.
 *
 * - PEOPLE-4 It returns names and the smallest picture.
 */
export async function searchNames(
  ctx: Context,
  text: string,
  page: Paging,
): Promise<
  { userid: number; username: string; unique_username: string | null; image: { mini: string } | null }[]
> {
  const found = await searchUsers(ctx, text, page);
  return found.map(({ userid, username, unique_username, image }) => ({
    userid,
    username,
    unique_username,
    image: image?.mini === undefined ? null : { mini: image.mini },
  }));
}
