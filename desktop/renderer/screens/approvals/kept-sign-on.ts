import { z } from 'zod';

import { keyOfHome } from '#desktop/renderer/kept-of-home.ts';

/** A single sign-on that is under way for one signature: kept while the page is, so that a reload does not lose it. */
const kept = z.object({ id: z.string(), url: z.string(), until: z.number() });
/** `until`: ms since 1970, when the identity provider must have answered. */
export type KeptSignOn = z.infer<typeof kept>;

/** The identity provider answers within this time, ms. */
export const signOnMs = 10 * 60_000;

function keyOf(home: string | null, requestid: number): string {
  return keyOfHome(home, `sign-on.${requestid}`);
}

/** What is under way for a request; null: nothing that can still be answered. */
export function readSignOn(home: string | null, requestid: number): KeptSignOn | null {
  const found = sessionStorage.getItem(keyOf(home, requestid));
  if (found === null) return null;
  try {
    const signOn = kept.parse(JSON.parse(found));
    return signOn.until > Date.now() ? signOn : null;
  } catch {
    return null;
  }
}

/** Keeps it until it has signed; null forgets it. */
export function keepSignOn(home: string | null, requestid: number, signOn: KeptSignOn | null): void {
  const key = keyOf(home, requestid);
  if (signOn === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(signOn));
}
