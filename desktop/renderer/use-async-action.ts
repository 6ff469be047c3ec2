import { useRef, useState } from 'react';

import { Problem } from '#shared/api/problem.ts';
import { troubleOf } from '#desktop/engine/sync/trouble.ts';

import { refusedWords } from './text/language.ts';
import { showToast } from './ui/toast.tsx';

/**
 * The message of an error for users. Where the server says no more than that a value is wrong, it is what is wrong with the
 * first one.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof Problem && error.message === 'Validation failed') return fieldErrorMessage(error);
  return wholeMessage(error);
}

/** The message of an error for users: what is wrong with the first field, if the server named one. */
export function fieldErrorMessage(error: unknown): string {
  const [first] = error instanceof Problem ? (error.details.errors ?? []) : [];
  return first === undefined ? wholeMessage(error) : refusedWords(first.message, 'invalid');
}

function wholeMessage(error: unknown): string {
  return refusedWords(troubleOf(error).words, error instanceof Problem ? error.code : undefined);
}

type Act = (action: () => Promise<unknown>) => void;

/**
 * Runs async actions from event handlers. `busy` is true while one runs; errors are shown as toasts. `once`: as `act`, but
 * nothing happens while an action runs.
 *
 * - ADMIN-23 What makes something is done once, however often Enter is pressed and the button is tapped.
 */
export function useAsyncAction(): { act: Act; once: Act; busy: boolean } {
  const [running, setRunning] = useState(0);
  // Known before the next rendering, so that a second press comes too late.
  const now = useRef(0);
  const count = (change: number) => {
    now.current += change;
    setRunning(now.current);
  };
  const act: Act = (action) => {
    count(1);
    action()
      .catch((error: unknown) => showToast(errorMessage(error), 'danger'))
      .finally(() => count(-1));
  };
  const once: Act = (action) => {
    if (now.current === 0) act(action);
  };
  return { act, once, busy: running > 0 };
}
