import { Search, X } from 'lucide-react';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { paletteText as words } from '#desktop/renderer/text/en/palette.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { VisuallyHidden } from '#desktop/renderer/ui/visually-hidden.tsx';

import styles from './palette.module.css';
import { ScanButton } from './scan-button.tsx';
import type { FoundFor } from './seek.tsx';
import { TargetOption } from './target-option.tsx';
import type { Answers } from './use-answers.ts';
import type { Target } from './use-results.ts';
import { useFastKeys } from './use-fast-keys.ts';

interface FinderProps {
  query: string;
  onQuery: (query: string) => void;
  answers: Answers;
  onGo: (href: string) => void;
  onClose: () => void;
}

/** The field with its list, as a combobox of WAI-ARIA: the focus stays in the field, arrow keys choose, Enter opens. */
export function Finder({ query, onQuery, answers, onGo, onClose }: FinderProps) {
  const { found, unknown, ask, forget } = answers;
  const listId = useId();
  const [chosen, setChosen] = useState<{ query: string; id: string } | null>(null);
  const [missed, setMissed] = useState(false);
  const fast = useFastKeys();
  const isFound = found?.query === query.trim();
  const targets = found?.groups.flatMap((group) => group.targets) ?? [];
  const active =
    targets.find(({ id }) => chosen?.query === found?.query && id === chosen?.id) ?? targets[0] ?? null;

  const change = (next: string) => {
    forget();
    setMissed(false);
    onQuery(next);
  };
  const take = (code: string) => {
    change(code);
    ask({ query: code.trim(), isCode: true });
  };

  const move = (by: number) => {
    const at = active === null ? -1 : targets.indexOf(active);
    const next = targets[(at + by + targets.length) % targets.length];
    if (next !== undefined && found !== null) setChosen({ query: found.query, id: next.id });
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const scanned = fast(event.nativeEvent);
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') {
      if (scanned !== null) take(scanned);
      else if (isFound && active !== null) onGo(active.href);
      else ask({ query: query.trim(), isCode: false });
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={classNames(styles, 'head')}>
        <Search aria-hidden="true" />
        <input
          className={classNames(styles, 'input')}
          type="text"
          role="combobox"
          aria-label={words.title}
          aria-expanded={targets.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active === null ? undefined : optionId(listId, active)}
          placeholder={words.placeholder}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is for typing
          autoFocus
          value={query}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKey}
        />
        <ScanButton onCode={take} onMissed={() => setMissed(true)} />
        <IconButton label={text.app.close} icon={<X aria-hidden="true" />} onPress={onClose} />
      </div>
      <div className={classNames(styles, 'notice')} role="status">
        {missed && words.noCode}
        {unknown !== null && <UnknownCode code={unknown} found={found} isEmpty={targets.length === 0} />}
        {isFound && query.trim() !== '' && <VisuallyHidden>{words.count(targets.length)}</VisuallyHidden>}
      </div>
      <List id={listId} isEmpty={targets.length === 0}>
        {found?.groups.map((group) => (
          <div key={group.id} role="group" aria-labelledby={`${listId}-${group.id}`}>
            <div className={classNames(styles, 'title')} id={`${listId}-${group.id}`} role="presentation">
              {group.title}
            </div>
            {group.targets.map((target) => (
              <TargetOption
                key={target.id}
                id={optionId(listId, target)}
                target={target}
                isActive={target === active}
                onHover={() => setChosen({ query: found.query, id: target.id })}
                onChoose={() => onGo(target.href)}
              />
            ))}
          </div>
        ))}
      </List>
      {isFound && targets.length === 0 && unknown === null && (
        <div className={classNames(styles, 'nothing')}>
          <p>{words.nothing(query.trim())}</p>
          <p>{words.nothingHint}</p>
        </div>
      )}
    </>
  );
}

/** An empty list would be no list. */
function List({ id, isEmpty, children }: { id: string; isEmpty: boolean; children: ReactNode }) {
  if (isEmpty) return <div />;
  return (
    <div className={classNames(styles, 'list')} id={id} role="listbox" aria-label={words.results}>
      {children}
    </div>
  );
}

function optionId(listId: string, target: Target): string {
  return `${listId}-${encodeURIComponent(target.id)}`;
}

function UnknownCode({ code, found, isEmpty }: { code: string; found: FoundFor | null; isEmpty: boolean }) {
  const host =
    found?.code !== null && found?.code !== undefined && 'host' in found.code ? found.code.host : null;
  return (
    <p>
      {host === null ? words.unknownCode(code) : words.foreignCode(host)}
      {!isEmpty && ` ${words.unknownCodeSimilar}`}
    </p>
  );
}
