import { X } from 'lucide-react';
import { useId, useRef, useState } from 'react';

import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { ComboField, type ComboChoice } from './combo-field.tsx';
import fieldStyles from './field.module.css';
import type { FieldProps } from './field.tsx';
import { IconButton } from './icon-button.tsx';
import styles from './list-field.module.css';
import { TextField } from './text-field.tsx';

/** The words of a list. */
export interface ListWords {
  /** Label of the field that adds an item. */
  add: string;
  /** Name of the button that removes an item. */
  remove: (name: string) => string;
  /** Shown without items. */
  none: string;
  /** Name of the button that adds what was typed, or that opens the list. */
  addButton: string;
  nothingFound: string;
}

/** Choices that are offered at a time: typing finds the others, and long lists make every keystroke slow. */
export const mostChoices = 50;

interface ListFieldProps extends Omit<FieldProps, 'isRequired' | 'isDisabled'> {
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** The name of a value. Default: the value. */
  nameOf?: (value: string) => string;
  /** Shown after the name of a value. */
  noteOf?: (value: string) => string | undefined;
  /** What can be added; absent: any text. */
  choices?: readonly ComboChoice[];
  words: ListWords;
}

/** Several values: each can be removed, and others added from a list or as text. */
export function ListField({ label, hint, error, value, nameOf = String, noteOf, ...props }: ListFieldProps) {
  const { onChange, choices, words } = props;
  const heading = useId();
  const add = (item: string) => {
    const trimmed = item.trim();
    if (trimmed !== '' && !value.includes(trimmed)) onChange([...value, trimmed]);
  };
  const field = { label: words.add, error, ...(hint === undefined ? {} : { hint }) };
  return (
    <div className={classNames(styles, 'list')} role="group" aria-labelledby={heading}>
      <span id={heading} className={classNames(fieldStyles, 'label')}>
        {label}
      </span>
      {value.length === 0 ? (
        <p className={classNames(styles, 'empty')}>{words.none}</p>
      ) : (
        <ul className={classNames(styles, 'items')}>
          {value.map((item) => (
            <li key={item} className={classNames(styles, 'item')}>
              {nameOf(item)}
              {noteOf?.(item) !== undefined && (
                <span className={classNames(styles, 'note')}>{noteOf(item)}</span>
              )}
              <IconButton
                label={words.remove(nameOf(item))}
                icon={<X />}
                onPress={() => onChange(value.filter((one) => one !== item))}
              />
            </li>
          ))}
        </ul>
      )}
      {choices === undefined ? (
        <AddText field={field} words={words} onAdd={add} />
      ) : (
        <AddChoice
          field={field}
          words={words}
          choices={choices.filter(({ id }) => !value.includes(id))}
          onAdd={add}
        />
      )}
    </div>
  );
}

interface AddProps {
  field: Pick<FieldProps, 'label' | 'hint' | 'error'>;
  words: ListWords;
  onAdd: (item: string) => void;
}

function AddText({ field, words, onAdd }: AddProps) {
  const [typed, setTyped] = useState('');
  const add = () => {
    onAdd(typed);
    setTyped('');
  };
  return (
    <form
      className={classNames(styles, 'add')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      {/* What was typed counts, also without the button. */}
      <TextField {...field} value={typed} onChange={setTyped} onLeave={add} />
      <Button type="submit">{words.addButton}</Button>
    </form>
  );
}

function AddChoice({ field, words, choices, onAdd }: AddProps & { choices: readonly ComboChoice[] }) {
  const [typed, setTyped] = useState('');
  const added = useRef<string | null>(null);
  const wanted = typed.trim().toLowerCase();
  const found = choices.filter(
    ({ id, name, note = '' }) => id === wanted || `${name} ${note}`.toLowerCase().includes(wanted),
  );
  return (
    <div className={classNames(styles, 'add')}>
      <ComboField
        {...field}
        choices={found.slice(0, mostChoices)}
        input={typed}
        onInput={(text) => setTyped(text === added.current ? '' : text)}
        onChoose={(id) => {
          if (id === null) return;
          // The field shows the name of what was chosen, which is in the list above now.
          added.current = choices.find((choice) => choice.id === id)?.name ?? null;
          onAdd(id);
          setTyped('');
        }}
        emptyText={words.nothingFound}
        openLabel={words.addButton}
      />
    </div>
  );
}
