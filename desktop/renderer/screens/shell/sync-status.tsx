import { Link } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { VisuallyHidden } from '#desktop/renderer/ui/visually-hidden.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { statusOf, storageStatus } from './status-words.ts';
import styles from './sync-status.module.css';

/** The sync status, on every screen. Changes are announced politely. */
export function SyncStatus() {
  const sync = useLive('syncState');
  const { elsewhere } = useLive('session');
  const now = useNow();
  const stored = storageStatus(useLive('storage'));
  const status = stored ?? statusOf(sync, elsewhere, now);
  // Elapsed minutes are shown but not announced.
  const spoken =
    stored ?? statusOf({ ...sync, lastSyncedAt: sync.lastSyncedAt === null ? null : now }, elsewhere, now);
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
  /** Address of the details. */
  href: string;
}

/** A status in words, with a coloured dot. On a phone the dot alone is shown, and leads to the words. */
function StatusPill({ tone, words, href }: StatusPillProps) {
  return (
    <Link className={classNames(styles, 'pill', tone)} href={href}>
      <span className={classNames(styles, 'dot')} aria-hidden="true" />
      <span className={classNames(styles, 'words')}>{words}</span>
    </Link>
  );
}
