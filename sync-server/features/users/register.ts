import type { z } from 'zod';

import { invalid } from '#shared/api/problem.ts';
import type { users } from '#shared/api/users.ts';
import type { Context } from '#server/core/context.ts';

import { givenFlaw, type GivenFacts } from '../approvals/password.ts';
import { rememberAddress } from '../tokens/known-devices.ts';
import { askForAddress, countNewAddress } from '../tokens/new-address.ts';
import { askerOf } from '../tokens/passwords.ts';
import { mustBeProved, withProof } from '../tokens/proof.ts';
import { issueToken } from '../tokens/store.ts';
import { createAccount, deriveUniqueUsername, isTaken } from './store.ts';

type Registration = z.output<typeof users.register.body>;

interface Registered {
  userid: number;
  /** None if there is no password yet. */
  token?: string;
}

/** Creates an account: for the caller, or for another person whom an administrator registers. */
export function register(ctx: Context, asked: Registration): Promise<Registered> {
  return ctx.viewer.isAdmin ? registerOther(ctx, asked) : registerOneself(ctx, asked);
}

/**
 * Makes an account that an administrator asks for. A session alone makes nobody (USER-18): people who are made up would sign.
 * 422 for an address that is taken.
 */
async function registerOther(ctx: Context, asked: Registration): Promise<Registered> {
  const { email, password, current_password, sign_on_token } = asked;
  const proof = { current_password, sign_on_token };
  const isProved = Object.values(proof).some((one) => one !== undefined);
  mustBeProved(isProved, 'To register another person, send your own password as current_password');
  const passwordHash =
    password === undefined ? null : await ctx.services.passwords.hash(password, askerOf(ctx));
  const use = { action: 'POST /users', flaw: (_: unknown, account: GivenFacts) => givenFlaw(account) };
  return withProof(ctx, proof, use, async (write) => {
    const account = await nameOf(write, asked);
    const userid = await createAccount(write, {
      ...account,
      email,
      passwordHash,
      privileges: ['User'],
      accessBy: write.viewer.userid,
    });
    return password === undefined ? { userid } : { userid, token: await tokenFor(write, userid) };
  });
}

/**
 * Creates an account for the caller, without revealing whether the address is taken (USER-10): the caller always gets an
 * account, which receives the address once its e-mail was read, or at once if the address is free and the site sends no
 * mail.
 */
async function registerOneself(ctx: Context, asked: Registration): Promise<Registered> {
  const { email, password } = asked;
  if (password === undefined) throw invalid('password', 'Choose a password');
  const passwordHash = await ctx.services.passwords.hash(password, askerOf(ctx));
  const { send, ...made } = await ctx.write(async (write) => {
    const { isConfigured } = write.services.mailer;
    await countNewAddress(write);
    const hasAddress = !isConfigured && !(await isTaken(write.db, 'email', email.toLowerCase()));
    const userid = await createAccount(write, {
      ...(await nameOf(write, asked)),
      email: hasAddress ? email : null,
      passwordHash,
      passwordIsOwn: write.viewer.userid === 0,
      privileges: ['User'],
    });
    await rememberAddress(write, userid, write.address);
    return {
      userid,
      token: await tokenFor(write, userid),
      send: isConfigured ? await askForAddress(write, userid, email, 'registered') : undefined,
    };
  });
  // Later: how long a mail takes is no part of the answer.
  if (send !== undefined) setImmediate(send);
  return made;
}

async function nameOf(
  ctx: Context,
  { username, unique_username }: Registration,
): Promise<{ username: string; unique_username: string }> {
  return {
    username,
    unique_username: unique_username ?? (await deriveUniqueUsername(ctx.db, username)),
  };
}

function tokenFor(ctx: Context, userid: number): Promise<string> {
  return issueToken(ctx, userid, ctx.headers['user-agent'] ?? '');
}
