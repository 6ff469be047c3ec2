import type { z } from 'zod';

import type { registration } from '#shared/api/users.ts';
import type { Context } from '#server/http/context.ts';

import { askForAddress } from '../tokens/new-address.ts';
import { askerOf } from '../tokens/passwords.ts';
import { issueToken } from '../tokens/store.ts';
import { createAccount, deriveUniqueUsername, isTaken } from './store.ts';

type Registration = z.output<typeof registration>;

/**
 * Makes an account. An administrator is told that an address is taken. Nobody else is (U10): they get an account in any
 * case, which has the address once its mail was read; where the site sends no mail, at once if it is free.
 */
export async function register(
  ctx: Context,
  { email, password, username, unique_username }: Registration,
): Promise<{ userid: number; token: string }> {
  const passwordHash = await ctx.services.passwords.hash(password, askerOf(ctx));
  const { send, ...made } = await ctx.write(async (write) => {
    const { isAdmin } = write.viewer;
    const { isConfigured } = write.services.mailer;
    const isFree = !(await isTaken(write.db, 'email', email.toLowerCase()));
    const hasAddress = isAdmin || (!isConfigured && isFree);
    const userid = await createAccount(write, {
      username,
      unique_username: unique_username ?? (await deriveUniqueUsername(write.db, username)),
      email: hasAddress ? email : null,
      passwordHash,
      passwordIsOwn: write.viewer.userid === 0,
      privileges: ['User'],
    });
    return {
      userid,
      token: await issueToken(write, userid, write.headers['user-agent'] ?? ''),
      send: isConfigured && !isAdmin ? await askForAddress(write, userid, email, 'registered') : undefined,
    };
  });
  // Later: how long a mail takes is no part of the answer.
  if (send !== undefined) setImmediate(send);
  return made;
}
