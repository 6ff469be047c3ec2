import { z } from 'zod';

import { keyOfHome } from '#desktop/renderer/home-session-storage.ts';

/**
 * A single sign-on in progress for one signature. It is stored for the lifetime of the tab, so that it survives a
 * reload.
 */
const storedSignOn = z.object({ id: z.string(), url: z.string(), until: z.number() });
/** `until`: deadline for the identity provider's answer, ms since 1970. */
export type StoredSignOn = z.infer<typeof storedSignOn>;

/** The identity provider must answer within this time, ms. */
export const signOnMs = 10 * 60_000;

function keyOf(home: string | null, requestid: number): string {
  return keyOfHome(home, `sign-on.${requestid}`);
}

/** The stored sign-on for a request; null if there is none or it has expired. */
export function readSignOn(home: string | null, requestid: number): StoredSignOn | null {
  const found = sessionStorage.getItem(keyOf(home, requestid));
  if (found === null) return null;
  try {
    const signOn = storedSignOn.parse(JSON.parse(found));
    return signOn.until > Date.now() ? signOn : null;
  } catch {
    return null;
  }
}

/** Stores the sign-on until the request is signed; null removes it. */
export function storeSignOn(home: string | null, requestid: number, signOn: StoredSignOn | null): void {
  const key = keyOf(home, requestid);
  if (signOn === null) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(signOn));
}
