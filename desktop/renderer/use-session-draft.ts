import { useState } from 'react';
import { z } from 'zod';

import { jsonIn } from '#desktop/engine/sync/recognise.ts';

import { adoptEarlierForms, keyOfHome } from './kept-of-home.ts';
import { useLive } from './use-live.ts';

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
 * the app again, costs nothing. `id` names the person, by number, and the record; `revisionid` is of the version that `start` says.
 */
export function useSessionDraft<T>(id: string, start: T, revisionid = 0): Kept<T> {
  const { home, user } = useLive('session');
  const key = keyOfHome(home, id);
  const [kept] = useState(() => {
    if (home !== null && user !== null) adoptEarlierForms(home, user.userid);
    return storedLike(start, sessionStorage.getItem(key));
  });
  const [state, setState] = useState<Stored<T>>(kept ?? { typed: start, start, revisionid });
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

/** What was kept; null where the form of another version of the app kept something else. */
function storedLike<T>(start: T, text: string | null): Stored<T> | null {
  const like = z.custom<T>((value) => isLike(start, value));
  const stored = z.object({ typed: like, start: like, revisionid: z.number() });
  return text === null ? null : (stored.safeParse(jsonIn(text)).data ?? null);
}

/** Whether every text of `pattern` is a text in `value` too. */
function isLike(pattern: unknown, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const found = new Map<string, unknown>(Object.entries(value));
  return Object.entries(Object(pattern) as object).every(
    ([name, text]) => typeof text !== 'string' || typeof found.get(name) === 'string',
  );
}
