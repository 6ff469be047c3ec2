import { Archive, BookOpen, ChevronLeft, Save, SearchX, Trash2 } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Link } from 'react-aria-components';
import { useLocation, useSearch } from 'wouter';

import type { ArchivePage, ArchiveQuery } from '#desktop/engine/api/archive-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatBytes } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { GuideCards } from '../library/guide-cards.tsx';
import { SearchResults } from '../library/search-results.tsx';
import { EmptyPage } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import { SearchInput, useSearchWords } from '../shell/search-box.tsx';
import { ArchiveProgress } from './archive-row.tsx';
import { ArchiveFold, ArchiveTree } from './archive-tree.tsx';
import styles from './archives.module.css';
import { RemoveDialog } from './remove-dialog.tsx';
import { ReportDialog } from './report-dialog.tsx';

const words = text.archives;

/** The guides of an archive, with search and categories. */
export function ArchiveScreen({ archiveid }: { archiveid: string }) {
  const searched = useSearchWords().trim();
  const category = new URLSearchParams(useSearch()).get('category');
  // The previous results stay until the next ones are found. Serialized, because equal queries must be identical
  // values.
  const asked = useDeferredValue(
    JSON.stringify({ archiveid, category, ...(searched !== '' && { search: searched }) }),
  );
  const query = JSON.parse(asked) as ArchiveQuery;
  const page = useLive('archive', query);
  if (page === null) return <Missing />;
  return (
    <div className={classNames(styles, 'archive')}>
      <div className={classNames(styles, 'side')}>
        <ArchiveTree page={page} here={query.category} />
      </div>
      <Page
        title={query.category ?? page.archive.title}
        over={<Breadcrumb page={page} here={query.category} />}
        lead={<Lead page={page} isSearch={query.search !== undefined} />}
        actions={<ArchiveActions page={page} />}
      >
        <ArchiveProgress archive={page.archive} />
        <ArchiveSearch />
        {page.aboutHtml !== '' && query.search === undefined && <RichHtml html={page.aboutHtml} />}
        <Contents page={page} isSearch={query.search !== undefined} />
      </Page>
    </div>
  );
}

function Missing() {
  return (
    <EmptyPage
      title={words.missing}
      icon={<Archive />}
      wayOut={{ href: '/archives', words: words.toArchives }}
    >
      {words.missingHint}
    </EmptyPage>
  );
}

function Breadcrumb({ page, here }: { page: ArchivePage; here: string | null }) {
  return (
    <>
      <div className={classNames(styles, 'over')}>
        <Link className={classNames(styles, 'back')} href="/archives">
          <ChevronLeft aria-hidden="true" />
          {words.title}
        </Link>
        {here !== null && (
          <Link className={classNames(styles, 'back')} href={`/archives/${page.archive.archiveid}`}>
            {page.archive.title}
          </Link>
        )}
      </div>
      <ArchiveFold page={page} here={here} />
    </>
  );
}

function Lead({ page, isSearch }: { page: ArchivePage; isSearch: boolean }) {
  const { guides, archive } = page;
  if (isSearch) return words.found(guides.length);
  const format = archive.version === '' ? '' : words.version(archive.version);
  return [words.guides(guides.length), formatBytes(archive.bytes), format]
    .filter((part) => part !== '')
    .join(' · ');
}

function ArchiveActions({ page: { archive } }: { page: ArchivePage }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<'report' | 'remove' | null>(null);
  const { archiveid, findings } = archive;
  const close = () => setShown(null);
  return (
    <>
      {findings > 0 && (
        <Button tone="quiet" onPress={() => setShown('report')}>
          {words.findings(findings)}
        </Button>
      )}
      <Button
        icon={<Save aria-hidden="true" />}
        onPress={() => act(() => actions.saveArchive(archiveid, words.saveTitle))}
        isPending={busy}
      >
        {words.saveAs}
      </Button>
      <Button icon={<Trash2 aria-hidden="true" />} onPress={() => setShown('remove')}>
        {words.remove}
      </Button>
      <ReportDialog archiveid={archiveid} isOpen={shown === 'report'} onClose={close} />
      <RemoveDialog
        archive={archive}
        isOpen={shown === 'remove'}
        onClose={close}
        onRemoved={() => navigate('/archives')}
      />
    </>
  );
}

function ArchiveSearch() {
  const value = useSearchWords();
  const [path, navigate] = useLocation();
  const search = useSearch();
  const change = (next: string) => {
    const query = new URLSearchParams(search);
    if (next === '') query.delete('q');
    else query.set('q', next);
    navigate([path, query.toString()].filter((part) => part !== '').join('?'), { replace: true });
  };
  return (
    <div className={classNames(styles, 'search')}>
      <SearchInput label={words.search} clearLabel={words.clearSearch} value={value} onChange={change} />
    </div>
  );
}

function Contents({ page: { guides, archive }, isSearch }: { page: ArchivePage; isSearch: boolean }) {
  const search = useSearchWords().trim();
  if (guides.length > 0)
    return isSearch ? <SearchResults guides={guides} words={search} /> : <GuideCards guides={guides} />;
  if (archive.problem !== null)
    return (
      <EmptyState icon={<Archive />} title={words.states.unusable}>
        {refusedWords(archive.problem)}
      </EmptyState>
    );
  if (isSearch)
    return (
      <EmptyState icon={<SearchX />} title={words.emptySearch}>
        {words.emptySearchHint}
      </EmptyState>
    );
  const isReading = archive.state === 'reading';
  return (
    <EmptyState icon={<BookOpen />} title={isReading ? words.reading : words.noGuides}>
      {isReading ? words.readingHint : words.noGuidesHint}
    </EmptyState>
  );
}
