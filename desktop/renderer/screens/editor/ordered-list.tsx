import { ArrowDown, ArrowUp, X } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';

import styles from './supply-list.module.css';

interface OrderedListProps {
  entries: readonly { id: string | number; name: string }[];
  /** Shown instead of an empty list. */
  emptyWords: string;
  removeLabel: (name: string) => string;
  onMove: (index: number, by: 1 | -1) => void;
  onRemove: (id: string | number) => void;
}

/** A list with buttons to move each entry up or down and to remove it. */
export function OrderedList({ entries, emptyWords, removeLabel, onMove, onRemove }: OrderedListProps) {
  if (entries.length === 0) return <p className={classNames(styles, 'nothing')}>{emptyWords}</p>;
  return (
    <ol className={classNames(styles, 'list')}>
      {entries.map(({ id, name }, index) => (
        <li key={id} className={classNames(styles, 'line')}>
          <span className={classNames(styles, 'words')}>{name}</span>
          {index > 0 && (
            <IconButton
              label={text.editor.moveUp(name)}
              icon={<ArrowUp />}
              onPress={() => onMove(index, -1)}
            />
          )}
          {index < entries.length - 1 && (
            <IconButton
              label={text.editor.moveDown(name)}
              icon={<ArrowDown />}
              onPress={() => onMove(index, 1)}
            />
          )}
          <IconButton label={removeLabel(name)} icon={<X />} onPress={() => onRemove(id)} />
        </li>
      ))}
    </ol>
  );
}

/** A copy of the list with the element at `index` moved by one. */
export function moved<T>(items: readonly T[], index: number, by: 1 | -1): T[] {
  return items.toSpliced(index, 1).toSpliced(index + by, 0, ...items.slice(index, index + 1));
}
