import { findBridge } from './bridge.ts';

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
