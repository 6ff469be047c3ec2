import { Button, Link } from 'react-aria-components';

import type { GuideConflicts } from '#desktop/engine/api/conflict-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import styles from './activity-list.module.css';
import { conflictAddress, placeWords } from './conflict-place.ts';
import { textOf } from './decision.ts';

interface ConflictListProps {
  found: GuideConflicts;
  chosen: string;
  onChoose: (conflictid: string) => void;
}

/** The conflicts of this guide and of other guides. */
export function ConflictList({ found, chosen, onChoose }: ConflictListProps) {
  const others = useLive('activity').filter(
    ({ id }) => id.startsWith('conflict:') && id !== `conflict:${found.guideid}`,
  );
  return (
    <nav aria-label={text.conflict.list}>
      <p className={classNames(styles, 'name')}>{text.conflict.list}</p>
      <ul className={classNames(styles, 'list')}>
        {found.conflicts.map((conflict) => {
          const isChosen = conflict.conflictid === chosen;
          return (
            <li key={conflict.conflictid}>
              <Button
                className={classNames(styles, 'entry', isChosen && 'chosen')}
                onPress={() => onChoose(conflict.conflictid)}
                {...(isChosen && { 'aria-current': 'true' as const })}
              >
                <Badge tone="danger">{text.sync.states['needs-decision']}</Badge>
                <span className={classNames(styles, 'subject')}>{placeWords(conflict)}</span>
                <span className={classNames(styles, 'facts')}>
                  {conflict.place.stepTitle ?? (textOf(conflict.mine).slice(0, 60) || found.title)}
                </span>
              </Button>
            </li>
          );
        })}
      </ul>
      {others.length > 0 && (
        <>
          <p className={classNames(styles, 'name')}>{text.conflict.otherGuides}</p>
          <ul className={classNames(styles, 'list')}>
            {others.map(({ id, subject }) => (
              <li key={id}>
                <Link className={classNames(styles, 'entry')} href={conflictAddress({ id })}>
                  <Badge tone="danger">{text.sync.states['needs-decision']}</Badge>
                  <span className={classNames(styles, 'subject')}>{subject}</span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <ul className={classNames(styles, 'list')}>
        <li>
          <Link className={classNames(styles, 'entry')} href="/sync">
            <span className={classNames(styles, 'facts')}>{text.conflict.allSync}</span>
          </Link>
        </li>
      </ul>
    </nav>
  );
}
