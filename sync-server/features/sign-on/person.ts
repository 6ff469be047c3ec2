import { Problem } from '#shared/api/problem.ts';
import { must } from '#shared/must.ts';
import { nobody as anonymous } from '#server/core/viewer.ts';
import type { Context } from '#server/core/context.ts';
import { endOtherAccess } from '#server/features/tokens/sessions.ts';
import { addressesOf, notifyOwner } from '#server/features/tokens/notices.ts';
import { createAccount, deriveUniqueUsername } from '#server/features/users/store.ts';
import type { SignOnSettings } from '#server/core/site-settings.ts';
import type { Db } from '#server/storage/tables.ts';

import { inEnglish, type Flaw } from './assertions.ts';
import type { Asserted } from './saml.ts';

/** The part of an assertion that identifies a person. */
export type Identity = Pick<Asserted, 'ssoUserid' | 'email' | 'name'>;

/** The account for a person from the identity provider: known by id, linked by address, new, or none. */
type AccountMatch =
  | { kind: 'known' | 'linked'; userid: number }
  | { kind: 'new'; userid?: never }
  | { kind: 'nobody'; userid?: number; flaw: Flaw };

type Account = NonNullable<Awaited<ReturnType<typeof accountBy>>>;

/**
 * The account of a person: by their single sign-on id, or else, if the settings allow it, by their address, or else, if
 * the settings allow it, a new one.
 *
 * - SIGN-ON-11 An account is found by its `sso_userid`; changing or removing the id ends its sessions (USER-5). A
 *   closed account is refused, also between code and token. An unknown person gets the id that an administrator must
 *   enter.
 */
export async function matchAccount(
  db: Db,
  settings: SignOnSettings,
  person: Identity,
): Promise<AccountMatch> {
  const { ssoUserid, email } = person;
  const known = await accountBy(db, 'sso_userid', ssoUserid);
  if (known !== undefined) return openOr(known, { kind: 'known', userid: known.userid });
  const former = await nameOf(db, 'sso_userid', ssoUserid);
  if (former !== undefined) return nobody(former, (flaws) => flaws.idTaken(ssoUserid));
  const namesake = email === null ? undefined : await accountBy(db, 'email', email);
  if (settings.match_email && namesake !== undefined) {
    if (namesake.sso_userid !== null) return nobody(namesake.userid, (flaws) => flaws.otherId);
    if (isSpecial(namesake)) return nobody(namesake.userid, (flaws) => flaws.specialAccount(ssoUserid));
    return openOr(namesake, { kind: 'linked', userid: namesake.userid });
  }
  if (!settings.create_accounts) return nobody(undefined, (flaws) => flaws.unknownId(ssoUserid));
  if (email !== null && (await nameOf(db, 'email', email)) !== undefined)
    return nobody(namesake?.userid, (flaws) => flaws.addressTaken(ssoUserid));
  return { kind: 'new' };
}

function openOr(account: Account, match: AccountMatch): AccountMatch {
  if (account.enabled === 1) return match;
  return nobody(account.userid, (flaws) => flaws.ownAccountClosed);
}

function nobody(userid: number | undefined, flaw: Flaw): AccountMatch {
  return { kind: 'nobody', flaw, ...(userid === undefined ? {} : { userid }) };
}

/** Whether an account is never linked by address, because people may choose their address at the identity provider. */
function isSpecial({ privileges }: Account): boolean {
  const held = JSON.parse(privileges) as string[];
  return held.includes('Admin') || held.includes('Kiosk');
}

/**
 * The account that the person signs in to, within the transaction that creates the session; throws 401 if there is
 * none. `notify` notifies the owner of changes, to be called once they are stored.
 *
 * - SIGN-ON-13 With `create_accounts`, everyone known to the provider gets an account (privilege `User`) when their
 *   device fetches its token, unless their id or address belongs, or belonged, to an account. A transient NameID is not
 *   an id.
 */
export async function resolveAccount(
  ctx: Context,
  settings: SignOnSettings,
  person: Identity,
): Promise<{ userid: number; notify: () => void }> {
  const match = await matchAccount(ctx.db, settings, person);
  if (match.kind === 'nobody') throw new Problem('unauthorized', inEnglish(match.flaw));
  const nothing = (): void => undefined;
  if (match.kind === 'new') return { userid: await createFor(ctx, person), notify: nothing };
  const notify = match.kind === 'linked' ? await linkAccount(ctx, match.userid, person) : nothing;
  return { userid: match.userid, notify };
}

async function createFor(ctx: Context, { ssoUserid, email, name }: Identity): Promise<number> {
  const username = (name ?? must((email ?? ssoUserid).split('@')[0], 'a name')).slice(0, 100) || 'User';
  return createAccount(ctx, {
    username,
    unique_username: await deriveUniqueUsername(ctx.db, username),
    email,
    passwordHash: null,
    privileges: ['User'],
    ssoUserid,
  });
}

/**
 * Links an account to the person with its address.
 *
 * - SIGN-ON-12 With `match_email`, an account without an id is found by its e-mail address, and gets the id. Because
 *   the account's owner never proved that the address is theirs, its password and sessions end, and an e-mail says so.
 *   Accounts of administrators and kiosks are not found in this way.
 */
async function linkAccount(
  { db, services, seconds }: Context,
  userid: number,
  { ssoUserid }: Identity,
): Promise<() => void> {
  const account = await db
    .selectFrom('users')
    .select(['email', 'username', 'langid', 'access_date', 'address_before'])
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('users')
    .set({ sso_userid: ssoUserid, password_hash: null, password_date: null })
    .where('userid', '=', userid)
    .execute();
  await endOtherAccess({ db, viewer: anonymous }, userid);
  const changed = ['ssoUserid', 'password'] as const;
  return () =>
    notifyOwner(services, { to: addressesOf(account, seconds), account, changed, by: { who: 'provider' } });
}

function accountBy(db: Db, column: 'email' | 'sso_userid', value: string) {
  return db
    .selectFrom('users')
    .select(['userid', 'enabled', 'privileges', 'sso_userid'])
    .where(column, '=', value)
    .executeTakeFirst();
}

/** The account that has or had this address or single sign-on id, which no other account can get. */
async function nameOf(db: Db, kind: 'email' | 'sso_userid', value: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('account_names')
    .select('userid')
    .where('kind', '=', kind)
    .where('value', '=', value)
    .executeTakeFirst();
  return row?.userid;
}
