import { Button } from 'react-aria-components';

import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import type { ActivityGroup } from './activity-groups.ts';
import { detailOf, kindName, stateOf } from './activity-words.ts';
import styles from './group-entries.module.css';
import { Paged } from './paged.tsx';

/** The entries of one record; the chosen one is expanded. */
export function GroupEntries({
  group,
  items,
  chosen,
  onChoose,
}: {
  group: ActivityGroup;
  items: readonly ActivityItem[];
  chosen: string;
  onChoose: (id: string) => void;
}) {
  const now = useNow();
  return (
    <Paged rows={group.items} isOpen={({ id }) => id === chosen}>
      {(shown) => (
        <ul className={classNames(styles, 'entries')} aria-label={text.sync.entriesOf(group.subject)}>
          {shown.map((item) => {
            const { tone, words } = stateOf(item, items);
            const what = detailOf(item);
            return (
              <li key={item.id}>
                <Button
                  className={classNames(styles, 'entry', item.id === chosen && 'chosen')}
                  onPress={() => onChoose(item.id)}
                  {...(item.id === chosen && { 'aria-current': 'true' as const })}
                >
                  <span className={classNames(styles, 'what')}>
                    {item.kind === group.kind && what !== ''
                      ? what
                      : [kindName(item.kind), what].filter((part) => part !== '').join(' · ')}
                  </span>
                  <Badge tone={tone}>{words}</Badge>
                  <span className={classNames(styles, 'when')}>{formatSince(item.at, now)}</span>
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </Paged>
  );
}
