import { hashToken } from '#server/core/sessions.ts';
import type { Context } from '#server/core/context.ts';
import type { Db } from '#server/storage/tables.ts';
import { addressBlock } from '#server/platform/caller.ts';

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
  const text = belongsToOther ? wordsForOwner : wordsForNew;
  return () =>
    mailer.send({ to, subject: `Your address at ${site.name}`, text: text(site.name, link, reason) });
}

type Words = (site: string, link: string, reason: 'registered' | 'changed') => string;

const deeds = {
  registered: 'used to register',
  changed: 'entered as the new address of an account',
};

const wordsForNew: Words = (site, link, reason) => `Hello,

This address was ${deeds[reason]} at ${site}. To sign in with it, open this link within a day and choose a password:

${link}

If you did not request this, ignore this e-mail: the address will not be used.
`;

const wordsForOwner: Words = (site, link, reason) => `Hello,

This address was ${deeds[reason]} at ${site}, but it already belongs, or once belonged, to an account there.
Nothing was changed. To reset the password of your account, open this page:

${link}

If you did not request this, ignore this e-mail.
`;
