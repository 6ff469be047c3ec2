import { useEffect, useState } from 'react';

import type { Actions } from '#desktop/engine/api.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { wordsOf } from '#desktop/renderer/use-act.ts';

/** A value that only the server has: not there yet, there, or why it is not. */
export interface ServerValue<T> {
  value: T | null;
  failure: string | null;
  set: (value: T) => void;
  again: () => void;
}

/** Asks for it once, and again when asked to. `read`: the same function at every drawing. */
export function useServerValue<T>(read: (actions: Actions) => Promise<T>): ServerValue<T> {
  const actions = useActions();
  const [value, set] = useState<T | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isHere = true;
    read(actions).then(
      (found) => isHere && set(found),
      (error: unknown) => isHere && setFailure(wordsOf(error)),
    );
    return () => {
      isHere = false;
    };
  }, [actions, read, round]);
  const again = () => {
    setFailure(null);
    setRound((now) => now + 1);
  };
  return { value, failure, set, again };
}
