import { Search, X } from 'lucide-react';
import { Button, Input, SearchField } from 'react-aria-components';
import { useLocation, useSearch } from 'wouter';

import { usePreferences } from '#desktop/renderer/preferences.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import { forgetFirstResult, goToFirstResult } from './first-result.ts';
import styles from './search-box.module.css';

const libraryPaths = /^\/($|library(\/|$)|favorites$)/;

/** The search text, stored in the address so that going back restores it. */
export function useSearchWords(): string {
  return new URLSearchParams(useSearch()).get('q') ?? '';
}

/** Searches in the current shelf; on other screens in all guides. */
export function SearchBox() {
  const words = useSearchWords();
  const [path, navigate] = useLocation();
  const shelf = useSearch();
  const inLibrary = libraryPaths.test(path);
  const { density } = usePreferences();
  const search = (next: string) => {
    forgetFirstResult();
    const query = new URLSearchParams(inLibrary ? shelf : '');
    if (next === '') query.delete('q');
    else query.set('q', next);
    navigate([inLibrary ? path : '/', query.toString()].filter((part) => part !== '').join('?'), {
      replace: inLibrary,
    });
  };
  return (
    <SearchInput
      label={text.app.search}
      clearLabel={text.app.clearSearch}
      value={inLibrary ? words : ''}
      onChange={search}
      onDown={() => goToFirstResult(words, 'focus')}
      onEnter={() => goToFirstResult(words, density === 'desktop' ? 'open' : 'focus')}
    />
  );
}

interface SearchInputProps {
  label: string;
  clearLabel: string;
  value: string;
  onChange: (words: string) => void;
  /** The arrow down, and Enter. */
  onDown?: () => void;
  onEnter?: () => void;
}

/** A search field. */
export function SearchInput({ label, clearLabel, value, onChange, onDown, onEnter }: SearchInputProps) {
  return (
    <SearchField
      className={classNames(styles, 'search')}
      aria-label={label}
      value={value}
      onChange={onChange}
      {...(onEnter !== undefined && { onSubmit: onEnter })}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') onDown?.();
      }}
    >
      <Search aria-hidden="true" />
      <Input className={classNames(styles, 'input')} placeholder={label} enterKeyHint="search" />
      <Button className={classNames(styles, 'clear')} aria-label={clearLabel}>
        <X aria-hidden="true" />
      </Button>
    </SearchField>
  );
}

/** Whether the header of a station, which has less room, has the search here: beside the guides. */
export function hasSearch(path: string): boolean {
  return path === '/' || path === '/favorites' || path.startsWith('/library');
}
