import { Problem } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import type { SignOnSettings } from '#server/core/site-settings.ts';
import { addressBlock } from '#server/platform/caller.ts';

import { skewMs, type Asserted, type AuthnRequest } from './saml.ts';

/** The identity provider answers within this time, seconds. */
export const requestSeconds = 10 * 60;

/** What a person is told of an answer that does not stand up, or that counted before. */
export const notTrusted = 'The answer of the identity provider cannot be trusted';
export const usedBefore = 'The answer of the identity provider was used before';

/**
 * What the answer to a request asserts; null if it cannot be trusted, and the log says why. Problem 503 when the server
 * is too busy: the person can submit it again.
 */
export async function readOrRefuse(
  ctx: Context,
  settings: SignOnSettings,
  request: AuthnRequest,
  SAMLResponse: string,
): Promise<Asserted | null> {
  const { site, verification, log } = ctx.services;
  const work = { site: { address: site.address, sign_on: settings }, request, SAMLResponse };
  try {
    return await verification.read(addressBlock(ctx.address), work);
  } catch (error) {
    if (error instanceof Problem) throw error;
    log.warn({ err: error }, 'an answer of the identity provider is refused');
    return null;
  }
}

/** Whether an assertion counts now; it does not again until it is too old to be brought again. */
export async function isFirstUse({ db, seconds }: Context, { assertionid }: Asserted): Promise<boolean> {
  const expires_date = seconds + requestSeconds + (2 * skewMs) / 1000;
  const remembered = await db
    .insertInto('sign_on_assertions')
    .values({ assertionid, expires_date })
    .onConflict((conflict) => conflict.column('assertionid').doNothing())
    .returning('assertionid')
    .executeTakeFirst();
  return remembered !== undefined;
}
