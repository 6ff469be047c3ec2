import { X } from 'lucide-react';
import { useState, type FormEvent } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Panel } from '#desktop/renderer/ui/panel.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import styles from './pages.module.css';

interface TagsProps {
  tags: readonly string[];
  canTag: boolean;
  onTag: (tag: string, on: boolean) => Promise<void>;
}

/** Tags of a guide or page; editable with the permission. */
export function Tags({ tags, canTag, onTag }: TagsProps) {
  const { act } = useAsyncAction();
  if (tags.length === 0 && !canTag) return null;
  return (
    <Panel title={text.pages.tags}>
      {tags.length === 0 ? (
        <Note>{text.pages.noTags}</Note>
      ) : (
        <ul className={classNames(styles, 'tags')}>
          {tags.map((tag) => (
            <li key={tag} className={classNames(styles, 'tag', !canTag && 'still')}>
              {tag}
              {canTag && (
                <IconButton
                  label={text.pages.removeTag(tag)}
                  icon={<X />}
                  onPress={() => act(() => onTag(tag, false))}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {canTag && <NewTag tags={tags} onAdd={(tag) => onTag(tag, true)} />}
    </Panel>
  );
}

function NewTag({ tags, onAdd }: { tags: readonly string[]; onAdd: (tag: string) => Promise<void> }) {
  const { act } = useAsyncAction();
  const [words, setWords] = useState('');
  const tag = words.trim();
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (tag === '') return;
    act(async () => {
      if (!tags.includes(tag)) await onAdd(tag);
      setWords('');
    });
  };
  return (
    <form className={classNames(styles, 'adding')} onSubmit={add}>
      <TextField label={text.pages.addTag} value={words} onChange={setWords} />
      <Button type="submit" isDisabled={tag === ''}>
        {text.pages.add}
      </Button>
    </form>
  );
}
