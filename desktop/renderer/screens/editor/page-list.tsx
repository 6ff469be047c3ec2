import { Flag, GripVertical, Info, Plus } from 'lucide-react';
import { createContext, use, useState, type KeyboardEvent } from 'react';
import {
  Button as AriaButton,
  GridList,
  GridListItem,
  ListLayout,
  useDragAndDrop,
  Virtualizer,
} from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { PlaceEntry, placeEntryClass, PlaceWords } from '#desktop/renderer/ui/place-entry.tsx';
import { pathId, type StepContent } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { EditorNavigation } from './editor-place.ts';
import styles from './page-list.module.css';
import { useEditor } from './use-editor.ts';
import type { StepMoves } from './use-step-moves.ts';

interface PageListProps {
  place: EditorNavigation;
  moves: StepMoves;
  onChosen?: () => void;
}

/**
 * The list of pages. Steps are reordered by dragging, or with Alt and the arrow keys. Only visible rows are rendered,
 * so that a move costs the same in guides of any length.
 */
export function PageList({ place, moves, onChosen }: PageListProps) {
  const { page } = place;
  const choose = (go: () => void) => () => {
    go();
    onChosen?.();
  };
  return (
    <nav className={classNames(styles, 'pages')} aria-label={text.editor.pages}>
      <PlaceEntry
        mark={<Info aria-hidden="true" />}
        title={text.editor.about}
        state={page.kind === 'about' ? 'now' : 'plain'}
        current="page"
        onPress={choose(place.toAbout)}
      />
      <StepOrder place={place} moves={moves} {...(onChosen && { onChosen })} />
      <div className={classNames(styles, 'add')}>
        <Button icon={<Plus aria-hidden="true" />} wide onPress={choose(() => moves.add())}>
          {text.editor.addStep}
        </Button>
      </div>
      <PlaceEntry
        mark={<Flag aria-hidden="true" />}
        title={text.editor.conclusion}
        state={page.kind === 'conclusion' ? 'now' : 'plain'}
        current="page"
        onPress={choose(place.toConclusion)}
      />
    </nav>
  );
}

/**
 * Step numbers by key. They are passed by context, so that a row does not render again when only its number changes.
 */
const Numbers = createContext<ReadonlyMap<string, number>>(new Map());

const layout = { estimatedRowSize: 46 };

function StepOrder({ place, moves, onChosen }: PageListProps) {
  const { draft } = useEditor();
  const { steps } = draft.content;
  const now = place.page.kind === 'step' ? place.page.step.key : null;
  const items = useItems(steps, now);
  const dragging = useStepDragging(steps, moves);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const key = event.target instanceof Element ? event.target.closest('[data-key]') : null;
    const index = steps.findIndex((step) => step.key === key?.getAttribute('data-key'));
    const step = steps[index];
    if (by === undefined || !event.altKey || step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    moves.moveTo(step.key, index + by);
  };
  if (steps.length === 0) return null;
  return (
    <div
      className={classNames(styles, 'order', onChosen !== undefined && 'folded')}
      onKeyDownCapture={onKeyDown}
    >
      <Numbers value={new Map(steps.map(({ key }, index) => [key, index + 1]))}>
        <Virtualizer layout={ListLayout} layoutOptions={layout}>
          <GridList
            className={classNames(styles, 'steps')}
            aria-label={text.editor.steps}
            items={items}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={now === null ? [] : [now]}
            onSelectionChange={(keys) => {
              const [key] = keys === 'all' ? [] : keys;
              if (key !== undefined) place.toStep(String(key));
              onChosen?.();
            }}
            dragAndDropHooks={dragging}
          >
            {(item) => <StepEntry item={item} />}
          </GridList>
        </Virtualizer>
      </Numbers>
    </div>
  );
}

/**
 * Row items. Unchanged rows keep their identity, so that moving one of 200 steps renders only the rows that changed.
 */
function useItems(steps: readonly StepContent[], now: string | null): StepItem[] {
  const { problems } = useEditor();
  const [cache] = useState(() => new ItemCache());
  const broken = new Set(problems.map(({ place }) => place.split('/')[0]));
  return steps.map((step, index) =>
    cache.same({
      id: step.key,
      name: text.editor.stepName(index + 1, step.title),
      isBroken: broken.has(pathId({ step: step.key })),
      isNow: step.key === now,
    }),
  );
}

interface StepItem {
  id: string;
  name: string;
  isBroken: boolean;
  isNow: boolean;
}

class ItemCache {
  readonly #known = new Map<string, StepItem>();

  same(item: StepItem): StepItem {
    const known = this.#known.get(item.id);
    if (known !== undefined && sameValue(known, item)) return known;
    this.#known.set(item.id, item);
    return item;
  }
}

function StepEntry({ item: { id, name, isBroken, isNow } }: { item: StepItem }) {
  return (
    <GridListItem
      className={`${placeEntryClass(isNow ? 'now' : 'plain')} ${classNames(styles, 'entry')}`}
      id={id}
      textValue={isBroken ? `${name}, ${text.editor.hasProblem}` : name}
    >
      <PlaceWords mark={isBroken ? '!' : <StepNumber id={id} />} isBroken={isBroken} title={name} />
      <AriaButton slot="drag" className={classNames(styles, 'grip')} aria-label={text.editor.dragStep(name)}>
        <GripVertical aria-hidden="true" />
      </AriaButton>
    </GridListItem>
  );
}

function StepNumber({ id }: { id: string }) {
  return use(Numbers).get(id);
}

function useStepDragging(steps: readonly StepContent[], moves: StepMoves) {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      [...keys].map((key) => ({
        'text/plain': steps.find((step) => step.key === key)?.title ?? '',
      })),
    onReorder: ({ keys, target }) => {
      const [key] = keys;
      if (key === undefined) return;
      const others = steps.filter((step) => step.key !== key);
      const at = others.findIndex((step) => step.key === target.key);
      moves.moveTo(String(key), target.dropPosition === 'after' ? at + 1 : at);
    },
  });
  return dragAndDropHooks;
}
