import { BookOpen, Download, Plus } from 'lucide-react';
import { lazy, Suspense, useDeferredValue } from 'react';
import { useLocation, useSearch } from 'wouter';

import type { LibraryPage, LibraryQuery } from '#desktop/engine/api/records.ts';
import { canCreateGuides } from '#desktop/engine/features/records/guide-access.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatBytes, formatNumber } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ProgressBar } from '#desktop/renderer/ui/progress-bar.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import { ExportMenu } from '../archives/export-menu.tsx';
import { PlannedForYou } from '../planned/planned-list.tsx';
import { Page } from '../shell/page.tsx';
import { useSearchWords } from '../shell/search-box.tsx';
import { useCategoryName } from './category-name.ts';
import { CategoryTiles } from './category-tiles.tsx';
import { FilterChips, FilterMenu } from './filter-menu.tsx';
import { hasFilters, useFilters } from './filters.ts';
import { GuideCards } from './guide-cards.tsx';
import { LibraryHome } from './library-home.tsx';
import { LibraryEmpty } from './library-empty.tsx';
import styles from './library-screen.module.css';
import { SearchResults } from './search-results.tsx';
import { nodeIn, ShelfFold, ShelfTree } from './shelf-tree.tsx';
import { shelfAt, shelfQuery, shelfTitle, type Shelf } from './shelf.ts';

const TraceHint = lazy(async () => ({ default: (await import('../trace/trace-hint.tsx')).TraceHint }));

/** The library at the shelf of the address. */
export function LibraryShelf({ category }: { category: string | undefined }) {
  return <LibraryScreen shelf={shelfAt(category, useSearch())} />;
}

/**
 * The library: search, categories and guides.
 *
 * - FIND-12 A link that the keyboard reaches first skips the tree and leads to the guides.
 */
export function LibraryScreen({ shelf }: { shelf: Shelf }) {
  const words = useSearchWords();
  const [filters] = useFilters();
  const nameOf = useCategoryName();
  // The previous results stay until the next ones are found. Serialized, because equal queries must be identical
  // values.
  const asked = useDeferredValue(JSON.stringify(shelfQuery(shelf, filters, words)));
  const query = JSON.parse(asked) as LibraryQuery;
  const { search } = query;
  const page = useLive('library', query);
  const shownTitle = search === undefined ? shelfTitle(shelf, nameOf) : text.library.results(search);
  return (
    <div className={classNames(styles, 'library')}>
      <div className={classNames(styles, 'side')}>
        <a className={classNames(styles, 'skip')} href="#guides">
          {text.library.skip}
        </a>
        <ShelfTree shelf={shelf} />
      </div>
      <Page
        title={shownTitle}
        over={<ShelfFold shelf={shelf} />}
        lead={<Lead page={page} isSearch={search !== undefined} />}
        actions={<LibraryActions page={page} shelf={shelf} isSearch={search !== undefined} />}
      >
        <FirstSync />
        {shelf.kind === 'all' && search === undefined && !hasFilters(filters) && <PlannedForYou />}
        {search !== undefined && (
          <Suspense fallback={null}>
            <TraceHint words={search} />
          </Suspense>
        )}
        <FilterChips />
        <div id="guides" className={classNames(styles, 'contents')} tabIndex={-1}>
          <Contents page={page} shelf={shelf} search={search} isFiltered={hasFilters(filters)} />
        </div>
      </Page>
    </div>
  );
}

interface ContentsProps {
  page: LibraryPage;
  shelf: Shelf;
  search: string | undefined;
  isFiltered: boolean;
}

function Contents({ page, shelf, search, isFiltered }: ContentsProps) {
  const { guides } = page;
  if (guides.length === 0)
    return <LibraryEmpty shelf={shelf} isSearch={search !== undefined} isFiltered={isFiltered} />;
  if (search !== undefined) return <SearchResults guides={guides} words={search} />;
  if (shelf.kind === 'all' && !isFiltered) return <LibraryHome page={page} />;
  return (
    <>
      {shelf.kind === 'category' && !isFiltered && (
        <CategoriesBelow category={shelf.category} guides={guides} />
      )}
      <GuideCards guides={guides} />
    </>
  );
}

/** The categories below the shown one. */
function CategoriesBelow({ category, guides }: { category: string; guides: LibraryPage['guides'] }) {
  const nameOf = useCategoryName();
  const node = nodeIn(useLive('categoryTree'), category);
  if (node === null) return null;
  return (
    <CategoryTiles title={text.library.showBelow(nameOf(category))} nodes={node.children} guides={guides} />
  );
}

function Lead({ page, isSearch }: { page: LibraryPage; isSearch: boolean }) {
  if (isSearch) return text.library.found(page.total);
  return [
    text.library.guides(page.total),
    page.readyOffline === 0 && page.total > 0
      ? text.library.noneReady
      : text.library.ready(page.readyOffline),
    // A guide without pictures is ready without a file.
    ...(page.mediaBytes === 0 ? [] : [text.library.onDevice(formatBytes(page.mediaBytes))]),
  ].join(' · ');
}

function LibraryActions({ page, shelf, isSearch }: { page: LibraryPage; shelf: Shelf; isSearch: boolean }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const { user } = useLive('session');
  const [, navigate] = useLocation();
  const incomplete = page.guides
    .filter((guide) => guide.readiness.state === 'missing')
    .map((guide) => guide.guideid);
  return (
    <>
      {shelf.kind === 'category' && <CategoryPage category={shelf.category} />}
      <FilterMenu choices={page.choices} />
      {page.guides.length > 0 && (
        <ExportMenu
          choice={
            shelf.kind === 'category' && !isSearch
              ? { category: shelf.category }
              : { guideids: page.guides.map((guide) => guide.guideid) }
          }
          offersPage={shelf.kind === 'category' && !isSearch}
          guides={page.guides}
        />
      )}
      {incomplete.length > 0 && (
        <Button
          icon={<Download aria-hidden="true" />}
          onPress={() => {
            showToast(text.library.downloadStarted(incomplete.length));
            act(() => actions.downloadGuides(incomplete));
          }}
          isPending={busy}
        >
          {text.library.downloadAll}
        </Button>
      )}
      {canCreateGuides(user) && (
        <Button
          icon={<Plus aria-hidden="true" />}
          onPress={() => act(async () => navigate(`/guides/${await actions.openDraft(null)}/edit`))}
        >
          {text.library.newGuide}
        </Button>
      )}
    </>
  );
}

/** Link to the page about a category, if there is one. */
function CategoryPage({ category }: { category: string }) {
  const found = useLiveSoon('pages', 'CATEGORY')?.find(({ title }) => title === category);
  return found === undefined ? null : (
    <ButtonLink icon={<BookOpen aria-hidden="true" />} href={`/pages/${encodeURIComponent(found.wikiid)}`}>
      {text.pages.categoryPage}
    </ButtonLink>
  );
}

/** Progress of the initial load, above the guides that have arrived. */
function FirstSync() {
  const { phase, progress } = useLive('syncState');
  if (phase !== 'first-sync' || progress === null) return null;
  const { received, total } = progress;
  return (
    <ProgressBar
      label={text.library.firstSync(formatNumber(received), formatNumber(total))}
      value={received}
      of={total}
    />
  );
}
