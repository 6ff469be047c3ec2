import { notFound } from '#shared/api/problem.ts';
import type { AppId } from '#shared/model/site.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';

/**
 * Whether an app id was issued and not revoked.
 *
 * - SITE-9 App ids are issued and revoked. On a site with open registration, apps need one to register and to sign in;
 *   without a valid one the answer is 400.
 */
export async function isIssued(db: Db, appid: string): Promise<boolean> {
  const row = await db
    .selectFrom('app_ids')
    .select('appid')
    .where('appid', '=', appid)
    .where('revoked_date', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Every app id that was ever issued, oldest first. */
export async function listAppIds(db: Db): Promise<AppId[]> {
  return db.selectFrom('app_ids').selectAll().orderBy('created_date').orderBy('appid').execute();
}

export async function mustFindAppId(db: Db, appid: string): Promise<AppId> {
  const row = await db.selectFrom('app_ids').selectAll().where('appid', '=', appid).executeTakeFirst();
  if (row === undefined) throw notFound('App id');
  return row;
}

/** Issues an app id: 32 hexadecimal digits, as clients of the API expect. `name` describes its owner. */
export async function issueAppId(ctx: Context, name: string): Promise<AppId> {
  const appid = Buffer.from(ctx.services.randomBytes(16)).toString('hex');
  const row = { appid, name, created_date: ctx.seconds, revoked_date: null };
  await ctx.db.insertInto('app_ids').values(row).execute();
  return row;
}

/** Revokes an app id for registering and signing in. Returns false if there is no such app id. */
export async function revokeAppId(ctx: Context, appid: string): Promise<boolean> {
  const done = await ctx.db
    .updateTable('app_ids')
    .set((eb) => ({ revoked_date: eb.fn.coalesce('revoked_date', eb.val(ctx.seconds)) }))
    .where('appid', '=', appid)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}
