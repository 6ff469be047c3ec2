import { useState } from 'react';

export interface Kept<T> {
  text: T;
  /** What the record said when the person began. */
  began: { text: T; revisionid: number };
  /** Words that were typed before and not saved. */
  wasKept: boolean;
  isDirty: boolean;
  change: (change: Partial<T>) => void;
  /** They are saved, or not wanted. */
  forget: () => void;
}

interface Stored<T> {
  typed: T;
  start: T;
  revisionid: number;
}

/**
 * What a person types into a form, kept in this window until it is saved or discarded: leaving the screen, or loading
 * the app again, costs nothing. `id` names person and record; `revisionid` is of the version that `start` says.
 */
export function useKept<T>(id: string, start: T, revisionid = 0): Kept<T> {
  const key = `benchbook.${id}`;
  const [kept] = useState(() => sessionStorage.getItem(key));
  const [state, setState] = useState<Stored<T>>(() =>
    kept === null ? { typed: start, start, revisionid } : (JSON.parse(kept) as Stored<T>),
  );
  return {
    text: state.typed,
    began: { text: state.start, revisionid: state.revisionid },
    wasKept: kept !== null,
    isDirty: JSON.stringify(state.typed) !== JSON.stringify(state.start),
    change: (change) =>
      setState((now) => {
        const next = { ...now, typed: { ...now.typed, ...change } };
        sessionStorage.setItem(key, JSON.stringify(next));
        return next;
      }),
    forget: () => sessionStorage.removeItem(key),
  };
}
