import { useState } from 'react';
import { z } from 'zod';

import { jsonIn } from '#desktop/engine/sync/recognise.ts';

import { adoptEarlierForms, keyOfHome } from './home-session-storage.ts';
import { useLive } from './use-live.ts';

export interface SessionDraft<T> {
  text: T;
  /** The record's text when editing began. */
  began: { text: T; revisionid: number };
  /** The text was typed earlier and not saved. */
  wasRestored: boolean;
  isDirty: boolean;
  change: (change: Partial<T>) => void;
  /** Called when the text is saved or discarded. */
  forget: () => void;
}

interface Stored<T> {
  typed: T;
  start: T;
  revisionid: number;
}

/**
 * The text of a form, stored in this window until it is saved or discarded, so that it survives navigation and
 * reloads. `id`: the person's number and the record; `revisionid`: the revision of `start`.
 */
export function useSessionDraft<T>(id: string, start: T, revisionid = 0): SessionDraft<T> {
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
    wasRestored: kept !== null,
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

/** The stored text; null if another version of the form stored something else. */
function storedLike<T>(start: T, text: string | null): Stored<T> | null {
  const like = z.custom<T>((value) => isLike(start, value));
  const stored = z.object({ typed: like, start: like, revisionid: z.number() });
  return text === null ? null : (stored.safeParse(jsonIn(text)).data ?? null);
}

/** Whether `value` has a text wherever `pattern` has one. */
function isLike(pattern: unknown, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const found = new Map<string, unknown>(Object.entries(value));
  return Object.entries(Object(pattern) as object).every(
    ([name, text]) => typeof text !== 'string' || typeof found.get(name) === 'string',
  );
}
