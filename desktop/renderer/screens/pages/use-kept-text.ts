import { useState } from 'react';

import type { BegunText, PageText } from '#desktop/engine/views/page-records.ts';

type Named = PageText & { name: string };

export interface KeptText {
  text: Named;
  /** What the page said when the person began. */
  began: BegunText;
  /** Words that were typed before and not saved. */
  wasKept: boolean;
  isDirty: boolean;
  change: (change: Partial<Named>) => void;
  /** They are saved, or not wanted. */
  forget: () => void;
}

interface Kept {
  typed: Named;
  start: Named;
  revisionid: number;
}

/**
 * What a person types into a page, kept in this window until it is saved or discarded: leaving the screen, or loading
 * the app again, costs nothing. `id` names person and page; `revisionid` is of the version that `start` says.
 */
export function useKeptText(id: string, start: Named, revisionid = 0): KeptText {
  const key = `benchbook.page.${id}`;
  const [kept] = useState(() => sessionStorage.getItem(key));
  const [state, setState] = useState<Kept>(() =>
    kept === null ? { typed: start, start, revisionid } : (JSON.parse(kept) as Kept),
  );
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
