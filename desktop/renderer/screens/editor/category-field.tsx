import { useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { pathId } from '#shared/rules/guide-content.ts';

import { useCategoryName } from '../library/category-name.ts';
import { placeAttribute } from './problems.ts';
import { useEditor } from './use-editor.ts';

/** Maximum number of suggestions. */
const suggestionCount = 40;

/** Combo box for the category of the guide. */
export function CategoryField() {
  const { draft, edit, saveAttempted } = useEditor();
  const { category } = draft.content;
  const [words, setWords] = useState<string | null>(null);
  const nameOf = useCategoryName();
  const shown = words ?? nameOf(category);
  const wanted = shown.trim().toLowerCase();
  const found =
    words === null || words === nameOf(category)
      ? draft.categories
      : draft.categories.filter((name) => `${nameOf(name)}\n${name}`.toLowerCase().includes(wanted));
  const isUnknown = words !== null && words !== nameOf(category) && found.length === 0;
  return (
    <div {...{ [placeAttribute]: pathId({ field: 'category' }) }}>
      <ComboField
        label={text.editor.category}
        isRequired
        choices={found.slice(0, suggestionCount).map((name) => ({ id: name, name: nameOf(name) }))}
        input={shown}
        onInput={setWords}
        onChoose={(name) => {
          setWords(null);
          if (name !== null) void edit({ op: 'setField', field: 'category', value: name });
        }}
        placeholder={text.editor.categoryPlaceholder}
        emptyText={text.editor.noCategory}
        openLabel={text.editor.openCategories}
        error={
          isUnknown
            ? text.editor.noCategory
            : saveAttempted && category === ''
              ? text.editor.needCategory
              : undefined
        }
      />
    </div>
  );
}
