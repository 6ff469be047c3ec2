import { memo, useEffect } from 'react';

import { useResults, type Results } from './use-results.ts';

/** What was found, and for which text. */
export interface FoundFor extends Results {
  query: string;
}

/**
 * Finds and hands over; renders nothing. Apart from the field, so that typing never waits for it. `onFound` must stay the
 * same.
 */
export const Seek = memo(function Seek({
  query,
  onFound,
}: {
  query: string;
  onFound: (found: FoundFor) => void;
}) {
  const results = useResults(query);
  useEffect(() => onFound({ query, ...results }));
  return null;
});
