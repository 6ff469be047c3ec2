import { useId } from 'react';

import type {
  ContestedStep,
  GuideConflicts,
  GuideConflictView,
} from '#desktop/engine/api/conflict-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { GuideLine } from '#desktop/renderer/ui/guide-line.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { plainLine } from '#shared/formats/wikitext/plain-text.ts';

import { ConflictCase } from './conflict-case.tsx';
import styles from './conflict-group.module.css';
import { groupId, groupWords } from './conflict-place.ts';
import type { ConflictGroup } from './decision.ts';
import type { Deciding } from './use-decisions.ts';

interface GroupProps {
  group: ConflictGroup;
  found: GuideConflicts;
  deciding: Deciding;
}

/** The conflicts of a step between its other lines, beside its picture; or those of the guide itself. */
export function ConflictGroupCard({ group, found, deciding }: GroupProps) {
  const heading = useId();
  const { step, conflicts } = group;
  const { theirName } = found;
  const name = groupWords(group);
  return (
    <section className={classNames(styles, 'group')} aria-labelledby={heading} id={groupId(group)}>
      <header className={classNames(styles, 'head')}>
        <h2 id={heading} tabIndex={-1}>
          {name}
        </h2>
        {conflicts.length > 1 && (
          <div className={classNames(styles, 'all')}>
            <Button
              tone="quiet"
              label={`${text.conflict.groupMine}: ${name}`}
              onPress={() => deciding.decide(conflicts, { side: 'mine' })}
            >
              {text.conflict.groupMine}
            </Button>
            <Button
              tone="quiet"
              label={`${text.conflict.groupTheirs(theirName)}: ${name}`}
              onPress={() => deciding.decide(conflicts, { side: 'theirs' })}
            >
              {text.conflict.groupTheirs(theirName)}
            </Button>
          </div>
        )}
      </header>
      <div className={classNames(styles, 'body', step !== null && step.pictures.length > 0 && 'pictured')}>
        {step !== null && step.pictures[0] !== undefined && (
          <div className={classNames(styles, 'picture')}>
            <Picture
              guid={step.pictures[0]}
              size="medium"
              alt={text.conflict.pictureOf(name)}
              fit="contain"
            />
          </div>
        )}
        <div className={classNames(styles, 'lines')}>
          <Cases
            conflicts={conflicts.filter(({ place }) => place.lineId === undefined)}
            found={found}
            deciding={deciding}
          />
          {step !== null && <Lines step={step} conflicts={conflicts} found={found} deciding={deciding} />}
        </div>
      </div>
    </section>
  );
}

interface CasesProps {
  conflicts: readonly GuideConflictView[];
  found: GuideConflicts;
  deciding: Deciding;
}

function Cases({ conflicts, found, deciding }: CasesProps) {
  return conflicts.map((conflict) => (
    <ConflictCase key={conflict.conflictid} conflict={conflict} found={found} deciding={deciding} />
  ));
}

/** The lines of the step in their order, each contested one as its conflicts. */
function Lines({ step, conflicts, found, deciding }: CasesProps & { step: ContestedStep }) {
  const contested = conflicts.filter(({ place }) => place.lineId !== undefined);
  if (contested.length === 0) return null;
  return (
    <ol className={classNames(styles, 'list')}>
      {step.lines.map((line) => {
        const own = contested.filter(({ place }) => place.lineId === line.id);
        return (
          <li key={line.id}>
            {own.length > 0 ? (
              <Cases conflicts={own} found={found} deciding={deciding} />
            ) : (
              <GuideLine bullet={line.bullet} level={line.level} isMuted>
                {plainLine(line.text_raw)}
              </GuideLine>
            )}
          </li>
        );
      })}
    </ol>
  );
}
