import { useDeferredValue, useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { type Id, isTemporaryId } from '#shared/rules/guide-content.ts';

import { useCategoryName } from '../library/category-name.ts';
import { moved, OrderedList } from './ordered-list.tsx';
import { useEditor } from './use-editor.ts';

const suggestionCount = 30;

/** The prerequisite guides. */
export function Prerequisites() {
  const { draft, edit } = useEditor();
  const { guides } = useLive('library', { category: null });
  const ids = draft.content.prerequisites;
  const names = new Map(guides.map(({ guideid, title }) => [guideid, title]));
  const set = (value: Id[]) => void edit({ op: 'setList', field: 'prerequisites', value });
  return (
    <>
      <OrderedList
        entries={ids.map((id) => ({
          id,
          name: names.get(String(id)) ?? text.editor.unknownGuide(String(id)),
        }))}
        emptyWords={text.editor.noPrerequisites}
        removeLabel={text.editor.removePrerequisite}
        onMove={(index, by) => set(moved(ids, index, by))}
        onRemove={(removed) => set(ids.filter((id) => id !== removed))}
      />
      <GuideSearch taken={[draft.guideid, ...ids.map(String)]} onFound={(id) => set([...ids, id])} />
    </>
  );
}

function GuideSearch({ taken, onFound }: { taken: readonly string[]; onFound: (id: Id) => void }) {
  const [words, setWords] = useState('');
  const nameOf = useCategoryName();
  const search = useDeferredValue(words.trim());
  const found = useLive('library', search === '' ? { category: null } : { category: null, search });
  const choices = found.guides
    .filter(({ guideid }) => !taken.includes(guideid))
    .slice(0, suggestionCount)
    .map((guide) => ({ id: guide.guideid, name: guide.title, note: nameOf(guide.category) }));
  return (
    <ComboField
      label={text.editor.addPrerequisite}
      hint={text.editor.prerequisitesHint}
      choices={choices}
      input={words}
      onInput={setWords}
      onChoose={(guideid) => {
        if (guideid === null) return;
        setWords('');
        onFound(isTemporaryId(guideid) ? guideid : Number(guideid));
      }}
      emptyText={text.editor.noGuide}
      openLabel={text.editor.openGuides}
    />
  );
}
