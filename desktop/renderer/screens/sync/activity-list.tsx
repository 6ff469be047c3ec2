import { Button } from 'react-aria-components';

import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import type { ActivityGroup } from './activity-groups.ts';
import styles from './activity-list.module.css';
import { detailOf, kindName, stateOf } from './activity-words.ts';
import { Paged } from './paged.tsx';

interface ActivityListProps {
  groups: readonly ActivityGroup[];
  items: readonly ActivityItem[];
  chosen: string;
  onChoose: (id: string) => void;
}

/** A row for each changed work order, guide or page, with its state in words. */
export function ActivityList({ groups, items, chosen, onChoose }: ActivityListProps) {
  const now = useNow();
  return (
    <nav aria-label={text.sync.list}>
      <p className={classNames(styles, 'name')}>{text.sync.list}</p>
      <Paged rows={groups} isOpen={({ items: some }) => some.some(({ id }) => id === chosen)}>
        {(shown) => (
          <ul className={classNames(styles, 'list')}>
            {shown.map((group) => {
              const { tone, words } = stateOf(group.foremost, items);
              const isChosen = group.items.some(({ id }) => id === chosen);
              const facts = [factOf(group), formatSince(group.items[0].at, now)].filter(
                (part) => part !== '',
              );
              return (
                <li key={group.id}>
                  <Button
                    className={classNames(styles, 'entry', isChosen && 'chosen')}
                    onPress={() => onChoose(group.foremost.id)}
                    {...(isChosen && { 'aria-current': 'true' as const })}
                  >
                    <Badge tone={tone}>{words}</Badge>
                    <span className={classNames(styles, 'subject')}>
                      {group.kind === 'guide' ? group.subject : `${kindName(group.kind)} · ${group.subject}`}
                    </span>
                    <span className={classNames(styles, 'facts')}>{facts.join(' · ')}</span>
                  </Button>
                </li>
              );
            })}
          </ul>
        )}
      </Paged>
      {items.some(({ state }) => state === 'on-the-server') && (
        <p className={classNames(styles, 'ends')}>{text.sync.listEnds}</p>
      )}
    </nav>
  );
}

/** A single entry is described; several are counted. */
function factOf({ items, kind }: ActivityGroup): string {
  const [only, second] = items;
  if (second !== undefined) return text.sync.facts.changes(items.length);
  const detail = detailOf(only);
  return only.kind === kind ? detail : [kindName(only.kind), detail].filter(Boolean).join(': ');
}
