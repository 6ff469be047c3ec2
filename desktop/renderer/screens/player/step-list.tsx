import { Check, Flag, Info, Rows3 } from 'lucide-react';
import type { ReactNode } from 'react';

import type { PlayableGuide, StepView, WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatTimeRequired } from '#desktop/renderer/text/format.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { PlaceEntry, type PlaceState } from '#desktop/renderer/ui/place-entry.tsx';

import { missingIn } from './missing-fields.ts';
import type { PlayerPages } from './player-page.ts';
import styles from './step-list.module.css';

interface StepListProps {
  guide: PlayableGuide;
  places: PlayerPages;
  order: WorkOrder | null;
  onChosen?: () => void;
}

const marks: Partial<Record<string, ReactNode>> = {
  done: <Check aria-label={text.player.done} />,
  incomplete: <span aria-label={text.player.valuesMissing}>!</span>,
};

/**
 * The step list: done, current and open. A step is done when it was visited and has all required values. Without a work
 * order no step counts as done.
 */
export function StepList({ guide, places, order, onChosen }: StepListProps) {
  const { page } = places;
  const choose = (go: () => void) => () => {
    go();
    onChosen?.();
  };
  const stateOf = (step: StepView, index: number): 'now' | 'done' | 'incomplete' | 'plain' => {
    if (page.kind === 'step' && index === page.index) return 'now';
    if (order === null || !order.stepsDone.includes(step.stepid)) return 'plain';
    return missingIn(step, order).length > 0 ? 'incomplete' : 'done';
  };
  const facts = [text.player.steps(guide.steps.length), formatTimeRequired(guide.timeRequired)];
  return (
    <nav className={classNames(styles, 'list')} aria-label={text.player.stepList}>
      <p className={classNames(styles, 'facts')}>{facts.join(' · ')}</p>
      <ol>
        <Entry
          mark={<Info aria-hidden="true" />}
          title={text.player.overview}
          state={page.kind === 'overview' ? 'now' : 'plain'}
          onPress={choose(places.toOverview)}
        />
        {guide.steps.length > 1 && (
          <Entry
            mark={<Rows3 aria-hidden="true" />}
            title={text.player.allSteps}
            state={page.kind === 'all' ? 'now' : 'plain'}
            onPress={choose(places.toAll)}
          />
        )}
        {guide.steps.map((step, index) => {
          const state = stateOf(step, index);
          return (
            <Entry
              key={step.stepid}
              mark={marks[state] ?? index + 1}
              title={text.player.stepName(index + 1, step.title)}
              note={step.guideid !== guide.guideid && guide.steps[index - 1]?.guideid !== step.guideid}
              state={state === 'incomplete' ? 'plain' : state}
              isBroken={state === 'incomplete'}
              onPress={choose(() => places.toStep(index))}
            />
          );
        })}
        <Entry
          mark={<Flag aria-hidden="true" />}
          title={text.player.conclusion}
          state={page.kind === 'conclusion' ? 'now' : 'plain'}
          onPress={choose(places.toConclusion)}
        />
      </ol>
    </nav>
  );
}

interface EntryProps {
  mark: ReactNode;
  title: string;
  /** The first step of a prerequisite guide. */
  note?: boolean;
  state: PlaceState;
  isBroken?: boolean;
  onPress: () => void;
}

function Entry({ mark, title, note = false, state, isBroken = false, onPress }: EntryProps) {
  return (
    <li>
      {note && <p className={classNames(styles, 'note')}>{text.player.fromGuide}</p>}
      <PlaceEntry
        mark={mark}
        title={title}
        state={state}
        isBroken={isBroken}
        current="step"
        onPress={onPress}
      />
    </li>
  );
}
