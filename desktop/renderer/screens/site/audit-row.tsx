import { Link } from 'react-aria-components';
import { useMemo } from 'react';

import { auditWords } from '#desktop/renderer/text/audit.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import type { AuditEntry } from '#shared/model/audit.ts';
import { utcText } from '#shared/rules/approvals.ts';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import { AuditDetails } from './audit-details.tsx';
import { actionWords, recordWords, shownAt, whoWords } from './audit-words.ts';
import styles from './audit.module.css';

/** A row of the log: action, person, record and time, with the details behind a disclosure. */
export function AuditRow({ entry, nameOf }: { entry: AuditEntry; nameOf: NameOf }) {
  const person = (userid: number) => nameOf({ action: '', object: 'user', objectid: String(userid) });
  return (
    <li className={classNames(styles, 'row')}>
      <div className={classNames(styles, 'line')}>
        <div className={classNames(styles, 'what')}>
          <p>
            <strong>{actionWords(entry.action)}</strong>{' '}
            {entry.outcome === 'refused' && <Badge tone="danger">{auditWords.refused}</Badge>}
          </p>
          <p className={classNames(styles, 'note')}>
            {[
              whoWords(entry, person),
              entry.address === '' ? '' : auditWords.from(entry.address),
              auditWords.row(entry.seq),
            ]
              .filter((part) => part !== '')
              .join(' · ')}
          </p>
        </div>
        <RecordLink entry={entry} name={nameOf(entry)} />
        <p className={classNames(styles, 'when')}>
          <time dateTime={entry.time} title={utcText(entry.date)}>
            {formatDate(entry.date * 1000)}
          </time>
          <span className={classNames(styles, 'note')}>{utcText(entry.date)}</span>
        </p>
      </div>
      <Disclosure summary={auditWords.details} label={auditWords.detailsOf(entry.seq)}>
        <AuditDetails entry={entry} />
      </Disclosure>
    </li>
  );
}

function RecordLink({ entry, name }: { entry: AuditEntry; name: string | undefined }) {
  const words = recordWords(entry);
  const href = shownAt(entry);
  return (
    <div className={classNames(styles, 'record')}>
      {href !== null && (
        <Link className={classNames(styles, 'link')} href={href}>
          {name ?? words}
        </Link>
      )}
      {(href === null || name !== undefined) && <span className={classNames(styles, 'note')}>{words}</span>}
    </div>
  );
}

/** The name of a record, if this device knows it. */
export type NameOf = (record: Parameters<typeof shownAt>[0]) => string | undefined;

/** Names of the people, teams and guides that the log refers to. */
export function useRecordNames(): NameOf {
  const { people, teams } = useLive('directory');
  const library = useLiveSoon('library', everyGuide);
  return useMemo(() => {
    const names = new Map<string, string>([
      ...people.map(({ userid, name }) => [`/people/${userid}`, name] as const),
      ...teams.map(({ teamid, name }) => [`/teams/${teamid}`, name] as const),
      ...(library?.guides ?? []).map(({ guideid, title }) => [`/guides/${guideid}`, title] as const),
    ]);
    return (record) => names.get(shownAt(record) ?? '');
  }, [people, teams, library]);
}

const everyGuide = { category: null };
