import { forbidden, invalid, notFound, Problem } from '#shared/api/problem.ts';
import type { User } from '#shared/model/user.ts';
import { administers } from '#server/access/roles.ts';
import type { Context } from '#server/http/context.ts';
import { hashToken, impersonationSeconds, tokenLifetimeSeconds } from '#server/http/auth.ts';

import { readOwnRecord } from '../users/store.ts';
import { countAttempt } from './attempts.ts';
import { askerOf } from './passwords.ts';
import { ageFlaw } from './policy.ts';
import { forgetFailures, refuseWhileThrottled } from './throttle.ts';

/** A person's oldest token ends when more than this many exist. */
const tokensPerUser = 50;

/** Marks tokens so that secret scanners find leaked ones. */
const tokenPrefix = 'bb_';

interface Credentials {
  email: string;
  password: string;
  device?: string | undefined;
}

/**
 * Checks credentials and issues a token. 401 `Invalid login` alike for an unknown account and a wrong password;
 * 429 after too many failures for this account from this address.
 */
export async function signIn(
  ctx: Context,
  credentials: Credentials,
): Promise<{ userid: number; token: string }> {
  const email = credentials.email.toLowerCase();
  // Hashed, because people type their password into the wrong field.
  const subject = hashToken(`${email} ${ctx.address}`);
  return ctx.services.passwords.inTurn(subject, () => trySignIn(ctx, { ...credentials, email }, subject));
}

async function trySignIn(
  ctx: Context,
  credentials: Credentials,
  subject: string,
): Promise<{ userid: number; token: string }> {
  const { services } = ctx;
  await refuseWhileThrottled(ctx, subject);
  const account = await services.storage.reader
    .selectFrom('users')
    .select(['userid', 'password_hash', 'password_date', 'join_date', 'enabled'])
    .where('email', '=', credentials.email)
    .executeTakeFirst();
  const matches = await services.passwords.verify(
    account?.password_hash ?? null,
    credentials.password,
    askerOf(ctx),
  );
  if (!matches || account === undefined || account.enabled === 0) {
    const object = account === undefined ? null : { kind: 'user', id: String(account.userid) };
    await countAttempt(ctx, { subject, action: 'POST /user/token', object });
    throw new Problem('unauthorized', 'Invalid login', { code: 'wrong-login' });
  }
  const flaw = ageFlaw(ctx, account);
  if (flaw !== undefined) throw new Problem('unauthorized', flaw);
  const stored = account.password_hash ?? '';
  const rehashed = services.passwords.needsRehash(stored)
    ? await services.passwords.hash(credentials.password, askerOf(ctx))
    : undefined;
  const token = await ctx.write(async (write) => {
    await forgetFailures(write.db, subject);
    if (rehashed !== undefined)
      await write.db
        .updateTable('users')
        .set({ password_hash: rehashed })
        .where('userid', '=', account.userid)
        .execute();
    const device = credentials.device ?? write.headers['user-agent'] ?? '';
    write.note.object = { kind: 'user', id: String(account.userid) };
    return issueToken(write, account.userid, device);
  });
  return { userid: account.userid, token };
}

/** Issues a token for a person; only its hash is stored. `impersonator`: the administrator who will act as them. */
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
    // Whoever acts as somebody does not push their own sessions out.
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

/** Ends the token that this call came with. */
export async function removeToken(ctx: Context): Promise<void> {
  await ctx.db
    .deleteFrom('tokens')
    .where('token_hash', '=', ctx.viewer.tokenHash ?? '')
    .execute();
}

/**
 * A token with which an administrator acts as another person; told to the log. 404 for nobody, 403 for another administrator,
 * 422 for a closed account.
 */
export async function impersonate(ctx: Context, userid: number): Promise<string> {
  const account = await ctx.db
    .selectFrom('users')
    .select(['enabled', 'privileges'])
    .where('userid', '=', userid)
    .executeTakeFirst();
  if (account === undefined) throw notFound('User');
  if (administers(JSON.parse(account.privileges) as string[]))
    throw forbidden('Nobody acts as an administrator');
  if (account.enabled === 0) throw invalid('userid', 'This account is closed');
  const token = await issueToken(ctx, userid, `Impersonated by ${ctx.viewer.username}`, ctx.viewer.userid);
  ctx.services.log.warn(
    { impersonator: ctx.viewer.userid, userid },
    'an administrator acts as somebody else',
  );
  return token;
}

/** What an administrator is told of the person whom they act as. */
export async function representImpersonation(ctx: Context, userid: number): Promise<User> {
  const { userid: administrator, username } = ctx.viewer;
  return { ...(await readOwnRecord(ctx, userid)), impersonator: { userid: administrator, username } };
}
