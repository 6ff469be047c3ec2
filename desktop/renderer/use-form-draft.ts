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

interface Options<T> {
  /** The person's number and the record. */
  id: string;
  /** What the form stores. A text that does not fit it was stored by another version of the form, and is not restored. */
  schema: z.ZodType<T>;
  start: T;
  /** The revision of `start`, if it has one. */
  revisionid?: number;
}

/**
 * The text of a form, stored in this window until it is saved or discarded, so that it survives navigation and
 * reloads.
 */
export function useSessionDraft<T>({ id, schema, start, revisionid = 0 }: Options<T>): SessionDraft<T> {
  const { home, user } = useLive('session');
  const key = keyOfHome(home, id);
  const [kept] = useState(() => {
    if (home !== null && user !== null) adoptEarlierForms(home, user.userid);
    return storedIn(schema, sessionStorage.getItem(key));
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

function storedIn<T>(schema: z.ZodType<T>, text: string | null): Stored<T> | null {
  const stored = z.object({ typed: schema, start: schema, revisionid: z.number() });
  return text === null ? null : (stored.safeParse(jsonIn(text)).data ?? null);
}
