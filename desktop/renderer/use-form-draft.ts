import { useRef, useState } from 'react';
import { z } from 'zod';

import type { UnsavedForm } from '#desktop/engine/api/forms.ts';

import { useActions } from './engine-context.tsx';
import { useHandOver } from './hand-over.ts';
import { earlierFormOf } from './home-session-storage.ts';
import { useLive, useLiveSoon } from './use-live.ts';

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
  /** As `change`, for the whole text. */
  replace: (text: T) => void;
  /** Called when the text is saved or discarded, and the form is left. */
  forget: () => void;
  /** As `forget`, for a form that stays: it begins anew. */
  clear: () => void;
}

interface Stored<T> {
  typed: T;
  start: T;
  revisionid: number;
  at: number;
}

interface Options<T> {
  /**
   * The form, the person's number and the record. It stays that of the first rendering: at a station that locks, the person
   * changes before the form is gone.
   */
  id: string;
  /** What the form stores. A text that does not fit it was stored by another version of the form, and is not restored. */
  schema: z.ZodType<T>;
  start: NoInfer<T>;
  /** The revision of `start`, if it has one. */
  revisionid?: number;
  /** The page that the form edits. */
  wikiid?: string | null;
  /** The files that a text names (`keepFormFile`). */
  filesOf?: (text: T) => string[];
}

/** The text of a form, stored on this device until it is saved or discarded, so that it survives the end of the app. */
export function useFormDraft<T>(options: Options<T>): FormDraft<T> {
  const [id] = useState(options.id);
  return useDraft({ ...options, id }, useLive('unsavedForm', id));
}

/**
 * As `useFormDraft`, for a part of a screen that is not to hold up the others: it does not suspend, and the stored text
 * appears as soon as it is read.
 */
export function useFormDraftSoon<T>(options: Options<T>): FormDraft<T> {
  const [id] = useState(options.id);
  return useDraft({ ...options, id }, useLiveSoon('unsavedForm', id));
}

/** The id of a form of the person who is signed in. `parts`: what is filled in, and about which record. */
export function useFormId(...parts: readonly [string, ...string[]]): string {
  const { user } = useLive('session');
  const [form, ...record] = parts;
  return [form, user?.userid ?? 0, ...record].join('.');
}

function useDraft<T>(
  { id, schema, start, revisionid = 0, wikiid = null, filesOf = () => [] }: Options<T>,
  stored: UnsavedForm | null | undefined,
): FormDraft<T> {
  const actions = useActions();
  const session = useLive('session');
  const fresh = { typed: start, start, revisionid };
  /** What was stored when the form was opened; undefined: it is being read. */
  const [kept, setKept] = useState<Stored<T> | null>();
  const [entered, setEntered] = useState<Omit<Stored<T>, 'at'> | null>(null);
  let restored = kept;
  if (restored === undefined && stored !== undefined) {
    restored = storedIn(schema, stored ?? earlierFormOf(session, id));
    setKept(restored);
  }
  const state = entered ?? restored ?? fresh;
  /** What is not handed to the engine yet. */
  const waiting = useRef<{ typed: T; timer: ReturnType<typeof setTimeout> } | null>(null);
  const latest = useRef<T | null>(null);
  const handOver = () => {
    const now = waiting.current;
    if (now === null) return;
    clearTimeout(now.timer);
    waiting.current = null;
    const { start: before, revisionid: since } = state;
    const isDirty = JSON.stringify(now.typed) !== JSON.stringify(before);
    const files = filesOf(now.typed);
    const form = {
      typed: now.typed,
      start: before,
      revisionid: since,
      wikiid,
      at: Date.now(),
      ...(files.length > 0 && { files }),
    };
    // The engine stores what the disk refuses as soon as it can, and the form says so meanwhile.
    actions.keepForm(id, isDirty ? form : null).catch(() => undefined);
  };
  useHandOver(handOver);
  const replace = (typed: T) => {
    latest.current = typed;
    setEntered((now) => ({ ...(now ?? state), typed }));
    if (waiting.current === null) waiting.current = { typed, timer: setTimeout(handOver, restMs) };
    else waiting.current.typed = typed;
  };
  const forget = () => {
    if (waiting.current !== null) clearTimeout(waiting.current.timer);
    waiting.current = null;
    actions.keepForm(id, null).catch(() => undefined);
  };
  return {
    text: state.typed,
    began: { text: state.start, revisionid: state.revisionid },
    restoredFrom: restored?.at ?? null,
    isDirty: JSON.stringify(state.typed) !== JSON.stringify(state.start),
    change: (change) => replace({ ...(latest.current ?? state.typed), ...change }),
    replace,
    forget,
    clear: () => {
      latest.current = start;
      setKept(null);
      setEntered(fresh);
      forget();
    },
  };
}

function storedIn<T>(schema: z.ZodType<T>, form: UnsavedForm | null): Stored<T> | null {
  const stored = z.object({ typed: schema, start: schema, revisionid: z.number(), at: z.number() });
  return stored.safeParse(form).data ?? null;
}
