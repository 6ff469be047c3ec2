import { useState } from 'react';

import { troubleOf } from '#desktop/engine/sync/trouble.ts';

import { showToast } from './ui/toast.tsx';

/** Any error in a sentence for people. */
export function errorMessage(error: unknown): string {
  return troubleOf(error).words;
}

/** Runs actions from event handlers: while one runs `busy` is true, and what fails is said. */
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
