import { BookOpen, CloudDownload, ListFilter, PencilLine, SearchX, Star } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';

import type { Shelf } from './shelf.ts';

const words = text.library;
const toAll = <ButtonLink href="/">{words.allGuides}</ButtonLink>;

interface LibraryEmptyProps {
  shelf: Shelf;
  isSearch: boolean;
  isFiltered: boolean;
}

/** Shown for an empty shelf: its purpose, and the first action. */
export function LibraryEmpty({ shelf, isSearch, isFiltered }: LibraryEmptyProps) {
  if (isFiltered) {
    return (
      <EmptyState icon={<ListFilter />} title={words.filters.nothing}>
        {words.filters.nothingHint}
      </EmptyState>
    );
  }
  if (isSearch) {
    return (
      <EmptyState icon={<SearchX />} title={words.emptySearch}>
        {words.emptySearchHint}
      </EmptyState>
    );
  }
  switch (shelf.kind) {
    case 'all':
      return (
        <EmptyState icon={<BookOpen />} title={words.emptyTitle}>
          {words.empty}
        </EmptyState>
      );
    case 'category':
      return (
        <EmptyState icon={<BookOpen />} title={words.emptyCategory} action={toAll}>
          {words.emptyCategoryHint}
        </EmptyState>
      );
    case 'favorites':
      return (
        <EmptyState icon={<Star />} title={words.emptyFavorites} action={toAll}>
          {words.emptyFavoritesHint}
        </EmptyState>
      );
    case 'ready-offline':
      return (
        <EmptyState icon={<CloudDownload />} title={words.emptyReady} action={toAll}>
          {words.emptyReadyHint}
        </EmptyState>
      );
    case 'drafts':
      return (
        <EmptyState icon={<PencilLine />} title={words.emptyDrafts} action={toAll}>
          {words.emptyDraftsHint}
        </EmptyState>
      );
    default:
      return shelf satisfies never;
  }
}
