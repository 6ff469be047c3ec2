import { BookOpen, Plus } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';

import type { PageCard } from '#desktop/engine/api/page-records.ts';
import { canCreatePages } from '#desktop/engine/features/records/wiki-access.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { RowList } from '#desktop/renderer/ui/list-row.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { Page } from '../shell/page.tsx';
import { LinkedRow } from './linked-row.tsx';
import { listedKinds, kindOf, pageAddress } from './page-address.ts';
import styles from './pages.module.css';

/** The list of pages, by kind. */
export function PagesScreen() {
  const [, navigate] = useLocation();
  const kind = kindOf(new URLSearchParams(useSearch()).get('kind'));
  const pages = useLive('pages', kind);
  const { user } = useLive('session');
  const [words, setWords] = useState('');
  const found = pages.filter((page) => isFound(page, words));
  const mayWrite = user !== null && canCreatePages(user.privileges);
  return (
    <Page
      title={text.pages.title}
      lead={text.pages.pages(pages.length)}
      actions={
        mayWrite && (
          <ButtonLink icon={<Plus aria-hidden="true" />} href={`/pages/new?kind=${kind}`}>
            {text.pages.newPage}
          </ButtonLink>
        )
      }
    >
      <SegmentedField
        label={text.pages.kind}
        hideLabel
        look="compact"
        segments={listedKinds.map((id) => ({ id, name: text.pages.kinds[id] }))}
        value={kind}
        onChange={(id) => navigate(`/pages?kind=${id}`, { replace: true })}
      />
      {pages.length > 0 && (
        <div className={classNames(styles, 'filter')}>
          <TextField label={text.pages.filter} value={words} onChange={setWords} />
        </div>
      )}
      <Found pages={pages} found={found} />
    </Page>
  );
}

function Found({ pages, found }: { pages: readonly PageCard[]; found: readonly PageCard[] }) {
  const now = useNow();
  if (pages.length === 0)
    return (
      <EmptyState icon={<BookOpen />} title={text.pages.emptyTitle}>
        {text.pages.empty}
      </EmptyState>
    );
  if (found.length === 0)
    return (
      <EmptyState icon={<BookOpen />} title={text.pages.nothingFound}>
        {text.pages.nothingFoundHint}
      </EmptyState>
    );
  return (
    <RowList columns="many">
      {found.map((page) => (
        <LinkedRow
          key={page.wikiid}
          href={pageAddress(page.wikiid)}
          name={page.displayTitle}
          note={noteOf(page, now)}
          imageGuid={page.imageGuid}
        />
      ))}
    </RowList>
  );
}

function noteOf({ pending, description, modifiedAt }: PageCard, now: number): string {
  const state = pending ? text.app.savedOnDevice : formatSince(modifiedAt, now);
  return [description, state].filter((part) => part !== '').join(' · ');
}

function isFound({ displayTitle, title, description }: PageCard, words: string): boolean {
  const own = `${displayTitle} ${title} ${description}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.includes(word));
}
