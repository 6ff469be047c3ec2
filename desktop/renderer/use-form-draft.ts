import { useRef, useState } from 'react';
import { z } from 'zod';

import type { UnsavedForm } from '#desktop/engine/api/forms.ts';

import { useActions } from './engine-context.tsx';
import { useHandOver } from './hand-over.ts';
import { earlierFormOf } from './home-session-storage.ts';
import { useLive } from './use-live.ts';

/** Typed text is journalled after at most this time, ms. */
const restMs = 300;

export interface FormDraft<T> {
  text: T;
  /** The record's text when editing began. */
  began: { text: T; revisionid: number };
  /** When the restored text was typed, ms since 1970; null if the form began with the record. */
  restoredFrom: number | null;
  isDirty: boolean;
  change: (change: Partial<T>) => void;
  /** Called when the text is saved or discarded. */
  forget: () => void;
}

interface Stored<T> {
  typed: T;
  start: T;
  revisionid: number;
  at: number;
}

interface Options<T> {
  /** The person's number and the record. */
  id: string;
  /** What the form stores. A text that does not fit it was stored by another version of the form, and is not restored. */
  schema: z.ZodType<T>;
  start: T;
  /** The revision of `start`, if it has one. */
  revisionid?: number;
  /** The page that the form edits. */
  wikiid?: string | null;
}

/** The text of a form, stored on this device until it is saved or discarded, so that it survives the end of the app. */
export function useFormDraft<T>({
  id,
  schema,
  start,
  revisionid = 0,
  wikiid = null,
}: Options<T>): FormDraft<T> {
  const actions = useActions();
  const stored = useLive('unsavedForm', id);
  const session = useLive('session');
  const [kept] = useState(() => storedIn(schema, stored ?? earlierFormOf(session, id)));
  const [state, setState] = useState(kept ?? { typed: start, start, revisionid });
  /** What is not handed to the engine yet. */
  const waiting = useRef<{ typed: T; timer: ReturnType<typeof setTimeout> } | null>(null);
  const latest = useRef(state.typed);
  const handOver = () => {
    const now = waiting.current;
    if (now === null) return;
    clearTimeout(now.timer);
    waiting.current = null;
    const { start: before, revisionid: since } = state;
    const isDirty = JSON.stringify(now.typed) !== JSON.stringify(before);
    const form = { typed: now.typed, start: before, revisionid: since, wikiid, at: Date.now() };
    // The engine stores what the disk refuses as soon as it can, and the form says so meanwhile.
    actions.keepForm(id, isDirty ? form : null).catch(() => undefined);
  };
  useHandOver(handOver);
  return {
    text: state.typed,
    began: { text: state.start, revisionid: state.revisionid },
    restoredFrom: kept?.at ?? null,
    isDirty: JSON.stringify(state.typed) !== JSON.stringify(state.start),
    change: (change) => {
      latest.current = { ...latest.current, ...change };
      const typed = latest.current;
      setState((now) => ({ ...now, typed }));
      if (waiting.current === null) waiting.current = { typed, timer: setTimeout(handOver, restMs) };
      else waiting.current.typed = typed;
    },
    forget: () => {
      if (waiting.current !== null) clearTimeout(waiting.current.timer);
      waiting.current = null;
      actions.keepForm(id, null).catch(() => undefined);
    },
  };
}

function storedIn<T>(schema: z.ZodType<T>, form: UnsavedForm | null): Stored<T> | null {
  const stored = z.object({ typed: schema, start: schema, revisionid: z.number(), at: z.number() });
  return stored.safeParse(form).data ?? null;
}
