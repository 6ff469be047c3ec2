import type { Context } from '#server/http/context.ts';
import type { SignOnSettings } from '#server/site-settings.ts';

import { readAssertion, skewMs, type Asserted, type AuthnRequest } from './saml.ts';

/** The identity provider answers within this time, seconds. */
export const requestSeconds = 10 * 60;

/** What a person is told of an answer that does not stand up, or that counted before. */
export const notTrusted = 'The answer of the identity provider cannot be trusted';
export const usedBefore = 'The answer of the identity provider was used before';

/** What the answer to a request asserts; null where it is not to be believed, and the log says why. */
export function readOrRefuse(
  ctx: Context,
  settings: SignOnSettings,
  request: AuthnRequest,
  SAMLResponse: string,
): Promise<Asserted | null> {
  return readAssertion(ctx.services.site, settings, request, SAMLResponse).catch((error: unknown) => {
    ctx.services.log.warn({ err: error }, 'an answer of the identity provider is refused');
    return null;
  });
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
