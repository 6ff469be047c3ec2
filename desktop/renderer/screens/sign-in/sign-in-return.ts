import { z } from 'zod';

import { findBridge } from '#desktop/renderer/platform/bridge.ts';

/** A sign-in whose person is at the identity provider. Kept in this tab alone, so that no other one can end it. */
const kept = z.strictObject({
  server: z.string(),
  verifier: z.string(),
  /** The person signs in without the changes that wait on this device for another address. */
  apart: z.boolean().default(false),
});
export type KeptSignIn = z.infer<typeof kept>;

const key = 'benchbook.sign-in';

export function keepSignIn(signIn: KeptSignIn): void {
  sessionStorage.setItem(key, JSON.stringify(signIn));
}

/** Takes what was kept: it is of use once. Null: nobody began to sign in here. */
export function takeSignIn(): KeptSignIn | null {
  const found = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  try {
    return kept.parse(JSON.parse(found ?? 'null'));
  } catch {
    return null;
  }
}

/** The code in the address that the identity provider's answer led to; null: there is none. */
export function codeInAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('sign-on');
}

/** Where the desktop app hears of what a person did in the browser of their system. */
export interface SignInReturn {
  /** Returns the address that the browser is to come to. */
  listen: () => Promise<string>;
  /** The code that it brought; null when none came, or the person changed their mind. */
  wait: () => Promise<string | null>;
  end: () => void;
}

/** Null in a browser: there the page itself goes to the identity provider, and comes back. */
export function findSignInReturn(): SignInReturn | null {
  const bridge = findBridge();
  if (bridge === undefined) return null;
  return {
    listen: () => bridge.signInListen(),
    wait: () => bridge.signInWait(),
    end: () => void bridge.signInEnd().catch(() => undefined),
  };
}
