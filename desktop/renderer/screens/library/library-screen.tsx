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
import { GuideCards } from './guide-cards.tsx';
import { LibraryEmpty } from './library-empty.tsx';
import styles from './library-screen.module.css';
import { SearchResults } from './search-results.tsx';
import { ShelfFold, ShelfTree } from './shelf-tree.tsx';
import { shelfAt, shelfQuery, shelfTitle, type Shelf } from './shelf.ts';

const TraceHint = lazy(async () => ({ default: (await import('../trace/trace-hint.tsx')).TraceHint }));

/** The library at the shelf of the address. */
export function LibraryShelf({ category }: { category: string | undefined }) {
  return <LibraryScreen shelf={shelfAt(category, useSearch())} />;
}

/** The library: search, categories and guides. */
export function LibraryScreen({ shelf }: { shelf: Shelf }) {
  const words = useSearchWords();
  // The previous results stay until the next ones are found. Serialized, because equal queries must be identical
  // values.
  const asked = useDeferredValue(JSON.stringify(shelfQuery(shelf, words)));
  const query = JSON.parse(asked) as LibraryQuery;
  const { search } = query;
  const page = useLive('library', query);
  const shownTitle = search === undefined ? shelfTitle(shelf) : text.library.results(search);
  return (
    <div className={classNames(styles, 'library')}>
      <div className={classNames(styles, 'side')}>
        <ShelfTree shelf={shelf} />
      </div>
      <Page
        title={shownTitle}
        over={<ShelfFold shelf={shelf} />}
        lead={<Lead page={page} isSearch={search !== undefined} />}
        actions={<LibraryActions page={page} shelf={shelf} isSearch={search !== undefined} />}
      >
        <FirstSync />
        {shelf.kind === 'all' && search === undefined && <PlannedForYou />}
        {search !== undefined && (
          <Suspense fallback={null}>
            <TraceHint words={search} />
          </Suspense>
        )}
        <Contents page={page} shelf={shelf} search={search} />
      </Page>
    </div>
  );
}

function Contents({ page, shelf, search }: { page: LibraryPage; shelf: Shelf; search: string | undefined }) {
  if (page.guides.length === 0) return <LibraryEmpty shelf={shelf} isSearch={search !== undefined} />;
  return search === undefined ? <GuideCards guides={page.guides} /> : <SearchResults guides={page.guides} />;
}

function Lead({ page, isSearch }: { page: LibraryPage; isSearch: boolean }) {
  if (isSearch) return text.library.found(page.total);
  return [
    text.library.guides(page.total),
    text.library.ready(page.readyOffline),
    text.library.onDevice(formatBytes(page.mediaBytes)),
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
