import { forbidden, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { User } from '#shared/model/user.ts';
import { administers } from '#server/core/roles.ts';
import type { Context } from '#server/core/context.ts';
import { hashToken, impersonationSeconds, tokenLifetimeSeconds } from '#server/core/sessions.ts';
import type { Db } from '#server/storage/tables.ts';
import { addressBlock } from '#server/platform/caller.ts';

import { isStation, readOwnRecord } from '../users/store.ts';
import { countAttempt } from './attempts.ts';
import { askerOf } from './passwords.ts';
import { rememberOrigin, standingOf, type SignInOrigin, type Standing } from './known-devices.ts';
import { accountLimit, addressLimit, ageFlaw } from './policy.ts';
import { accountSubject, asTry, forgetFailures, type TryLimit } from './throttle.ts';

/** A person's oldest token ends when more than this many exist. */
const tokensPerUser = 50;

/** Marks tokens so that secret scanners find leaked ones. */
const tokenPrefix = 'bb_';

interface Credentials {
  email: string;
  password: string;
  device?: string | undefined;
  device_key?: string | undefined;
}

/**
 * Checks credentials and issues a token.
 *
 * - SIGN-IN-1 Signing in answers 201 with the record and a token that works until it is ended.
 * - SIGN-IN-2 A wrong password, an unknown account and a disabled one get the same answer (401 `Invalid login`).
 * - SIGN-IN-3 After ten failures a wait is required (429), for unknown accounts too; the wait ends by itself.
 * - SIGN-IN-5 Signing in needs e-mail and password and nothing else.
 */
export async function signIn(ctx: Context, credentials: Credentials): Promise<SignedIn> {
  const email = credentials.email.toLowerCase();
  const account = await accountOf(ctx.services.storage.reader, email);
  const place: SignInOrigin = { key: credentials.device_key ?? null, address: ctx.address };
  const standing = await standingOf(ctx.services.storage.reader, account?.userid, place, ctx.seconds);
  const limits = limitsOf(email, place, standing);
  const [{ subject }] = limits;
  return ctx.services.passwords.inTurn(subject, () =>
    asTry(ctx, limits, () => trySignIn(ctx, { ...credentials, email }, { place, standing, limits })),
  );
}

interface SignedIn {
  userid: number;
  token: string;
  /** If it is sent with the next sign-in, failed attempts elsewhere do not affect this device. */
  deviceKey: string;
}

/** The origin of an attempt, and the limits for which a failure counts. */
interface From {
  place: SignInOrigin;
  standing: Standing;
  limits: readonly [TryLimit, ...TryLimit[]];
}

/**
 * The limits for which a failure counts, narrowest first. Hashed, because people type their password into the wrong
 * field.
 */
export function limitsOf(
  email: string,
  { key, address }: SignInOrigin,
  standing: Standing,
): readonly [TryLimit, ...TryLimit[]] {
  const block = addressBlock(address);
  if (standing === 'device') return [{ subject: hashToken(`${email} device ${key}`) }];
  const here = { subject: hashToken(`${email} ${block}`) };
  const everybodyHere = { subject: hashToken(`sign-ins of ${block}`), ...addressLimit };
  if (standing === 'address') return [here, everybodyHere];
  return [here, { subject: accountSubject(email), ...accountLimit }, everybodyHere];
}

function accountOf(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select(['userid', 'password_hash', 'password_date', 'join_date', 'enabled'])
    .where('email', '=', email)
    .executeTakeFirst();
}

async function trySignIn(
  ctx: Context,
  credentials: Credentials,
  { place, standing, limits }: From,
): Promise<SignedIn> {
  const { services } = ctx;
  const account = await accountOf(services.storage.reader, credentials.email);
  const matches = await services.passwords.verify(
    account?.password_hash ?? null,
    credentials.password,
    askerOf(ctx),
  );
  if (!matches || account === undefined || account.enabled === 0) {
    const object = account === undefined ? null : { kind: 'user', id: String(account.userid) };
    await countAttempt(ctx, { limits, action: 'POST /user/token', object });
    throw new Problem('unauthorized', 'Invalid login', { code: 'wrong-login' });
  }
  const flaw = ageFlaw(ctx, account);
  if (flaw !== undefined) throw new Problem('unauthorized', flaw);
  const stored = account.password_hash ?? '';
  const rehashed = services.passwords.needsRehash(stored)
    ? await services.passwords.hash(credentials.password, askerOf(ctx))
    : undefined;
  const { token, deviceKey } = await ctx.write(async (write) => {
    await forgetFailures(write.db, limits[0].subject);
    if (rehashed !== undefined)
      await write.db
        .updateTable('users')
        .set({ password_hash: rehashed })
        .where('userid', '=', account.userid)
        .execute();
    const device = credentials.device ?? write.headers['user-agent'] ?? '';
    write.note.object = { kind: 'user', id: String(account.userid) };
    return {
      token: await issueToken(write, account.userid, device),
      deviceKey: await rememberOrigin(write, account.userid, place, standing),
    };
  });
  return { userid: account.userid, token, deviceKey };
}

/**
 * Issues a token for a person; only its hash is stored. `impersonator`: the administrator who will act as them.
 *
 * - SIGN-IN-4 A token lasts 90 days from its last use.
 */
export async function issueToken(
  ctx: Context,
  userid: number,
  device: string,
  impersonator?: number,
): Promise<string> {
  const token = tokenPrefix + Buffer.from(ctx.services.randomBytes(32)).toString('base64url');
  await ctx.db
    .insertInto('tokens')
    .values({
      token_hash: hashToken(token),
      sessionid: Buffer.from(ctx.services.randomBytes(16)).toString('hex'),
      userid,
      device: device.slice(0, 200),
      address: ctx.address,
      created_date: ctx.seconds,
      used_date: ctx.seconds,
      expires_date: ctx.seconds + (impersonator === undefined ? tokenLifetimeSeconds : impersonationSeconds),
      impersonator: impersonator ?? null,
      impersonator_token: impersonator === undefined ? null : ctx.viewer.tokenHash,
    })
    .execute();
  const surplus = await ctx.db
    .selectFrom('tokens')
    .select('token_hash')
    .where('userid', '=', userid)
    // Sessions of administrators who act as the person do not replace the person's own.
    .where('impersonator', 'is', null)
    .orderBy('used_date', 'desc')
    .orderBy('created_date', 'desc')
    .limit(1000)
    .offset(tokensPerUser)
    .execute();
  if (surplus.length > 0) {
    await ctx.db
      .deleteFrom('tokens')
      .where(
        'token_hash',
        'in',
        surplus.map((row) => row.token_hash),
      )
      .execute();
  }
  return token;
}

/** Ends the token of this call. */
export async function removeToken(ctx: Context): Promise<void> {
  await ctx.db
    .deleteFrom('tokens')
    .where('token_hash', '=', ctx.viewer.tokenHash ?? '')
    .execute();
}

/**
 * Issues a token with which an administrator acts as another person. Throws 404 for an unknown person, 403 for another
 * administrator, 422 for a closed account.
 *
 * - SITE-10 Such a token ends an hour after it was issued; issuing one is logged.
 * - SITE-16 No one can act as an administrator, or go on acting as a person who becomes one.
 * - SITE-17 Acting ends with the session in which it began. It also ends when the administrator's account is closed,
 *   loses the privilege or gets a new password, and when the person's account is closed, gets a new password or ends
 *   its other sessions. Each call checks both accounts. Acting that has ended does not resume.
 * - SITE-18 `GET /user` and the list of sessions name the administrator who is acting (`impersonator`), and the app
 *   shows it on every screen, with a button to stop. Every row of the audit log names them too, including rows of
 *   failed attempts and of jobs that they started. While acting, administrators cannot open training modules, because
 *   modules report with a token of their own.
 */
export async function impersonate(ctx: Context, userid: number): Promise<string> {
  const account = await ctx.db
    .selectFrom('users')
    .select(['enabled', 'privileges'])
    .where('userid', '=', userid)
    .executeTakeFirst();
  if (account === undefined) throw notFound('User');
  if (administers(JSON.parse(account.privileges) as string[]))
    throw forbidden('You cannot act as an administrator');
  if (await isStation(ctx.db, userid)) throw forbidden('You cannot act as a station');
  if (account.enabled === 0) throw invalid('userid', 'This account is closed');
  const token = await issueToken(ctx, userid, `Impersonated by ${ctx.viewer.username}`, ctx.viewer.userid);
  ctx.services.log.warn(
    { impersonator: ctx.viewer.userid, userid },
    'an administrator acts as somebody else',
  );
  return token;
}

/** The record of the person as whom an administrator acts. */
export async function representImpersonation(ctx: Context, userid: number): Promise<User> {
  const { userid: administrator, username } = ctx.viewer;
  return { ...(await readOwnRecord(ctx, userid)), impersonator: { userid: administrator, username } };
}
