import { FileClock } from 'lucide-react';

import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ListRow, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import styles from './archives.module.css';

const words = text.archives;

const tones: Partial<Record<ActivityItem['state'], Tone>> = { parked: 'danger', 'waits-for-sign-in': 'warn' };

/** Imports that this person requested and the server has not received yet, newest first. */
export function useWaitingImports(): ActivityItem[] {
  const items = useLiveSoon('activity') ?? [];
  return items.filter(({ call, state }) => call.path === '/omanual/imports' && state !== 'on-the-server');
}

/**
 * An import that waits on this device, with a link to the sync screen, where it can be sent again or withdrawn.
 */
export function WaitingImportRow({ one }: { one: ActivityItem }) {
  const { id, subject, state, call, refusal } = one;
  const isTrial = typeof call.body === 'object' && call.body !== null && 'dry_run' in call.body;
  return (
    <ListRow icon={<FileClock />}>
      <RowTitle as="heading" href={`/sync?${new URLSearchParams({ item: id }).toString()}`}>
        {subject}
      </RowTitle>
      <Note>{isTrial ? words.toTry : words.toImport}</Note>
      {refusal !== null && (
        <p className={classNames(styles, 'problem')}>{refusedWords(refusal.message, refusal.code)}</p>
      )}
      <div className={classNames(styles, 'marks')}>
        <Badge tone={tones[state] ?? 'neutral'} look="dot">
          {text.sync.states[state]}
        </Badge>
      </div>
    </ListRow>
  );
}
