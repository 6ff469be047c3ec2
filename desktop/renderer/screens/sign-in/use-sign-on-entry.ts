import { useEffect, useRef, useState } from 'react';

import { UnprovedServer } from '#desktop/engine/account/unproved-server.ts';
import { useSignInActions } from '#desktop/renderer/engine-context.tsx';
import {
  findSignInReturn,
  type SignInReturn,
  codeInAddress,
  storeSignIn,
  takeSignIn,
} from './sign-in-return.ts';
import { signInText } from '#desktop/renderer/text/en/sign-in.ts';
import { CodeMissing } from '#desktop/renderer/first/code-missing.ts';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { Problem } from '#shared/api/problem.ts';

import { isAddress, withScheme } from '#desktop/renderer/platform/server-address.ts';

/**
 * The state of a sign-in at an identity provider. `waiting`: the person signs in with the system's browser, at `url`.
 */
export type EntryState =
  | { kind: 'none'; failure: Failure | null }
  | { kind: 'busy' }
  | { kind: 'waiting'; url: string };

/**
 * `unproved`: the server that did not prove its identity while changes wait for it on this device (ACCOUNT-4); null
 * for other failures.
 */
interface Failure {
  words: string;
  unproved: string | null;
}

export interface SignOnEntry {
  state: EntryState;
  /** `apart`: without the changes that wait on this device (see `Actions.signIn`). */
  begin: (server: string, apart?: boolean) => void;
  cancel: () => void;
}

/** Runs a sign-in at the identity provider of a server. It continues after the redirect back to this page. */
export function useSignOnEntry(onSignedIn: () => void): SignOnEntry {
  const actions = useSignInActions();
  const [code] = useState(codeInAddress);
  const [state, setState] = useState<EntryState>(
    code === null ? { kind: 'none', failure: null } : { kind: 'busy' },
  );
  const attempt = (work: () => Promise<void>, server: string): void => {
    setState({ kind: 'busy' });
    work().catch((error: unknown) => {
      const failure = failureOf(error, server);
      setState({ kind: 'none', failure });
      endSignInReturn();
    });
  };
  const finish = async (
    server: string,
    receivedCode: string,
    verifier: string,
    apart: boolean,
  ): Promise<void> => {
    await actions.signInWithCode(server, receivedCode, verifier, apart);
    onSignedIn();
  };
  const completeRedirect = useRef(() => {
    if (code === null) return;
    // The code must not stay in the address and the history, where others could read it.
    history.replaceState(history.state, '', location.pathname);
    const stored = takeSignIn();
    if (stored === null) setState({ kind: 'none', failure: plain(signInText.signOnElsewhere) });
    else attempt(() => finish(stored.server, code, stored.verifier, stored.apart), stored.server);
  });
  useEffect(() => completeRedirect.current(), []);

  const throughSystemBrowser = async (server: string, way: SignInReturn, apart: boolean): Promise<void> => {
    const { url, verifier } = await actions.beginSignIn(server, await way.listen());
    setState({ kind: 'waiting', url });
    window.open(url, '_blank', 'noopener,noreferrer');
    const receivedCode = await way.wait();
    if (receivedCode === null) {
      setState((now) =>
        now.kind === 'waiting' ? { kind: 'none', failure: plain(signInText.signOnEnded) } : now,
      );
      return;
    }
    setState({ kind: 'busy' });
    await finish(server, receivedCode, verifier, apart);
  };
  const throughRedirect = async (server: string, apart: boolean): Promise<void> => {
    const { url, returnTo, verifier } = await actions.beginSignIn(server, null);
    const { origin } = new URL(returnTo);
    if (origin !== location.origin) throw new Problem('unavailable', signInText.signOnAt(origin));
    storeSignIn({ server, verifier, apart });
    location.assign(url);
    // Going back from the identity provider may restore this page from the cache, so it must not stay busy.
    setState({ kind: 'none', failure: null });
  };
  return {
    state,
    begin: (typed, apart = false) => {
      const server = withScheme(typed);
      attempt(async () => {
        const way = await findSignInReturn();
        await (way === null ? throughRedirect(server, apart) : throughSystemBrowser(server, way, apart));
      }, server);
    },
    cancel: () => {
      setState({ kind: 'none', failure: null });
      endSignInReturn();
    },
  };
}

function endSignInReturn(): void {
  void findSignInReturn().then((way) => way?.end());
}

/** The server is asked when its address has not changed for this time, ms. */
const stillMs = 400;

/** The name of the server's identity provider; null if it has none or has not answered. */
export function useProvider(typed: string): string | null {
  const actions = useSignInActions();
  const [found, setFound] = useState<{ typed: string; name: string | null } | null>(null);
  useEffect(() => {
    if (!isAddress(typed)) return undefined;
    let isHere = true;
    const timer = setTimeout(() => {
      actions.signInProvider(withScheme(typed)).then(
        (name) => isHere && setFound({ typed, name }),
        // Without an answer the password can still be used.
        () => undefined,
      );
    }, stillMs);
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [actions, typed]);
  return found?.typed === typed ? found.name : null;
}

function failureOf(error: unknown, server: string): Failure | null {
  // The sign-in says so itself.
  if (error instanceof CodeMissing) return null;
  if (!(error instanceof UnprovedServer)) return plain(errorMessage(error));
  const { reason, origin, changes } = error;
  return { words: signInText.unproved[reason](withScheme(server), origin, changes), unproved: server };
}

function plain(words: string): Failure {
  return { words, unproved: null };
}
