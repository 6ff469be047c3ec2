import { useState } from 'react';

import type { OfflineChoice, OfflineState } from '#desktop/engine/api/offline-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { offlineText as words } from '#desktop/renderer/text/en/offline.ts';
import { formatBytes, formatNumber } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { ProgressBar } from '#desktop/renderer/ui/progress-bar.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { OfflineDialog } from './offline-dialog.tsx';
import styles from './offline.module.css';

/**
 * What this device keeps offline.
 *
 * - CARRY-11 The choice, the state of loading in words, what is left in files, bytes and time, and a button that pauses it.
 */
export function OfflineCard() {
  const state = useLive('offline');
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [isOpen, setOpen] = useState(false);
  const isBehind = !isUncounted(state);
  return (
    <SectionCard title={words.title}>
      <p className={classNames(styles, 'lead')}>{words.lead}</p>
      <p className={classNames(styles, 'choice')}>{words.choiceOf(partsOf(state.choice, state.singles))}</p>
      <div className={classNames(styles, 'progress')}>
        {isBehind ? (
          <ProgressBar label={progressOf(state)} value={state.bytes.have} of={state.bytes.of} />
        ) : (
          <p>{progressOf(state)}</p>
        )}
        {state.gone > 0 && <p className={classNames(styles, 'lead')}>{words.gone(state.gone)}</p>}
      </div>
      {state.isUnread && (
        <Notice tone="warn" title={words.unread}>
          {words.unreadHint}
        </Notice>
      )}
      {state.state === 'full' && (
        <Notice tone="warn" title={words.states.full}>
          {words.fullHint}
        </Notice>
      )}
      <Row>
        <Button onPress={() => setOpen(true)}>{words.change}</Button>
        {(isBehind || state.isPaused) && (
          <Button onPress={() => act(() => actions.pauseOffline(!state.isPaused))} isPending={busy}>
            {state.isPaused ? words.resume : words.pause}
          </Button>
        )}
      </Row>
      {isOpen && <OfflineDialog choice={state.choice} onClose={() => setOpen(false)} />}
    </SectionCard>
  );
}

function partsOf(choice: OfflineChoice, singles: number): string[] {
  const { everything, favorites, categories, tags, teams } = choice;
  const chosen = everything
    ? [words.everything]
    : [
        ...(favorites ? [words.favorites] : []),
        ...(categories.length > 0 ? [words.categories(categories.length)] : []),
        ...(tags.length > 0 ? [words.tags(tags.length)] : []),
        ...(teams.length > 0 ? [words.teams(teams.length)] : []),
      ];
  return singles > 0 && !everything ? [...chosen, words.singles(singles)] : chosen;
}

/** Whether there is no number of files to load: none is missing, or it is not known. */
function isUncounted({ state }: Pick<OfflineState, 'state'>): boolean {
  return state === 'ready' || state === 'unknown' || state === 'incomplete';
}

function progressOf({ state, have, of, bytes, remainingMs }: OfflineState): string {
  const left = bytes.of - bytes.have;
  return [
    words.states[state],
    ...(of > 0 ? [words.files(formatNumber(have), formatNumber(of))] : []),
    ...(isUncounted({ state })
      ? bytes.have > 0
        ? [formatBytes(bytes.have)]
        : []
      : [words.left(formatBytes(left), bytes.isEstimate)]),
    ...(remainingMs === null ? [] : [timeLeft(remainingMs)]),
  ].join(' · ');
}

function timeLeft(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 90 ? words.minutes(minutes) : words.hours(Math.round(minutes / 60));
}
