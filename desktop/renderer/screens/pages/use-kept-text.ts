import { useState } from 'react';

import type { PageText } from '#desktop/engine/views/page-records.ts';

export interface KeptText {
  text: PageText & { name: string };
  /** Words that were typed before and not saved. */
  wasKept: boolean;
  isDirty: boolean;
  change: (change: Partial<PageText & { name: string }>) => void;
  /** They are saved, or not wanted. */
  forget: () => void;
}

/**
 * What a person types into a page, kept in this window until it is saved or discarded: leaving the screen, or loading
 * the app again, costs nothing. `id` names person and page.
 */
export function useKeptText(id: string, start: PageText & { name: string }): KeptText {
  const key = `benchbook.page.${id}`;
  const [kept] = useState(() => sessionStorage.getItem(key));
  const [typed, setTyped] = useState(() =>
    kept === null ? start : { ...start, ...(JSON.parse(kept) as Partial<PageText>) },
  );
  return {
    text: typed,
    wasKept: kept !== null,
    isDirty: JSON.stringify(typed) !== JSON.stringify(start),
    change: (change) => {
      const next = { ...typed, ...change };
      sessionStorage.setItem(key, JSON.stringify(next));
      setTyped(next);
    },
    forget: () => sessionStorage.removeItem(key),
  };
}
