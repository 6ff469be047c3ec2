import { useDeferredValue } from 'react';

import { useLiveSoon } from '#desktop/renderer/use-live.ts';

/** Maximum number of suggestions. */
const suggestionCount = 30;

/** Guides that match the words, as choices of a field. */
export function useGuideChoices(words: string) {
  const search = useDeferredValue(words.trim());
  const page = useLiveSoon('library', search === '' ? { category: null } : { category: null, search });
  return (page?.guides ?? [])
    .slice(0, suggestionCount)
    .map((guide) => ({ id: guide.guideid, name: guide.title, note: guide.category }));
}
