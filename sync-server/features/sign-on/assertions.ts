import { Problem } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import type { SignOnSettings } from '#server/core/site-settings.ts';
import { addressBlock } from '#server/platform/caller.ts';
import { textsIn, type Texts } from '#server/text/texts.ts';

import { skewMs, type Asserted, type AuthnRequest } from './saml.ts';

/** Lifetime of a request, seconds. */
export const requestSeconds = 10 * 60;

/** Why an answer is refused, in the words of a language. */
export type Flaw = (flaws: Texts['pages']['signOnFlaws']) => string;

export const notTrusted: Flaw = (flaws) => flaws.notTrusted;
export const usedBefore: Flaw = (flaws) => flaws.usedBefore;

/** As the API and the audit log have it. */
export function inEnglish(flaw: Flaw): string {
  return flaw(textsIn('en').pages.signOnFlaws);
}

/**
 * The assertion in the answer to a request; null if it cannot be trusted (the log says why). Throws 503 if the server
 * is busy; then the person can submit the answer again.
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

/**
 * Whether an assertion is used for the first time. Its id is stored until the assertion has expired.
 *
 * - SIGN-ON-5 A request accepts one answer, and an assertion counts once.
 */
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
