import { loadRest } from '#desktop/renderer/first/load-rest.ts';

/**
 * A sign-in that continues at the identity provider. It is stored in this tab only, so that no other tab can complete
 * it.
 */
export interface StoredSignIn {
  server: string;
  verifier: string;
  /** The person signs in without the changes that wait on this device under another address. */
  apart: boolean;
}

const key = 'benchbook.sign-in';

/** Stores a sign-in before the redirect to the identity provider. */
export function storeSignIn({ server, verifier, apart }: StoredSignIn): void {
  const stored = new URLSearchParams({ server, verifier, apart: String(apart) });
  sessionStorage.setItem(key, stored.toString());
}

/** Returns the stored sign-in and removes it, because it can be used only once; null if there is none. */
export function takeSignIn(): StoredSignIn | null {
  const found = new URLSearchParams(sessionStorage.getItem(key) ?? '');
  sessionStorage.removeItem(key);
  const server = found.get('server');
  const verifier = found.get('verifier');
  if (server === null || verifier === null) return null;
  return { server, verifier, apart: found.get('apart') === 'true' };
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
export async function findSignInReturn(): Promise<SignInReturn | null> {
  if (window.benchbook === undefined) return null;
  const { findBridge } = await loadRest();
  const bridge = findBridge();
  if (bridge === undefined) return null;
  return {
    listen: () => bridge.signInListen(),
    wait: () => bridge.signInWait(),
    end: () => void bridge.signInEnd().catch(() => undefined),
  };
}
