import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';

import type { PlayableGuide, Prerequisite, SupplyView } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { noTicks, typedTicks } from '#desktop/renderer/typed-forms.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useFormDraftSoon, useFormId } from '#desktop/renderer/use-form-draft.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { guideHref } from '../library/guide-address.ts';
import styles from './preparation.module.css';
import { supplyWords } from './supply-words.ts';

const words = text.player;

/** Ticks are of one job: those of yesterday's would be wrong today, ms. */
const ticksLast = 12 * 60 * 60 * 1000;

/**
 * What comes before the first step, in the order in which it is done.
 *
 * - READ-3 The overview lists in working order what is to be done first, with its state, then the tools and the parts.
 * - READ-4 A person ticks the tools and parts that they have. Ticks survive the end of the app, and are gone 12 hours after the
 *   last one, or when the person clears them.
 */
export function Preparation({ guide }: { guide: PlayableGuide }) {
  const { prerequisites, tools, parts } = guide;
  const { ticked, tick, clear } = useTicks(guide.guideid);
  if (prerequisites.length + tools.length + parts.length === 0) return null;
  const supplies = (kind: string, items: readonly SupplyView[]) =>
    items.map((item, index) => {
      // A guide may name the same part twice.
      const id = `${kind} ${index} ${supplyWords(item)}`;
      return (
        <Supply key={id} item={item} isTicked={ticked.includes(id)} onChange={(isHere) => tick(id, isHere)} />
      );
    });
  return (
    <section className={classNames(styles, 'preparation')} aria-labelledby="preparation">
      <div className={classNames(styles, 'head')}>
        <h2 id="preparation">{words.preparation}</h2>
        {ticked.length > 0 && (
          <Button tone="quiet" onPress={clear}>
            {words.clearTicks}
          </Button>
        )}
      </div>
      {prerequisites.length > 0 && (
        <Part title={words.prerequisites}>
          {prerequisites.map((first) => (
            <First key={first.guideid} first={first} />
          ))}
        </Part>
      )}
      {tools.length + parts.length > 0 && (
        <div className={classNames(styles, 'supplies')}>
          {tools.length > 0 && <Part title={words.tools}>{supplies('tool', tools)}</Part>}
          {parts.length > 0 && <Part title={words.parts}>{supplies('part', parts)}</Part>}
        </div>
      )}
    </section>
  );
}

function useTicks(guideid: string) {
  const now = useNow();
  const form = useFormDraftSoon({ id: useFormId('ticks', guideid), schema: typedTicks, start: noTicks });
  const { ids, at } = form.text;
  const ticked = now - at < ticksLast ? ids : [];
  return {
    ticked,
    tick: (id: string, isOn: boolean) => {
      const others = ticked.filter((one) => one !== id);
      const next = isOn ? [...others, id] : others;
      if (next.length === 0) form.clear();
      else form.replace({ ids: next, at: Date.now() });
    },
    clear: form.clear,
  };
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <h3 className={classNames(styles, 'title')}>{title}</h3>
      <ul className={classNames(styles, 'list')}>{children}</ul>
    </Card>
  );
}

function First({ first }: { first: Prerequisite }) {
  const order = useLive('workOrders').find(
    ({ guideid, mine, status }) =>
      mine && guideid === first.guideid && (status === 'started' || status === 'paused'),
  );
  return (
    <li className={classNames(styles, 'first')}>
      <Link href={guideHref(first.guideid)}>
        <span className={classNames(styles, 'name')}>{first.title}</span>
        <span className={classNames(styles, 'note')}>{words.prerequisite(first.steps, first.release)}</span>
      </Link>
      {order !== undefined ? (
        <Badge tone="accent">{words.order(order.workorderid)}</Badge>
      ) : (
        first.completed && (
          <Badge tone="ok" look="dot">
            {words.completed}
          </Badge>
        )
      )}
    </li>
  );
}

interface SupplyProps {
  item: SupplyView;
  isTicked: boolean;
  onChange: (isHere: boolean) => void;
}

function Supply({ item, isTicked, onChange }: SupplyProps) {
  const { notes } = item;
  return (
    <li className={classNames(styles, 'supply')}>
      <CheckboxField look="plain" label={supplyWords(item)} value={isTicked} onChange={onChange} />
      {notes !== null && notes !== '' && <span className={classNames(styles, 'note')}>{notes}</span>}
    </li>
  );
}
