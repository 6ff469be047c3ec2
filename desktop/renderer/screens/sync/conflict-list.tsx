import { Link } from 'react-aria-components';

import type { GuideConflicts } from '#desktop/engine/api/conflict-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import styles from './activity-list.module.css';
import { conflictAddress, groupId, groupWords } from './conflict-place.ts';
import type { ConflictGroup } from './decision.ts';
import type { Deciding } from './use-decisions.ts';

interface ConflictListProps {
  found: GuideConflicts;
  groups: readonly ConflictGroup[];
  deciding: Deciding;
}

/** The steps with conflicts of this guide, and the other guides that have some. */
export function ConflictList({ found, groups, deciding }: ConflictListProps) {
  const others = useLive('activity').filter(
    ({ id }) => id.startsWith('conflict:') && id !== `conflict:${found.guideid}`,
  );
  return (
    <nav aria-label={text.conflict.list}>
      <p className={classNames(styles, 'name')}>{text.conflict.list}</p>
      <ul className={classNames(styles, 'list')}>
        {groups.map((group) => {
          const total = group.conflicts.length;
          const decided = group.conflicts.filter((one) => deciding.of(one) !== null).length;
          return (
            <li key={group.id}>
              <Link className={classNames(styles, 'entry')} onPress={() => show(group)}>
                <span className={classNames(styles, 'subject')}>{groupWords(group)}</span>
                <Badge tone={decided === total ? 'ok' : 'danger'}>
                  {text.conflict.progress(decided, total)}
                </Badge>
              </Link>
            </li>
          );
        })}
      </ul>
      {others.length > 0 && (
        <>
          <p className={classNames(styles, 'name')}>{text.conflict.otherGuides}</p>
          <ul className={classNames(styles, 'list')}>
            {others.map(({ id, subject, decisions }) => (
              <li key={id}>
                <Link className={classNames(styles, 'entry')} href={conflictAddress({ id })}>
                  <span className={classNames(styles, 'subject')}>{subject}</span>
                  <Badge tone="danger">{text.sync.decisions(decisions)}</Badge>
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

function show(group: ConflictGroup): void {
  const section = document.getElementById(groupId(group));
  section?.scrollIntoView({ block: 'start' });
  section?.querySelector('h2')?.focus({ preventScroll: true });
}
