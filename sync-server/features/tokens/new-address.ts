import { hashToken } from '#server/core/sessions.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';
import { addressBlock } from '#server/platform/caller.ts';
import { textsIn } from '#server/text/texts.ts';

import { isTaken } from '../users/store.ts';
import { countRequest } from './password-reset.ts';

/** Lifetime of a link, seconds. */
const lifetimeSeconds = 24 * 3600;
/** Most requests per hour for an address, and from one place (where a whole class may register). */
const mostRequests = { account: 3, address: 60 };

/** Counts a requested account or address; throws 429 if there are too many from one place, with or without e-mails. */
export async function countNewAddress(ctx: Context): Promise<void> {
  const what = `new address ${addressBlock(ctx.address)}`;
  await countRequest(
    ctx,
    what,
    mostRequests.address,
    'Too many new accounts or e-mail addresses from this IP address',
  );
}

/**
 * Deletes the pending links for a new address of a person, who entered another address or the current one (USER-11).
 */
export async function forgetAskedAddress(db: Db, userid: number): Promise<void> {
  await db
    .deleteFrom('password_resets')
    .where('userid', '=', userid)
    .where('email', 'is not', null)
    .execute();
}

/** Sends the mail; to be called after the transaction. */
type Send = () => void;

/**
 * Sends a link by which an account gets a mail address, once someone who reads its mail opens the link and chooses a
 * password. The owner of an address that belongs, or belonged, to another account gets a notice instead. The numbers of
 * rows and mails are the same, so the answer does not reveal which case it is.
 *
 * - USER-11 If the site sends mail, an address that people enter for their own account becomes theirs through the link
 *   in an e-mail, and the answer does not reveal whether it is taken. Entering another address, or the current one,
 *   invalidates that link.
 */
export async function askForAddress(
  ctx: Context,
  userid: number,
  email: string,
  reason: 'registered' | 'changed',
): Promise<Send> {
  const { mailer, site } = ctx.services;
  const to = email.toLowerCase();
  await countRequest(ctx, `new account ${to}`, mostRequests.account);
  const belongsToOther = await isTaken(ctx.db, 'email', to, userid);
  const token = Buffer.from(ctx.services.randomBytes(32)).toString('base64url');
  const expires_date = ctx.seconds + lifetimeSeconds;
  await ctx.db
    .insertInto('password_resets')
    .values({ token_hash: hashToken(token), userid, expires_date, email: belongsToOther ? null : to })
    .execute();
  const link = belongsToOther
    ? `${site.address}/forgot-password`
    : `${site.address}/reset-password?token=${token}`;
  const { mails } = textsIn(await languageOf(ctx.db, to, userid), site.langid);
  const { text } = belongsToOther ? mails.takenAddress : mails.newAddress;
  const subject = mails.newAddress.subject(site.name);
  return () => mailer.send({ to, subject, text: text(reason, site.name, link) });
}

/** The language of the person with the address, or else of the one who entered it. */
async function languageOf(db: Db, email: string, userid: number): Promise<string> {
  const rows = await db
    .selectFrom('users')
    .select(['email', 'langid'])
    .where((is) => is.or([is('email', '=', email), is('userid', '=', userid)]))
    .execute();
  return (rows.find((row) => row.email === email) ?? rows[0])?.langid ?? '';
}
