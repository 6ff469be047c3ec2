import { Button } from 'react-aria-components';

import type { ActivityItem } from '#desktop/engine/views/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import styles from './activity-list.module.css';
import { detailOf, stateOf } from './activity-words.ts';

interface ActivityListProps {
  items: readonly ActivityItem[];
  chosen: string;
  onChoose: (id: string) => void;
}

/** What the person did, newest first, each with its state in words. */
export function ActivityList({ items, chosen, onChoose }: ActivityListProps) {
  const now = useNow();
  return (
    <nav aria-label={text.sync.list}>
      <p className={classNames(styles, 'name')}>{text.sync.list}</p>
      <ul className={classNames(styles, 'list')}>
        {items.map((item) => {
          const { tone, words } = stateOf(item, items);
          const facts = [detailOf(item), formatSince(item.at, now)].filter((part) => part !== '');
          return (
            <li key={item.id}>
              <Button
                className={classNames(styles, 'entry', item.id === chosen && 'chosen')}
                onPress={() => onChoose(item.id)}
                {...(item.id === chosen && { 'aria-current': 'true' as const })}
              >
                <Badge tone={tone}>{words}</Badge>
                <span className={classNames(styles, 'subject')}>
                  {item.kind === 'guide' ? item.subject : `${text.sync.kinds[item.kind]} · ${item.subject}`}
                </span>
                <span className={classNames(styles, 'facts')}>{facts.join(' · ')}</span>
              </Button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
