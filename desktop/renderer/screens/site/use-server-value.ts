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
 * Loads a value from the server. Loads again on request and when `read` changes, so `read` must keep its identity
 * between renders.
 */
export function useServerValue<T>(read: Read<T>): ServerValue<T> {
  const actions = useActions();
  const [value, set] = useState<T | null>(null);
  const [failed, setFailed] = useState<{ read: Read<T>; words: string } | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isHere = true;
    read(actions).then(
      (found) => isHere && set(found),
      (error: unknown) => isHere && setFailed({ read, words: errorMessage(error) }),
    );
    return () => {
      isHere = false;
    };
  }, [actions, read, round]);
  const reload = () => {
    setFailed(null);
    setRound((now) => now + 1);
  };
  return { value, failure: failed?.read === read ? failed.words : null, set, reload };
}
