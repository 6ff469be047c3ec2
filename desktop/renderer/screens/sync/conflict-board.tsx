import { Undo2 } from 'lucide-react';
import { useId, type KeyboardEvent } from 'react';

import type { GuideConflicts } from '#desktop/engine/api/conflict-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import { ActionBar, BarMoves } from '#desktop/renderer/ui/workplace.tsx';

import { OtherEditors } from '../editor/other-editors.tsx';
import styles from './conflict-board.module.css';
import { ConflictGroupCard } from './conflict-group.tsx';
import { ConflictList } from './conflict-list.tsx';
import { mergedWords } from './conflict-place.ts';
import { conflictGroups } from './decision.ts';
import { useDecisions, type Deciding } from './use-decisions.ts';

/**
 * All conflicts of a guide or page, grouped by step.
 *
 * - DECIDE-4 One press chooses one version for the whole guide, or for a step.
 * - DECIDE-5 The choices are saved together, once there is one for every conflict; until then words say how many are left.
 */
export function ConflictBoard({ found }: { found: GuideConflicts }) {
  const deciding = useDecisions(found);
  const groups = conflictGroups(found);
  const { conflicts, theirName, title } = found;
  // Before the focused button takes the key as a press.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    deciding.save();
  };
  return (
    <div className={classNames(styles, 'screen')} onKeyDownCapture={onKeyDown}>
      <aside className={classNames(styles, 'side')}>
        <ConflictList found={found} groups={groups} deciding={deciding} />
      </aside>
      <div className={classNames(styles, 'case')}>
        <div className={classNames(styles, 'scroll')}>
          <header className={classNames(styles, 'head')}>
            <div className={classNames(styles, 'what')}>
              <p className={classNames(styles, 'over')}>{title}</p>
              <h1>{text.conflict.heading(conflicts.length)}</h1>
              <p className={classNames(styles, 'lead')}>{lead(found)}</p>
              {!found.guideid.startsWith('wiki:') && <OtherEditors guideid={found.guideid} />}
            </div>
            <div className={classNames(styles, 'all')}>
              <Button onPress={() => deciding.decide(conflicts, { side: 'mine' })}>
                {text.conflict.allMine}
              </Button>
              <Button onPress={() => deciding.decide(conflicts, { side: 'theirs' })}>
                {text.conflict.allTheirs(theirName)}
              </Button>
            </div>
          </header>
          <div className={classNames(styles, 'groups')}>
            {groups.map((group) => (
              <ConflictGroupCard key={group.id} group={group} found={found} deciding={deciding} />
            ))}
          </div>
          <Merged facts={found.merged} />
        </div>
        <SaveBar deciding={deciding} total={conflicts.length} />
      </div>
    </div>
  );
}

function lead({ theirName, merged }: GuideConflicts): string {
  const words = text.conflict.lead(theirName);
  return merged.length === 0 ? words : `${words} ${text.conflict.restMerged}`;
}

function SaveBar({ deciding, total }: { deciding: Deciding; total: number }) {
  const { left, canUndo, busy, undo, save } = deciding;
  const why = useId();
  return (
    <ActionBar>
      <p id={why} className={classNames(styles, 'left')} role="status">
        {left === 0 ? text.conflict.complete(total) : text.conflict.left(left, total)}
      </p>
      <BarMoves>
        <Button
          size="large"
          tone="quiet"
          icon={<Undo2 aria-hidden="true" />}
          onPress={undo}
          isDisabled={!canUndo}
        >
          {text.conflict.undo}
        </Button>
        <ButtonLink size="large" href="/sync">
          {text.conflict.later}
        </ButtonLink>
        <Button tone="primary" size="large" onPress={save} isPending={busy} isDisabled={left > 0}>
          {text.conflict.save(total)}
        </Button>
      </BarMoves>
    </ActionBar>
  );
}

/** Changes that were merged without a decision. */
function Merged({ facts }: { facts: readonly string[] }) {
  if (facts.length === 0) return null;
  return (
    <div className={classNames(styles, 'merged')}>
      <Disclosure summary={text.conflict.merged(facts.length)}>
        <ul>
          {[...new Set(facts)].map((fact) => (
            <li key={fact}>{mergedWords(fact)}</li>
          ))}
        </ul>
      </Disclosure>
    </div>
  );
}
