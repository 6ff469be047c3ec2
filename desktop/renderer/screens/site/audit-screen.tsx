import { ListFilter, ScrollText, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter';

import type { Actions } from '#desktop/engine/engine.ts';
import { auditPageSize, type AuditPage } from '#desktop/engine/api/audit.ts';
import { auditText } from '#desktop/renderer/text/audit.ts';
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
  const offline = useRef(isOffline);
  useEffect(() => {
    offline.current = isOffline;
  });
  const read = useCallback(
    async (actions: Actions) => {
      if (offline.current) throw new Problem('unavailable', auditText.offline);
      return readPlace(actions, placeOf(address));
    },
    [address],
  );
  // A restored connection loads again.
  const from = useServerValue(read, isOffline);
  const chosen = choices(filter);
  return (
    <AdminPage
      title={auditText.title}
      lead={auditText.lead}
      from={from}
      failedTitle={auditText.failed}
      actions={
        <>
          {chosen > 0 && (
            <ButtonLink tone="quiet" icon={<X aria-hidden="true" />} href={auditHref({})}>
              {auditText.everything}
            </ButtonLink>
          )}
          <Button icon={<ListFilter aria-hidden="true" />} onPress={() => setIsOpen((now) => !now)}>
            {chosen > 0 ? auditText.filterOn(chosen) : auditText.filter}
          </Button>
        </>
      }
      {...(isOffline && {
        unasked: (
          <Notice tone="info" title={auditText.offline}>
            {auditText.offlineHint}
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

async function readPlace(actions: Actions, place: AuditSelection): Promise<Found> {
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
        title={isFiltered || page > 0 ? auditText.noneFound : auditText.nothing}
        {...((isFiltered || page > 0) && {
          action: <ButtonLink href={auditHref({})}>{auditText.everything}</ButtonLink>,
        })}
      >
        {isFiltered || page > 0 ? auditText.noneFoundHint : auditText.nothingHint}
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
    <nav className={classNames(styles, 'pages')} aria-label={auditText.pages}>
      <span className={classNames(styles, 'note')}>
        {auditText.range(formatNumber(first), formatNumber(last), formatNumber(found.total))}
      </span>
      {page > 0 && <ButtonLink href={auditHref(filter, page - 1)}>{auditText.newer}</ButtonLink>}
      {last < found.total && <ButtonLink href={auditHref(filter, page + 1)}>{auditText.older}</ButtonLink>}
    </nav>
  );
}
