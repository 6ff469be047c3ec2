import { Check, CircleAlert, CloudOff, HardDrive, RefreshCw } from 'lucide-react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { safetyOf, type Safety } from './safety.ts';
import styles from './safety-answer.module.css';
import { WaitingElsewhereList } from './waiting-elsewhere.tsx';

const icons: Record<Safety['tone'], typeof Check> = {
  ok: Check,
  neutral: CloudOff,
  warn: HardDrive,
  danger: CircleAlert,
};

/**
 * The answer to "is my work safe", with the facts behind it. `isShort`: on narrow windows only the answer is shown.
 */
export function SafetyAnswer({ isShort }: { isShort: boolean }) {
  const sync = useLive('syncState');
  const storage = useLive('storage');
  const actions = useActions();
  const { elsewhere } = useLive('session');
  const elsewhereCount = elsewhere.reduce((sum, { changes }) => sum + changes, 0);
  const { tone, words, hint, detail } = safetyOf(sync, storage, elsewhereCount);
  const isHeldUp = sync.interference !== null || sync.waitUntil !== null;
  const Icon = icons[tone];
  return (
    <header className={classNames(styles, 'answer', isShort && 'short')}>
      <span className={classNames(styles, 'sign', tone)} aria-hidden="true">
        <Icon />
      </span>
      <div className={classNames(styles, 'words')}>
        <h1>{words}</h1>
        <p>{hint}</p>
        {detail !== undefined && (
          <details className={classNames(styles, 'detail')}>
            <summary>{text.sync.safety.support}</summary>
            <code>{detail}</code>
          </details>
        )}
      </div>
      <div className={classNames(styles, 'action')}>
        {sync.needsSignIn ? (
          <ButtonLink tone="primary" size="large" href="/sign-in">
            {text.sync.signIn}
          </ButtonLink>
        ) : (
          <Button
            size="large"
            icon={<RefreshCw aria-hidden="true" />}
            onPress={() => actions.syncNow()}
            isPending={sync.phase !== 'idle'}
          >
            {isHeldUp ? text.sync.tryNow : text.sync.syncNow}
          </Button>
        )}
      </div>
      <Facts />
      {elsewhere.length > 0 && !isShort && (
        <div className={classNames(styles, 'elsewhere')}>
          <WaitingElsewhereList />
        </div>
      )}
    </header>
  );
}

function Facts() {
  const sync = useLive('syncState');
  const { journal, insecure } = useLive('storage');
  const now = useNow();
  const { facts } = text.sync;
  const kept = insecure ? 'none' : journal;
  return (
    <dl className={classNames(styles, 'facts')}>
      <div>
        <dt>{facts.last}</dt>
        <dd>{sync.lastSyncedAt === null ? facts.never : formatSince(sync.lastSyncedAt, now)}</dd>
      </div>
      <div>
        <dt>{facts.waiting}</dt>
        <dd>{sync.pending === 0 ? facts.nothing : facts.changes(sync.pending)}</dd>
      </div>
      <div className={classNames(styles, 'promise')}>
        <dt>{facts.kept}</dt>
        <dd>
          {facts.journal[kept]}
          <span className={classNames(styles, 'note')}>{facts.promise[kept]}</span>
        </dd>
      </div>
    </dl>
  );
}
