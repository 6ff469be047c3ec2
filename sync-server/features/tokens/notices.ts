import type { Selectable } from 'kysely';

import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { contains } from '#server/storage/dialect.ts';
import type { Db, Tables } from '#server/storage/tables.ts';
import type { Mail } from '#server/features/mail/mailer.ts';
import type { SmtpSettings } from '#server/core/site-settings.ts';
import { textsIn, type Texts } from '#server/text/texts.ts';

/** A changed sign-in credential. */
export type Changed = keyof Texts['mails']['credentials'];

/** Who changed an account. */
export interface Doer {
  who:
    | 'commandLine'
    | 'self'
    | 'resetLink'
    | 'addressLink'
    | 'printedCode'
    | 'provider'
    /** The one whose name follows. */
    | 'administrator';
  administrator?: string;
}

type Account = Selectable<Tables['users']>;

interface OwnerNotice {
  to: readonly string[];
  account: Pick<Account, 'username' | 'langid'>;
  changed: readonly Changed[];
  by: Doer;
}

/** How long the previous address is notified after another person changed how an account signs in, seconds. */
const addressBeforeSeconds = 90 * 24 * 3600;

/** The addresses for notices to the owner: the current one, and the one before another person changed the account. */
export function addressesOf(
  account: Pick<Account, 'email' | 'access_date' | 'address_before'>,
  seconds: number,
): string[] {
  const addresses = [account.email, addressBefore(account, seconds)];
  return [...new Set(addresses.filter((address) => address !== null))];
}

function addressBefore(
  { access_date, address_before }: Pick<Account, 'access_date' | 'address_before'>,
  seconds: number,
): string | null {
  return access_date !== null && access_date > seconds - addressBeforeSeconds ? address_before : null;
}

/**
 * The columns to store when `caller` changes how the owner signs in. After several changes, the first address is kept.
 *
 * - USER-17 A single administrator can sign in as another person. This is reported, not prevented. After another person
 *   has set the password, address or single sign-on id of an account, both the current and the previous address are
 *   notified, for 90 days, of every later change of these and of the first signature. The first signature clears the
 *   record of who made the change (`access_by`), so the row of the signature in the audit log names them. A new
 *   password set through a link is also reported. When an administrator changes the mail server, the identity provider
 *   or the address of the site, the other administrators are notified through the previous mail server.
 */
export function accessSetBy(
  { userid: caller }: Pick<Viewer, 'userid'>,
  account: Account,
  seconds: number,
): Partial<Pick<Account, 'access_by' | 'access_date' | 'address_before'>> {
  if (caller === account.userid) return {};
  const address_before = addressBefore(account, seconds) ?? account.email;
  return { access_by: caller, access_date: seconds, address_before };
}

/** Who changed the account of `userid`. */
export function doerOf(
  { userid: caller, username }: Pick<Viewer, 'userid' | 'username'>,
  userid: number,
): Doer {
  if (caller === 0) return { who: 'commandLine' };
  return caller === userid ? { who: 'self' } : { who: 'administrator', administrator: username };
}

/** Notifies the owner by e-mail of a stored change, without the new value, because the address may be old. */
export function notifyOwner(
  { mailer, site, listensAt }: Pick<Services, 'mailer' | 'site' | 'listensAt'>,
  { to, account, changed, by }: OwnerNotice,
): void {
  if (changed.length === 0) return;
  const { mails, list } = textsIn(account.langid, site.langid);
  const { subject, text } = mails.changed;
  const what = list(changed.map((one) => mails.credentials[one]));
  const link = `${site.address ?? listensAt ?? ''}/forgot-password`;
  for (const address of to)
    mailer.send({
      to: address,
      subject: subject(what, site.name),
      text: text(account.username, what, site.name, by.who, by.administrator ?? '', link),
    });
}

/**
 * Called after a signature. If it is the first one since another person changed how the signer signs in, clears the
 * record of that person (the audit log has it) and returns a function that notifies the owner, to be called once this
 * is stored.
 */
export async function afterSignature(
  ctx: Context,
  userid: number,
  thing: 'guide' | 'order' = 'guide',
): Promise<() => void> {
  const account = await ctx.db
    .selectFrom('users')
    .select(['username', 'langid', 'email', 'access_by', 'access_date', 'address_before'])
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow();
  const { access_by, access_date } = account;
  if (access_by === null || access_date === null) return () => undefined;
  const changer = await ctx.db
    .selectFrom('users')
    .select('username')
    .where('userid', '=', access_by)
    .executeTakeFirst();
  await ctx.db.updateTable('users').set({ access_by: null }).where('userid', '=', userid).execute();
  const by = doerOf({ userid: access_by, username: changer?.username ?? '' }, userid);
  const { mailer, site } = ctx.services;
  const day = new Date(access_date * 1000).toISOString().slice(0, 10);
  const { subject, text } = textsIn(account.langid, site.langid).mails.signed;
  return () => {
    for (const to of addressesOf(account, ctx.seconds))
      mailer.send({
        to,
        subject: subject(thing, site.name),
        text: text(account.username, thing, site.name, day, by.who, by.administrator ?? ''),
      });
  };
}

interface How {
  /** The userid of an administrator who is not notified. */
  except?: number;
  /** Default: the current mail server. */
  smtp?: SmtpSettings | null;
}

/** Sends a mail to the administrators, to each in their language, if there is a mail server. */
export async function mailAdministrators(
  {
    mailer,
    storage,
    site,
  }: Pick<Services, 'storage' | 'site'> & { mailer: Pick<Services['mailer'], 'send'> },
  write: (texts: Texts) => Omit<Mail, 'to'>,
  { except = 0, smtp = site.smtp }: How = {},
): Promise<void> {
  if (smtp === null) return;
  for (const { email, langid } of await administratorsOf(storage.reader, except))
    if (email !== null) mailer.send({ to: email, ...write(textsIn(langid, site.langid)) }, smtp);
}

function administratorsOf(db: Db, except: number): Promise<Pick<Account, 'email' | 'langid'>[]> {
  return db
    .selectFrom('users')
    .select(['email', 'langid'])
    .where('enabled', '=', 1)
    .where(contains(db, 'privileges', '"Admin"'))
    .where('userid', '!=', except)
    .execute();
}
