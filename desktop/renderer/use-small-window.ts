import { useSyncExternalStore } from 'react';

/** As wide as a phone, which the style sheets of the shell call so too. */
const small = matchMedia('(max-width: 600px)');

function listen(changed: () => void): () => void {
  small.addEventListener('change', changed);
  return () => small.removeEventListener('change', changed);
}

/** Whether the window is as narrow as a phone. */
export function useSmallWindow(): boolean {
  return useSyncExternalStore(listen, () => small.matches);
}
