import { useState } from 'react';

import { Problem } from '#shared/api/problem.ts';
import { troubleOf } from '#desktop/engine/sync/trouble.ts';

import { showToast } from './ui/toast.tsx';

/** The message of an error for users. */
export function errorMessage(error: unknown): string {
  return troubleOf(error).words;
}

/** The message of an error for users: what is wrong with the first field, if the server named one. */
export function fieldErrorMessage(error: unknown): string {
  const [first] = error instanceof Problem ? (error.details.errors ?? []) : [];
  return first?.message ?? errorMessage(error);
}

/** Runs async actions from event handlers. `busy` is true while one runs; errors are shown as toasts. */
export function useAsyncAction(): { act: (action: () => Promise<unknown>) => void; busy: boolean } {
  const [running, setRunning] = useState(0);
  const act = (action: () => Promise<unknown>) => {
    setRunning((count) => count + 1);
    action()
      .catch((error: unknown) => showToast(errorMessage(error), 'danger'))
      .finally(() => setRunning((count) => count - 1));
  };
  return { act, busy: running > 0 };
}
