import { ChevronLeft, ChevronRight, Flag, Keyboard } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import type { PlayableGuide, WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { ActionBar, BarMoves } from '#desktop/renderer/ui/workplace.tsx';

import { OrderClock } from './order-clock.tsx';
import styles from './player-bar.module.css';
import type { PlayerPages } from './player-page.ts';
import { StartOrder } from './start-order.tsx';

const FinishDialog = lazy(async () => ({ default: (await import('./finish-dialog.tsx')).FinishDialog }));

interface PlayerBarProps {
  guide: PlayableGuide;
  places: PlayerPages;
  order: WorkOrder | null;
  onShowKeys: () => void;
}

/** Bottom bar of the player: the work order's clock at the left, the next action at the right. */
export function PlayerBar({ guide, places, order, onShowKeys }: PlayerBarProps) {
  /** Null until the dialog was opened; afterwards it stays, with the reasons that were entered. */
  const [isFinishing, setIsFinishing] = useState<boolean | null>(null);
  return (
    <ActionBar isOneRow>
      <div className={classNames(styles, 'order')}>
        {order === null ? (
          guide.archive === null && <StartOrder guide={guide} />
        ) : (
          <OrderClock key={order.workorderid} order={order} onFinish={() => setIsFinishing(true)} />
        )}
        <span className={classNames(styles, 'keys')}>
          <IconButton label={text.player.keys} icon={<Keyboard />} onPress={onShowKeys} />
        </span>
      </div>
      <BarMoves>
        {places.previous && (
          <Button size="large" icon={<ChevronLeft aria-hidden="true" />} onPress={places.previous}>
            <span className={classNames(styles, 'hiddenOnPhone')}>{text.player.previous}</span>
          </Button>
        )}
        <NextButton guide={guide} places={places} order={order} onFinish={() => setIsFinishing(true)} />
      </BarMoves>
      {order && isFinishing !== null && (
        <Suspense fallback={null}>
          <FinishDialog
            key={order.workorderid}
            guide={guide}
            order={order}
            places={places}
            isOpen={isFinishing}
            onClose={() => setIsFinishing(false)}
          />
        </Suspense>
      )}
    </ActionBar>
  );
}

function NextButton({
  guide,
  places,
  order,
  onFinish,
}: Omit<PlayerBarProps, 'onShowKeys'> & { onFinish: () => void }) {
  const { page, next } = places;
  if (next === null) {
    return (
      order && (
        <Button tone="primary" size="large" icon={<Flag aria-hidden="true" />} onPress={onFinish}>
          {text.player.finish}
        </Button>
      )
    );
  }
  const isLastStep =
    page.kind === 'all' ||
    (page.kind === 'step' ? page.index === guide.steps.length - 1 : guide.steps.length === 0);
  const words = isLastStep
    ? text.player.last
    : page.kind === 'overview'
      ? text.player.first
      : text.player.next;
  return (
    <Button tone="primary" size="large" iconEnd={<ChevronRight aria-hidden="true" />} onPress={next}>
      <span className={classNames(styles, 'long')}>{words}</span>
      <span className={classNames(styles, 'brief')}>
        {page.kind === 'overview' && order === null ? words : text.player.nextBrief}
      </span>
    </Button>
  );
}
