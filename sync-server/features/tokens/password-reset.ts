import { invalid, Problem } from '#shared/api/problem.ts';
import { hashToken } from '#server/core/sessions.ts';
import { nobody } from '#server/core/viewer.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';
import { addressBlock } from '#server/platform/caller.ts';

import { isTaken, publishPerson } from '../users/store.ts';
import { rememberAddress } from './known-devices.ts';
import { askerOf } from './passwords.ts';
import { endOtherAccess } from './sessions.ts';
import { addressesOf, tellOwner } from './tell-owner.ts';
import { forgetAccountFailures } from './throttle.ts';

/** The link of a mail can be used so long, seconds. */
const resetLifetimeSeconds = 3600;
/** Requests within the window, for one account and from one address (a whole workshop may share one). */
const mostRequests = { account: 3, address: 20 };
const windowSeconds = 3600;

/**
 * Sends a link that sets a new password, if the address has an account. What is done and how long it takes does not
 * tell which: an unknown address costs the same rows, and the mail leaves later.
 */
export async function requestReset(ctx: Context, email: string): Promise<void> {
  const address = email.toLowerCase();
  const link = await ctx.write(async (write) => {
    await countRequest(write, `account ${address}`, mostRequests.account);
    await countRequest(write, `address ${addressBlock(ctx.address)}`, mostRequests.address);
    const account = await write.db
      .selectFrom('users')
      .select(['userid', 'username'])
      .where('email', '=', address)
      .where('enabled', '=', 1)
      .executeTakeFirst();
    const token = await makeResetToken(write, account?.userid ?? null);
    return account === undefined ? undefined : { ...account, token };
  });
  if (link !== undefined) setImmediate(() => sendLink(ctx, address, link));
}

/** Creates a token that sets a new password once, within an hour; null: for no account, at the same cost. */
export async function makeResetToken(ctx: Context, userid: number | null): Promise<string> {
  const token = Buffer.from(ctx.services.randomBytes(32)).toString('base64url');
  await ctx.db
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      userid,
      expires_date: ctx.seconds + resetLifetimeSeconds,
    })
    .execute();
  return token;
}

/** Where the token of a link is used. `origin`: how people reach the app. */
export function resetLink(origin: string, token: string): string {
  return `${origin}/reset-password?token=${token}`;
}

/** Names no address of a request: whoever asked for the link could lead it elsewhere. */
function sendLink(
  ctx: Context,
  to: string,
  { userid, username, token }: { userid: number; username: string; token: string },
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
  mailer.send({
    to,
    subject: `Set a new password for ${site.name}`,
    text: `Hello ${username},

We received a request to reset the password of your account at ${site.name}. To choose a new password, open this link
within an hour:

${link}

If you did not request this, ignore this e-mail: your password stays the same.
`,
  });
}

/** Counts a request for an e-mail, or for what `words` say; 429 when there are too many within an hour. */
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

/** Sets the password of the account that the token is for, once; every session of the account ends. */
export async function confirmReset(ctx: Context, token: string, password: string): Promise<void> {
  const tokenHash = hashToken(token);
  await mustFindReset(ctx.db, tokenHash, ctx.seconds);
  const passwordHash = await ctx.services.passwords.hash(password, askerOf(ctx));
  const tell = await ctx.write(async (write) => {
    const { userid, email } = await mustFindReset(write.db, tokenHash, write.seconds);
    const before = await write.db
      .selectFrom('users')
      .select(['email', 'username', 'access_date', 'address_before'])
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
    const told = isOtherAddress
      ? {
          changed: ['e-mail address', 'password'] as const,
          by: 'the person who opened the link sent to the new address',
        }
      : { changed: ['password'] as const, by: 'the person who opened a password reset link' };
    const to = addressesOf(before, write.seconds);
    return () => tellOwner(write.services, { to, username: before.username, ...told });
  });
  tell();
}

/** The account whose password the token sets, and the address that it gets with it; 422 when it is used, too old, or none. */
async function mustFindReset(
  db: Db,
  tokenHash: string,
  seconds: number,
): Promise<{ userid: number; email: string | null }> {
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.userid', 'password_resets.userid')
    .select(['users.userid', 'password_resets.email'])
    .where('token_hash', '=', tokenHash)
    .where('expires_date', '>', seconds)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  const isLost = row?.email != null && (await isTaken(db, 'email', row.email, row.userid));
  if (row === undefined || isLost)
    throw invalid('token', 'This link was already used or has expired. Request a new one');
  return row;
}

/** Forgets what has had its time. */
export async function pruneResets(db: Db, seconds: number): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_date', '<', seconds).execute();
  await db
    .deleteFrom('reset_requests')
    .where('date', '<', seconds - windowSeconds)
    .execute();
}
