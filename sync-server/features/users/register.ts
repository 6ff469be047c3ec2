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

/**
 * Creates an account: for the caller, or for another person whom an administrator registers.
 *
 * - USER-1 If registration is closed, only administrators create accounts.
 * - USER-2 If it is open, everyone with an app id can create an account.
 */
export function register(ctx: Context, asked: Registration): Promise<Registered> {
  return ctx.viewer.isAdmin ? registerOther(ctx, asked) : registerOneself(ctx, asked);
}

/**
 * Creates an account for another person. Requires a proof (USER-18), so that a stolen session cannot create a person
 * who signs. Throws 422 for a taken address.
 *
 * - PEOPLE-13 A person whom an administrator registers can be found at once.
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
 * Creates an account for the caller, without revealing whether the address is taken.
 *
 * - USER-10 Registration does not reveal whether an address has, or had, an account. Callers who are not administrators
 *   get the same answer, an account and a token, for every address. The account gets the address once someone who reads
 *   its mail has opened the link in the mail and chosen a password, within a day; earlier sessions end with that, so
 *   that nobody who registered another person's address keeps access. The owner of a taken address is notified by mail,
 *   and nothing changes for them. The numbers of rows and mails are the same in both cases; at most three mails per
 *   hour are sent to an address.
 * - USER-12 If a site with open registration sends no mail, a free address belongs to the new account at once, and a
 *   taken address stays with its owner. The answer is the same, but a later sign-in reveals the difference: set up mail
 *   (`smtp`) if everyone may register. Sixty accounts an hour can be created from one place (a /64 of IPv6), with or
 *   without mail. Administrators learn which addresses are taken, because they create accounts for others.
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
  // After the answer, so that its duration does not reveal whether a mail was sent.
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
