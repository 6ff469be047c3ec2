import { useEffect, useRef, useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { handOverAll } from '#desktop/renderer/hand-over.ts';
import { stationHomeText } from '#desktop/renderer/text/en/station-home.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './idle-notice.module.css';

/** The engine hears of touches at most this often, ms. */
const often = 1000;
/** How long before the lock the notice is shown, ms. */
const ahead = 10_000;

const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

/** Tells the engine about touches and keys, and says in time when the station is about to lock. */
export function IdleNotice({ idleSeconds }: { idleSeconds: number }) {
  const actions = useActions();
  const last = useRef(0);
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    const touch = (): void => {
      const now = Date.now();
      if (now - last.current < often) return;
      last.current = now;
      setLeft(null);
      actions.touchStation();
    };
    touch();
    for (const kind of touches) document.addEventListener(kind, touch, { capture: true, passive: true });
    const id = setInterval(() => {
      const rest = idleSeconds * 1000 - (Date.now() - last.current);
      // Once it is locked, nothing is recorded any more.
      if (rest <= ahead) handOverAll();
      setLeft(rest <= ahead ? Math.max(0, Math.ceil(rest / 1000)) : null);
    }, 500);
    return () => {
      clearInterval(id);
      for (const kind of touches) document.removeEventListener(kind, touch, { capture: true });
    };
  }, [actions, idleSeconds]);
  return (
    <div role="status" data-react-aria-top-layer="true">
      {left !== null && (
        <p className={classNames(styles, 'notice')}>
          <b>{stationHomeText.locksIn(left)}</b>
          <span>{stationHomeText.stay}</span>
        </p>
      )}
    </div>
  );
}
