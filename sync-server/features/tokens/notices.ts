import type { Selectable } from 'kysely';

import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { Db, Tables } from '#server/storage/tables.ts';
import type { Mail } from '#server/features/mail/mailer.ts';
import type { SmtpSettings } from '#server/core/site-settings.ts';

/** A changed sign-in credential. */
export type Changed = 'password' | 'e-mail address' | 'single sign-on id';

type Account = Selectable<Tables['users']>;

interface OwnerNotice {
  to: readonly string[];
  username: string;
  changed: readonly Changed[];
  by: string;
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

/** Who changed the account of `userid`, in words for its owner. */
export function changerOf(
  { userid: caller, username }: Pick<Viewer, 'userid' | 'username'>,
  userid: number,
): string {
  if (caller === 0) return 'an administrator at the command line of the server';
  return caller === userid ? 'you, or a person who has your password' : `the administrator ${username}`;
}

/** Notifies the owner by e-mail of a stored change, without the new value, because the address may be old. */
export function notifyOwner(
  { mailer, site, listensAt }: Pick<Services, 'mailer' | 'site' | 'listensAt'>,
  { to, username, changed, by }: OwnerNotice,
): void {
  if (changed.length === 0) return;
  const what = changed.join(' and ');
  for (const address of to)
    mailer.send({
      to: address,
      subject: `Your ${what} at ${site.name} was changed`,
      text: `Hello ${username},

The ${what} of your account at ${site.name} was changed by ${by}. All other sessions of the account have ended.

If you did not expect this, tell an administrator of ${site.name} at once and set a new password:

${site.address ?? listensAt ?? ''}/forgot-password
`,
    });
}

/** What a person signs. */
const signedThings = { guide: 'A guide', order: 'A work order' } as const;

/**
 * Called after a signature. If it is the first one since another person changed how the signer signs in, clears the
 * record of that person (the audit log has it) and returns a function that notifies the owner, to be called once this
 * is stored.
 */
export async function afterSignature(
  ctx: Context,
  userid: number,
  thing: keyof typeof signedThings = 'guide',
): Promise<() => void> {
  const account = await ctx.db
    .selectFrom('users')
    .select(['username', 'email', 'access_by', 'access_date', 'address_before'])
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
  const by = changerOf({ userid: access_by, username: changer?.username ?? '' }, userid);
  const { mailer, site } = ctx.services;
  const day = new Date(access_date * 1000).toISOString().slice(0, 10);
  const what = signedThings[thing];
  return () => {
    for (const to of addressesOf(account, ctx.seconds))
      mailer.send({
        to,
        subject: `${what} was signed with your account at ${site.name}`,
        text: `Hello ${account.username},

${what} was signed with your account at ${site.name}. It is the first signature since your password, e-mail address or
single sign-on id was changed on ${day} (UTC) by ${by}.

If you did not sign it, tell an administrator of ${site.name}, or the person responsible for signatures, at once.
`,
      });
  };
}

interface How {
  /** The userid of an administrator who is not notified. */
  except?: number;
  /** Default: the current mail server. */
  smtp?: SmtpSettings | null;
}

/** Sends a mail to the administrators, if there is a mail server. */
export async function mailAdministrators(
  {
    mailer,
    storage,
    site,
  }: Pick<Services, 'storage' | 'site'> & { mailer: Pick<Services['mailer'], 'send'> },
  mail: Omit<Mail, 'to'>,
  { except = 0, smtp = site.smtp }: How = {},
): Promise<void> {
  if (smtp === null) return;
  for (const to of await administratorsOf(storage.reader, except)) mailer.send({ to, ...mail }, smtp);
}

async function administratorsOf(db: Db, except: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('enabled', '=', 1)
    .where('privileges', 'like', '%"Admin"%')
    .where('userid', '!=', except)
    .execute();
  return rows.flatMap(({ email }) => (email === null ? [] : [email]));
}
