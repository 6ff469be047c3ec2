import { useEffect, useRef, useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';

import { storeSignOn, readSignOn, signOnMs, type StoredSignOn } from './stored-sign-on.ts';

/** The state of a single sign-on for a signature. */
export type SignOnState =
  /** `isOver`: a sign-on has ended. */
  | { kind: 'none'; isOver: boolean; failure: string | null }
  | { kind: 'beginning' }
  | { kind: 'waiting'; signOn: StoredSignOn }
  | { kind: 'confirmed'; id: string };

export interface SignOn {
  state: SignOnState;
  /** Opens the identity provider. Must be called from a press event. */
  begin: () => void;
  /** Ends the sign-on. `failure`: the reason. */
  end: (failure: string | null) => void;
}

/** Interval at which the server is asked for the identity provider's answer, ms. */
const askMs = 1500;

/** Runs a single sign-on for the signature of a request. It continues after a reload. */
export function useSignOn(home: string | null, requestid: number): SignOn {
  const actions = useActions();
  const [state, setState] = useState<SignOnState>(() => {
    const signOn = readSignOn(home, requestid);
    return signOn === null ? { kind: 'none', isOver: false, failure: null } : { kind: 'waiting', signOn };
  });
  const end = (failure: string | null) => {
    storeSignOn(home, requestid, null);
    setState({ kind: 'none', isOver: true, failure });
  };
  const begin = () => {
    const target = openLater();
    setState({ kind: 'beginning' });
    actions.beginSignOn().then(
      ({ sign_onid: id, url }) => {
        const signOn = { id, url, until: Date.now() + signOnMs };
        storeSignOn(home, requestid, signOn);
        setState({ kind: 'waiting', signOn });
        target.go(url);
      },
      (error: unknown) => {
        target.close();
        end(errorMessage(error));
      },
    );
  };
  const handleAnswer = (answer: Answer) => {
    if (answer.kind === 'confirmed') setState(answer);
    else end(answer.failure);
  };
  const latest = useRef(handleAnswer);
  useEffect(() => {
    latest.current = handleAnswer;
  });
  const waiting = state.kind === 'waiting' ? state.signOn : null;
  useEffect(() => {
    if (waiting === null) return undefined;
    let isHere = true;
    const ask = async () => {
      const answer = await answerTo(waiting, actions.readSignOn);
      if (isHere && answer !== null) latest.current(answer);
    };
    void ask();
    const timer = setInterval(() => void ask(), askMs);
    // Timers of background tabs are throttled: asks immediately when the window gets the focus.
    const comeBack = () => void ask();
    window.addEventListener('focus', comeBack);
    return () => {
      isHere = false;
      clearInterval(timer);
      window.removeEventListener('focus', comeBack);
    };
  }, [waiting, actions]);
  return { state, begin, end };
}

type Answer = { kind: 'confirmed'; id: string } | { kind: 'failed'; failure: string };

/** Asks the server for the result. Null: no result yet, or the server could not be reached. */
async function answerTo(
  { id, until }: StoredSignOn,
  read: (
    id: string,
  ) => Promise<{ status: 'waiting' | 'confirmed' | 'refused' | 'taken'; error: string | null }>,
): Promise<Answer | null> {
  if (Date.now() > until) return { kind: 'failed', failure: text.approvals.signOnTooLate };
  try {
    const { status, error } = await read(id);
    if (status === 'waiting') return null;
    if (status === 'confirmed') return { kind: 'confirmed', id };
    return { kind: 'failed', failure: error ?? text.approvals.signOnUsed };
  } catch {
    // Without a connection, the next interval asks again.
    return null;
  }
}

/** Whether the site has a single sign-on. False until the server has answered. */
export function useOffersSignOn(isOffline: boolean): boolean {
  const actions = useActions();
  const [isOffered, setIsOffered] = useState(false);
  useEffect(() => {
    if (isOffline) return undefined;
    let isHere = true;
    actions.offersSignOn().then(
      (found) => isHere && setIsOffered(found),
      // Without an answer the password can still be used.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [actions, isOffline]);
  return isOffered;
}

/** A window whose address is set after it was opened. */
interface LaterWindow {
  /** Loads the address. */
  go: (url: string) => void;
  close: () => void;
}

/**
 * Opens a window immediately, because browsers allow popups only in response to a press. In the desktop app none
 * opens: there the system's browser opens the address as soon as it is known.
 */
function openLater(): LaterWindow {
  const target = window.open('about:blank', '_blank');
  return {
    go(url) {
      if (target === null) {
        window.open(url, '_blank', 'noopener,noreferrer');
        return;
      }
      target.opener = null;
      target.location.href = url;
    },
    close: () => target?.close(),
  };
}
