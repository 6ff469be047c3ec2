import { invalid, Problem } from '#shared/api/problem.ts';
import { hashToken } from '#server/core/sessions.ts';
import { nobody } from '#server/core/viewer.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';
import { addressBlock } from '#server/platform/caller.ts';
import { textsIn } from '#server/text/texts.ts';

import { isTaken, publishPerson } from '../users/store.ts';
import { rememberAddress } from './known-devices.ts';
import { askerOf } from './passwords.ts';
import { endOtherAccess } from './sessions.ts';
import { addressesOf, notifyOwner, type Doer } from './notices.ts';
import { forgetAccountFailures } from './throttle.ts';

/** Lifetime of a link, seconds. */
const resetLifetimeSeconds = 3600;
/** Most requests within the window for an account and from an address, which a whole workshop may share. */
const mostRequests = { account: 3, address: 20 };
const windowSeconds = 3600;

/**
 * Sends a link to set a new password, if the address has an account.
 *
 * - PASSWORD-RESET-2 The answer is the same whether or not the address has an account.
 * - PASSWORD-RESET-3 The cost is the same too: an unknown address results in the same rows, and mail is sent later.
 * - PASSWORD-RESET-9 A closed account gets no link.
 */
export async function requestReset(ctx: Context, email: string): Promise<void> {
  const address = email.toLowerCase();
  const link = await ctx.write(async (write) => {
    await countRequest(write, `account ${address}`, mostRequests.account);
    await countRequest(write, `address ${addressBlock(ctx.address)}`, mostRequests.address);
    const account = await write.db
      .selectFrom('users')
      .select(['userid', 'username', 'langid'])
      .where('email', '=', address)
      .where('enabled', '=', 1)
      .executeTakeFirst();
    const token = await makeResetToken(write, account?.userid ?? null);
    return account === undefined ? undefined : { ...account, token };
  });
  if (link !== undefined) setImmediate(() => sendLink(ctx, address, link));
}

/**
 * Creates a token that sets a new password. `userid` null creates an unusable token, at the same cost.
 *
 * - PASSWORD-RESET-4 A link works once, within an hour, or within a week if it is an invitation (ACCOUNTS-4).
 * - PASSWORD-RESET-5 Only the hash of a token is stored.
 */
export async function makeResetToken(
  ctx: Context,
  userid: number | null,
  lifetimeSeconds = resetLifetimeSeconds,
): Promise<string> {
  const token = Buffer.from(ctx.services.randomBytes(32)).toString('base64url');
  await ctx.db
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      userid,
      expires_date: ctx.seconds + lifetimeSeconds,
    })
    .execute();
  return token;
}

/** The address at which a token is used. `origin`: the origin of the app. */
export function resetLink(origin: string, token: string): string {
  return `${origin}/reset-password?token=${token}`;
}

/**
 * Sends the link. It never uses an address from the request, which could lead to another server.
 *
 * - PASSWORD-RESET-7 Links never appear in a log. Without a mail server, the log says that a link was requested and
 *   what to do: `benchbook user reset-link` creates one.
 */
function sendLink(
  ctx: Context,
  to: string,
  { userid, username, langid, token }: { userid: number; username: string; langid: string; token: string },
): void {
  const { site, mailer, log, listensAt } = ctx.services;
  if (!mailer.isConfigured) {
    // Never the link: a reader of the log could sign in with it.
    log.warn(
      { userid },
      'a password reset link was requested, but no mail server is set up: create a link with "benchbook user reset-link", or set smtp with "benchbook site set"',
    );
    return;
  }
  const link = resetLink(site.address ?? listensAt ?? '', token);
  const { subject, text } = textsIn(langid, site.langid).mails.reset;
  mailer.send({ to, subject: subject(site.name), text: text(username, site.name, link) });
}

/**
 * Counts a request and throws 429, with `words`, if there are too many within an hour.
 *
 * - PASSWORD-RESET-6 Three requests per hour for an account, twenty from an address.
 */
export async function countRequest(
  ctx: Context,
  what: string,
  most: number,
  words = 'Too many e-mails requested',
): Promise<void> {
  const subject = hashToken(what);
  const rows = await ctx.db
    .selectFrom('reset_requests')
    .select('date')
    .where('subject', '=', subject)
    .where('date', '>', ctx.seconds - windowSeconds)
    .orderBy('date')
    .execute();
  if (rows.length >= most) {
    const retryAfterSeconds = (rows[0]?.date ?? ctx.seconds) + windowSeconds - ctx.seconds;
    throw new Problem('too-many-requests', `${words}. Wait and try again`, { retryAfterSeconds });
  }
  await ctx.db.insertInto('reset_requests').values({ subject, date: ctx.seconds }).execute();
}

/**
 * Sets the password of the token's account.
 *
 * - PASSWORD-RESET-1 The link in the mail sets a new password and ends every session of the account.
 */
export async function confirmReset(ctx: Context, token: string, password: string): Promise<void> {
  const tokenHash = hashToken(token);
  await mustFindReset(ctx.db, tokenHash, ctx.seconds);
  const passwordHash = await ctx.services.passwords.hash(password, askerOf(ctx));
  const { notify } = await ctx.write(async (write) => {
    const found = await mustFindReset(write.db, tokenHash, write.seconds);
    return setPassword(write, found, passwordHash, 'resetLink');
  });
  notify();
}

/** The account of a token, and the address that it gets. */
interface Reset {
  userid: number;
  email: string | null;
}

/**
 * Sets the password of an account, which its owner chose. Returns a function that notifies the owner, to be called once this
 * is stored, and the address with which they sign in. `by`: who did it.
 */
export async function setPassword(
  write: Context,
  { userid, email }: Reset,
  passwordHash: string,
  by: Doer['who'],
): Promise<{ notify: () => void; email: string | null }> {
  const before = await write.db
    .selectFrom('users')
    .select(['email', 'username', 'langid', 'access_date', 'address_before'])
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow();
  await write.db
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      password_date: write.seconds,
      password_is_own: 1,
      ...(email === null ? {} : { email }),
    })
    .where('userid', '=', userid)
    .execute();
  if (email !== null) await publishPerson(write, userid);
  // Guessing can no longer lock the owner out at this address (LOAD-13).
  const known = email ?? before.email;
  if (known !== null) await forgetAccountFailures(write.db, known);
  await rememberAddress(write, userid, write.address);
  // The caller may be signed in as anyone: no session outlives this.
  await endOtherAccess({ db: write.db, viewer: nobody }, userid);
  const isOtherAddress = email !== null && before.email !== email;
  const change = isOtherAddress
    ? { changed: ['address', 'password'] as const, by: { who: 'addressLink' } as const }
    : { changed: ['password'] as const, by: { who: by } };
  const to = addressesOf(before, write.seconds);
  return {
    email: known,
    notify: () => notifyOwner(write.services, { to, account: before, ...change }),
  };
}

/** As `findReset`. Throws 422 for a token that is invalid, used or too old. */
async function mustFindReset(db: Db, tokenHash: string, seconds: number): Promise<Reset> {
  const found = await findReset(db, tokenHash, seconds);
  if (found === undefined)
    throw invalid('token', 'This link was already used or has expired. Request a new one');
  return found;
}

/** What a token resets; undefined for one that is invalid, used or too old. */
export async function findReset(db: Db, tokenHash: string, seconds: number): Promise<Reset | undefined> {
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.userid', 'password_resets.userid')
    .select(['users.userid', 'password_resets.email'])
    .where('token_hash', '=', tokenHash)
    .where('expires_date', '>', seconds)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  const isLost = row?.email != null && (await isTaken(db, 'email', row.email, row.userid));
  return isLost ? undefined : row;
}

/** Deletes expired tokens and request counts. */
export async function pruneResets(db: Db, seconds: number): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_date', '<', seconds).execute();
  await db
    .deleteFrom('reset_requests')
    .where('date', '<', seconds - windowSeconds)
    .execute();
}
