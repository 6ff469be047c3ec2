import { ListFilter, ScrollText, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useSearch } from 'wouter';

import type { Actions } from '#desktop/engine/engine.ts';
import { auditPageSize, type AuditPage } from '#desktop/engine/api/audit.ts';
import { auditWords } from '#desktop/renderer/text/audit.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';

import { AdminPage } from './admin-page.tsx';
import { AuditChain } from './audit-chain-card.tsx';
import { AuditFilterForm } from './audit-filter-form.tsx';
import { auditHref, choices, placeOf, queryOf, type AuditSelection } from './audit-query.ts';
import { AuditRow, useRecordNames } from './audit-row.tsx';
import styles from './audit.module.css';
import { useServerValue } from './use-server-value.ts';

/** A page of the log, with the query that it answers. */
interface Found extends AuditSelection {
  found: AuditPage;
  gap: number | null;
}

/** The audit log. */
export function AuditScreen() {
  const address = useSearch();
  const { filter } = placeOf(address);
  const isOffline = useLive('syncState').connection === 'offline';
  const [isOpen, setIsOpen] = useState(false);
  const read = useCallback(
    (actions: Actions) => readPlace(actions, placeOf(address), isOffline),
    [address, isOffline],
  );
  const from = useServerValue(read);
  const chosen = choices(filter);
  return (
    <AdminPage
      title={auditWords.title}
      lead={auditWords.lead}
      from={from}
      failedTitle={auditWords.failed}
      actions={
        <>
          {chosen > 0 && (
            <ButtonLink tone="quiet" icon={<X aria-hidden="true" />} href={auditHref({})}>
              {auditWords.everything}
            </ButtonLink>
          )}
          <Button icon={<ListFilter aria-hidden="true" />} onPress={() => setIsOpen((now) => !now)}>
            {chosen > 0 ? auditWords.filterOn(chosen) : auditWords.filter}
          </Button>
        </>
      }
      {...(isOffline && {
        unasked: (
          <Notice tone="info" title={auditWords.offline}>
            {auditWords.offlineHint}
          </Notice>
        ),
      })}
    >
      {(value) => (
        <div className={classNames(styles, 'log')}>
          {isOpen && <AuditFilterForm key={address} filter={filter} onShown={() => setIsOpen(false)} />}
          <Rows value={value} />
        </div>
      )}
    </AdminPage>
  );
}

/** `isOffline` is a parameter so that a restored connection loads again. */
async function readPlace(actions: Actions, place: AuditSelection, isOffline: boolean): Promise<Found> {
  if (isOffline) throw new Problem('unavailable', auditWords.offline);
  const [found, gap] = await Promise.all([
    actions.readAudit(queryOf(place.filter), place.page),
    actions.readAuditGap(),
  ]);
  return { ...place, found, gap };
}

function Rows({ value }: { value: Found }) {
  const { found, filter, page, gap } = value;
  const isFiltered = choices(filter) > 0;
  const nameOf = useRecordNames();
  if (found.entries.length === 0)
    return (
      <EmptyState
        icon={<ScrollText />}
        title={isFiltered || page > 0 ? auditWords.noneFound : auditWords.nothing}
        {...((isFiltered || page > 0) && {
          action: <ButtonLink href={auditHref({})}>{auditWords.everything}</ButtonLink>,
        })}
      >
        {isFiltered || page > 0 ? auditWords.noneFoundHint : auditWords.nothingHint}
      </EmptyState>
    );
  return (
    <>
      <AuditChain entries={found.entries} isFiltered={isFiltered} gap={gap} />
      <ol className={classNames(styles, 'rows')}>
        {found.entries.map((entry) => (
          <AuditRow key={entry.seq} entry={entry} nameOf={nameOf} />
        ))}
      </ol>
      <Pages {...value} />
    </>
  );
}

function Pages({ found, filter, page }: Found) {
  const first = page * auditPageSize + 1;
  const last = first + found.entries.length - 1;
  return (
    <nav className={classNames(styles, 'pages')} aria-label={auditWords.pages}>
      <span className={classNames(styles, 'note')}>
        {auditWords.range(formatNumber(first), formatNumber(last), formatNumber(found.total))}
      </span>
      {page > 0 && <ButtonLink href={auditHref(filter, page - 1)}>{auditWords.newer}</ButtonLink>}
      {last < found.total && <ButtonLink href={auditHref(filter, page + 1)}>{auditWords.older}</ButtonLink>}
    </nav>
  );
}
