import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { type Id, isTemporaryId } from '#shared/rules/guide-content.ts';

import { moved } from './moved.ts';
import styles from './supply-list.module.css';
import { useEditor } from './use-editor.ts';

const suggestionCount = 30;

/** The guides that come first. */
export function Prerequisites() {
  const { draft, edit } = useEditor();
  const { guides } = useLive('library', { category: null });
  const ids = draft.content.prerequisites;
  const names = new Map(guides.map(({ guideid, title }) => [guideid, title]));
  const set = (value: Id[]) => void edit({ op: 'setList', field: 'prerequisites', value });
  return (
    <>
      {ids.length === 0 ? (
        <p className={classNames(styles, 'nothing')}>{text.editor.noPrerequisites}</p>
      ) : (
        <ol className={classNames(styles, 'list')}>
          {ids.map((id, index) => {
            const name = names.get(String(id)) ?? text.editor.unknownGuide(String(id));
            return (
              <li key={id} className={classNames(styles, 'line')}>
                <span className={classNames(styles, 'words')}>{name}</span>
                {index > 0 && (
                  <IconButton
                    label={text.editor.moveUp(name)}
                    icon={<ArrowUp />}
                    onPress={() => set(moved(ids, index, -1))}
                  />
                )}
                {index < ids.length - 1 && (
                  <IconButton
                    label={text.editor.moveDown(name)}
                    icon={<ArrowDown />}
                    onPress={() => set(moved(ids, index, 1))}
                  />
                )}
                <IconButton
                  label={text.editor.removePrerequisite(name)}
                  icon={<X />}
                  onPress={() => set(ids.filter((other) => other !== id))}
                />
              </li>
            );
          })}
        </ol>
      )}
      <GuideSearch taken={[draft.guideid, ...ids.map(String)]} onFound={(id) => set([...ids, id])} />
    </>
  );
}

function GuideSearch({ taken, onFound }: { taken: readonly string[]; onFound: (id: Id) => void }) {
  const [words, setWords] = useState('');
  const search = useDeferredValue(words.trim());
  const found = useLive('library', search === '' ? { category: null } : { category: null, search });
  const choices = found.guides
    .filter(({ guideid }) => !taken.includes(guideid))
    .slice(0, suggestionCount)
    .map((guide) => ({ id: guide.guideid, name: guide.title, note: guide.category }));
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
