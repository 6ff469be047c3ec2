import { ChevronLeft } from 'lucide-react';
import { Suspense } from 'react';

import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate, formatSince } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import { useNow } from '#desktop/renderer/use-now.ts';

import { FrozenOrder } from '../work-orders/frozen-order.tsx';
import styles from './activity-detail.module.css';
import type { ActivityGroup } from './activity-groups.ts';
import { detailOf, kindName, stateOf } from './activity-words.ts';
import { conflictAddress } from './conflict-place.ts';
import { GroupEntries } from './group-entries.tsx';
import { ParkedActions } from './parked-actions.tsx';

interface ActivityDetailProps {
  item: ActivityItem;
  group: ActivityGroup;
  items: readonly ActivityItem[];
  onChoose: (id: string) => void;
  onBack: () => void;
}

/** Details of an entry: its content, state and the server's response, with the possible actions. */
export function ActivityDetail({ item, group, items, onChoose, onBack }: ActivityDetailProps) {
  const now = useNow();
  const { tone, words } = stateOf(item, items);
  const detail = detailOf(item);
  return (
    <article className={classNames(styles, 'detail')}>
      <div className={classNames(styles, 'back')}>
        <Button tone="quiet" icon={<ChevronLeft aria-hidden="true" />} onPress={onBack}>
          {text.sync.back}
        </Button>
      </div>
      <header className={classNames(styles, 'head')}>
        {group.items.length > 1 ? (
          <>
            <h2>{group.subject}</h2>
            <Places group={group} />
            <GroupEntries group={group} items={items} chosen={item.id} onChoose={onChoose} />
          </>
        ) : (
          <>
            <Badge tone={tone}>{words}</Badge>
            <h2>{group.subject}</h2>
            <Places group={group} />
          </>
        )}
        <p className={classNames(styles, 'facts')}>
          {[kindName(item.kind), detail].filter((part) => part !== '').join(' · ')}
        </p>
        <p className={classNames(styles, 'facts')}>
          <time dateTime={new Date(item.at).toISOString()}>{formatDate(item.at)}</time>
          {` · ${formatSince(item.at, now)}`}
        </p>
      </header>
      <Suspense fallback={null}>
        <Situation item={item} items={items} onChoose={onChoose} />
      </Suspense>
      <Disclosure summary={text.sync.call}>
        <p className={classNames(styles, 'line')}>
          <strong>{item.call.method}</strong> {item.call.path}
        </p>
        {item.call.body !== null && item.call.body !== undefined && (
          <pre className={classNames(styles, 'body')} tabIndex={0} aria-label={text.sync.call}>
            {JSON.stringify(item.call.body, null, 2)}
          </pre>
        )}
      </Disclosure>
    </article>
  );
}

function Situation({ item, items, onChoose }: Omit<ActivityDetailProps, 'onBack' | 'group'>) {
  const awaited = items.find(({ id }) => id === item.waitsFor);
  switch (item.state) {
    case 'queued':
      if (item.refusal !== null)
        return <Explained>{refusedWords(item.refusal.message, item.refusal.code)}</Explained>;
      return awaited === undefined ? (
        <Explained>{text.sync.queuedHint}</Explained>
      ) : (
        <>
          <Explained>{text.sync.waitHint}</Explained>
          <div className={classNames(styles, 'actions')}>
            <Button onPress={() => onChoose(awaited.id)}>{text.sync.waitedFor}</Button>
          </div>
        </>
      );
    case 'sending':
      return <Explained>{text.sync.sendingHint}</Explained>;
    case 'on-the-server':
      return (
        <Explained>
          {item.doneAt === null ? text.sync.doneHint : text.sync.doneSince(formatDate(item.doneAt))}
        </Explained>
      );
    case 'waits-for-sign-in':
      return (
        <>
          <Explained>{text.sync.signInHint}</Explained>
          <div className={classNames(styles, 'actions')}>
            <ButtonLink tone="primary" href="/sign-in">
              {text.sync.signIn}
            </ButtonLink>
          </div>
        </>
      );
    case 'needs-decision':
      return <Decision item={item} />;
    case 'parked':
      return <ParkedActions item={item} />;
    default:
      return item.state satisfies never;
  }
}

function Explained({ children }: { children: string }) {
  return <p className={classNames(styles, 'explained')}>{children}</p>;
}

/**
 * Actions for an entry that needs a decision: conflicts in guides are resolved one by one, those of work orders as a
 * whole.
 */
function Decision({ item }: { item: ActivityItem }) {
  // The work order may be gone from the device. The entry still has its number.
  if (item.kind === 'work-order' && item.entryid !== null)
    return <FrozenOrder order={{ entryid: item.entryid, workorderid: item.subject }} />;
  if (!item.id.startsWith('conflict:')) return <ParkedActions item={item} />;
  return (
    <>
      <Explained>{text.sync.decideHint}</Explained>
      <div className={classNames(styles, 'actions')}>
        <ButtonLink tone="primary" size="large" href={conflictAddress(item)}>
          {text.sync.decide}
        </ButtonLink>
      </div>
    </>
  );
}

/** Link to the record. */
function Places({ group: { kind, href } }: { group: ActivityGroup }) {
  if (href === null) return null;
  return (
    <div className={classNames(styles, 'place')}>
      <ButtonLink tone="quiet" href={href}>
        {text.sync.open[kind] ?? text.sync.openGuide}
      </ButtonLink>
    </div>
  );
}
