import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { AuditEntry } from '#shared/model/audit.ts';
import { utcText } from '#shared/rules/approvals.ts';

import { AuditDetails } from './audit-details.tsx';
import { actionWords, recordHref, recordWords, whoWords } from './audit-words.ts';
import styles from './audit.module.css';

/** One thing that happened: what, who, about which record, when; and behind it what changed. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const { people } = useLive('directory');
  const [isOpen, setIsOpen] = useState(false);
  const nameOf = (id: number) => people.find(({ userid }) => userid === id)?.name;
  return (
    <li className={classNames(styles, 'row')}>
      <div className={classNames(styles, 'line')}>
        <div className={classNames(styles, 'what')}>
          <p>
            <strong>{actionWords(entry.action)}</strong>{' '}
            {entry.outcome === 'refused' && <Badge tone="danger">{text.audit.refused}</Badge>}
          </p>
          <p className={classNames(styles, 'note')}>
            {[
              whoWords(entry, nameOf),
              entry.address === '' ? '' : text.audit.from(entry.address),
              text.audit.row(entry.seq),
            ]
              .filter((part) => part !== '')
              .join(' · ')}
          </p>
        </div>
        <RecordLink entry={entry} />
        <p className={classNames(styles, 'when')}>
          <time dateTime={entry.time} title={utcText(entry.date)}>
            {formatDate(entry.date * 1000)}
          </time>
          <span className={classNames(styles, 'note')}>{utcText(entry.date)}</span>
        </p>
      </div>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className={classNames(styles, 'summary')} aria-label={text.audit.detailsOf(entry.seq)}>
          <ChevronDown aria-hidden="true" />
          {text.audit.details}
        </summary>
        {isOpen && <AuditDetails entry={entry} />}
      </details>
    </li>
  );
}

function RecordLink({ entry }: { entry: AuditEntry }) {
  const words = recordWords(entry);
  const href = recordHref(entry);
  return (
    <div className={classNames(styles, 'record')}>
      {href === null ? (
        <span className={classNames(styles, 'note')}>{words}</span>
      ) : (
        <Link className={classNames(styles, 'link')} href={href}>
          {words}
        </Link>
      )}
    </div>
  );
}
