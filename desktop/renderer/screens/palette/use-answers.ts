import { useCallback, useRef, useState } from 'react';

import type { FoundFor } from './seek.tsx';

/** What waits until its text has been searched: Enter, or a code. */
export interface Question {
  query: string;
  isCode: boolean;
}

export interface Answers {
  found: FoundFor | null;
  /** The code that nothing here has; null: none was scanned. */
  unknown: string | null;
  /** Takes what was found. Stays the same. */
  onFound: (found: FoundFor) => void;
  /** Opens what the text of a question finds, as soon as it is found. */
  ask: (question: Question) => void;
  /** The text of the field has changed. */
  forget: () => void;
}

/**
 * What was found, and the way there.
 *
 * - PALETTE-3 Enter opens what the typed text finds, even if it was typed faster than it was found.
 * - PALETTE-4 A code from the camera, or from a scanner that types, leads to the guide, work order or number that has
 *   exactly this code. Of an unknown code the palette says so, and searches for it.
 */
export function useAnswers(onGo: (href: string) => void): Answers {
  const [found, setFound] = useState<FoundFor | null>(null);
  const [unknown, setUnknown] = useState<string | null>(null);
  const waiting = useRef<Question | null>(null);
  const answer = useCallback(
    (now: FoundFor | null) => {
      const asked = waiting.current;
      if (asked === null || now?.query !== asked.query) return;
      waiting.current = null;
      const target = asked.isCode ? now.exact : (now.groups[0]?.targets[0] ?? null);
      if (target !== null) onGo(target.href);
      else if (asked.isCode) setUnknown(asked.query);
    },
    [onGo],
  );
  const onFound = useCallback(
    (now: FoundFor) => {
      setFound(now);
      answer(now);
    },
    [answer],
  );
  return {
    found,
    unknown,
    onFound,
    ask: (question) => {
      waiting.current = question;
      answer(found);
    },
    forget: () => {
      waiting.current = null;
      setUnknown(null);
    },
  };
}
