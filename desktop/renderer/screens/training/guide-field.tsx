import { useDeferredValue, useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { useCategoryName } from '../library/category-name.ts';

/** Maximum number of suggestions. */
const suggestionCount = 12;

interface GuideFieldProps {
  label: string;
  hint?: string;
  /** The initial title. */
  begin?: string;
  /** Null: the text is not a guide. */
  onChoose: (guideid: string | null) => void;
}

/** Combo box for a guide, by its title. */
export function GuideField({ label, hint, begin = '', onChoose }: GuideFieldProps) {
  const [words, setWords] = useState(begin);
  const nameOf = useCategoryName();
  const search = useDeferredValue(words.trim());
  const found = useLive('library', search === '' ? { category: null } : { category: null, search });
  const choices = found.guides
    .slice(0, suggestionCount)
    .map((guide) => ({ id: guide.guideid, name: guide.title, note: nameOf(guide.category) }));
  return (
    <ComboField
      label={label}
      hint={hint}
      choices={choices}
      input={words}
      onInput={setWords}
      onChoose={(guideid) => {
        const guide = choices.find(({ id }) => id === guideid);
        if (guide !== undefined) setWords(guide.name);
        onChoose(guideid);
      }}
      placeholder={text.quizzes.attachPlaceholder}
      emptyText={text.editor.noGuide}
      openLabel={text.editor.openGuides}
    />
  );
}
