import { Search, X } from 'lucide-react';
import { Button, Input, SearchField } from 'react-aria-components';
import { useLocation, useSearch } from 'wouter';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './search-box.module.css';

const libraryPaths = /^\/($|library(\/|$)|favorites$|ready-offline$|drafts$)/;

/** The words being searched: part of the address, so that going back finds them again. */
export function useSearchWords(): string {
  return new URLSearchParams(useSearch()).get('q') ?? '';
}

/** Searches where the person is in the library; from elsewhere, in all guides. */
export function SearchBox() {
  const words = useSearchWords();
  const [path, navigate] = useLocation();
  const inLibrary = libraryPaths.test(path);
  const search = (next: string) => {
    const query = next === '' ? '' : `?${new URLSearchParams({ q: next }).toString()}`;
    navigate(`${inLibrary ? path : '/'}${query}`, { replace: inLibrary });
  };
  return (
    <SearchField
      className={classNames(styles, 'search')}
      aria-label={text.app.search}
      value={inLibrary ? words : ''}
      onChange={search}
    >
      <Search aria-hidden="true" />
      <Input className={classNames(styles, 'input')} placeholder={text.app.search} enterKeyHint="search" />
      <Button className={classNames(styles, 'clear')} aria-label={text.app.clearSearch}>
        <X aria-hidden="true" />
      </Button>
    </SearchField>
  );
}
