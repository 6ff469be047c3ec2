import { z } from 'zod';

import { findBridge } from '#desktop/renderer/platform/bridge.ts';

/**
 * A sign-in that continues at the identity provider. It is stored in this tab only, so that no other tab can complete
 * it.
 */
const storedSignIn = z.strictObject({
  server: z.string(),
  verifier: z.string(),
  /** The person signs in without the changes that wait on this device under another address. */
  apart: z.boolean().default(false),
});
export type StoredSignIn = z.infer<typeof storedSignIn>;

const key = 'benchbook.sign-in';

/** Stores a sign-in before the redirect to the identity provider. */
export function storeSignIn(signIn: StoredSignIn): void {
  sessionStorage.setItem(key, JSON.stringify(signIn));
}

/** Returns the stored sign-in and removes it, because it can be used only once; null if there is none. */
export function takeSignIn(): StoredSignIn | null {
  const found = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  try {
    return storedSignIn.parse(JSON.parse(found ?? 'null'));
  } catch {
    return null;
  }
}

/** The code in the address to which the identity provider redirected; null if there is none. */
export function codeInAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('sign-on');
}

/** Receives the code in the desktop app, where the person signs in with the system's browser. */
export interface SignInReturn {
  /** Returns the redirect address for the browser. */
  listen: () => Promise<string>;
  /** Resolves with the code; null after a timeout or if the person cancels. */
  wait: () => Promise<string | null>;
  end: () => void;
}

/** Null in a browser, where the page itself is redirected to the identity provider and back. */
export function findSignInReturn(): SignInReturn | null {
  const bridge = findBridge();
  if (bridge === undefined) return null;
  return {
    listen: () => bridge.signInListen(),
    wait: () => bridge.signInWait(),
    end: () => void bridge.signInEnd().catch(() => undefined),
  };
}
