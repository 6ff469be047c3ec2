import { ListFilter, X } from 'lucide-react';

import type { LibraryPage } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { difficultyName } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Menu, type MenuGroup } from '#desktop/renderer/ui/menu.tsx';

import styles from './filter-menu.module.css';
import { hasFilters, markNames, marks, noFilters, useFilters } from './filters.ts';

const words = text.library.filters;
const any = 'any';

const namesOf = { difficulty: difficultyName, type: (id: string): string => text.editor.types[id] ?? id };

/** The menu that narrows the shown guides. */
export function FilterMenu({ choices }: { choices: LibraryPage['choices'] }) {
  const [filters, change] = useFilters();
  const single = (id: 'difficulty' | 'type', title: string, names: readonly string[]): MenuGroup | false =>
    (names.length > 1 || filters[id] !== null) && {
      id,
      title,
      chosen: filters[id] ?? `${id}-${any}`,
      items: [
        { id: `${id}-${any}`, name: words.any, onAction: () => change({ ...filters, [id]: null }) },
        ...names.map((name) => ({
          id: name,
          name: namesOf[id](name),
          onAction: () => change({ ...filters, [id]: name }),
        })),
      ],
    };
  const groups = [
    {
      id: 'marks',
      title: words.only,
      picked: filters.marks,
      items: marks.map((mark) => ({
        id: mark,
        name: markNames[mark],
        onAction: () =>
          change({
            ...filters,
            marks: filters.marks.includes(mark)
              ? filters.marks.filter((one) => one !== mark)
              : [...filters.marks, mark],
          }),
      })),
    },
    single('difficulty', words.difficulty, choices.difficulties),
    single('type', words.type, choices.types),
  ].filter((group) => group !== false);
  return (
    <Menu
      label={words.open}
      trigger={<Button icon={<ListFilter aria-hidden="true" />}>{words.open}</Button>}
      groups={groups}
    />
  );
}

/** The filters that are on; pressing one removes it. */
export function FilterChips() {
  const [filters, change] = useFilters();
  if (!hasFilters(filters)) return null;
  const chips = [
    ...filters.marks.map((mark) => ({
      name: markNames[mark],
      rest: { ...filters, marks: filters.marks.filter((one) => one !== mark) },
    })),
    ...(filters.difficulty === null
      ? []
      : [{ name: namesOf.difficulty(filters.difficulty), rest: { ...filters, difficulty: null } }]),
    ...(filters.type === null
      ? []
      : [{ name: namesOf.type(filters.type), rest: { ...filters, type: null } }]),
  ];
  return (
    <ul className={classNames(styles, 'chips')} aria-label={words.active}>
      {chips.map(({ name, rest }) => (
        <li key={name}>
          <Button iconEnd={<X aria-hidden="true" />} label={words.remove(name)} onPress={() => change(rest)}>
            {name}
          </Button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button tone="quiet" onPress={() => change(noFilters)}>
            {words.clear}
          </Button>
        </li>
      )}
    </ul>
  );
}
