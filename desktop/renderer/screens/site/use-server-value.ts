import { useEffect, useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';

/** A value that only the server has: not loaded yet, loaded, or the error. */
export interface ServerValue<T> {
  value: T | null;
  failure: string | null;
  set: (value: T) => void;
  reload: () => void;
}

type Read<T> = (actions: Actions) => Promise<T>;

/**
 * Loads a value from the server. Loads again on request, and when `read` or `again` changes, so `read` must keep its identity
 * between renders. `again`: such as the state of the connection; the value stays meanwhile.
 *
 * - ADMIN-20 A value that was read for another question, such as another account or other filters, is never shown: the new
 *   one is loading until it arrives, whatever arrives late.
 */
export function useServerValue<T>(read: Read<T>, again?: unknown): ServerValue<T> {
  const actions = useActions();
  const [found, setFound] = useState<{ read: Read<T>; value: T } | null>(null);
  const [failed, setFailed] = useState<{ read: Read<T>; words: string } | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isHere = true;
    read(actions).then(
      (value) => {
        if (!isHere) return;
        setFound({ read, value });
        setFailed(null);
      },
      (error: unknown) => isHere && setFailed({ read, words: errorMessage(error) }),
    );
    return () => {
      isHere = false;
    };
  }, [actions, read, again, round]);
  const reload = () => {
    setFailed(null);
    setRound((now) => now + 1);
  };
  return {
    value: found?.read === read ? found.value : null,
    failure: failed?.read === read ? failed.words : null,
    // A change that was saved after the question changed belongs to the earlier one.
    set: (value) => setFound((now) => (now === null || now.read === read ? { read, value } : now)),
    reload,
  };
}
