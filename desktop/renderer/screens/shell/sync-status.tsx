import { Link } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { VisuallyHidden } from '#desktop/renderer/ui/visually-hidden.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { statusOf } from './status-words.ts';
import styles from './sync-status.module.css';

/** The status of a person's work: visible on every screen, spoken politely when it becomes another one. */
export function SyncStatus() {
  const sync = useLive('syncState');
  const { elsewhere } = useLive('session');
  const now = useNow();
  const status = statusOf(sync, elsewhere, now);
  // Minutes that pass are shown, not announced.
  const spoken = statusOf({ ...sync, lastSyncedAt: sync.lastSyncedAt === null ? null : now }, elsewhere, now);
  return (
    <div className={classNames(styles, 'status')} role="group" aria-label={text.status.label}>
      <StatusPill {...status} />
      <VisuallyHidden role="status">{spoken.words}</VisuallyHidden>
    </div>
  );
}

interface StatusPillProps {
  tone: 'ok' | 'neutral' | 'warn' | 'danger';
  words: string;
  /** Where more is told. */
  href: string;
}

/** The state of the person's work, in words; the dot only supports them. */
function StatusPill({ tone, words, href }: StatusPillProps) {
  return (
    <Link className={classNames(styles, 'pill', tone)} href={href}>
      <span className={classNames(styles, 'dot')} aria-hidden="true" />
      {words}
    </Link>
  );
}
