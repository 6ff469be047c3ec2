import { useEffect, useState } from 'react';

import { formatClock } from '#desktop/renderer/text/format.ts';

import { classNames } from './class-names.ts';
import styles from './timer.module.css';

interface TimerProps {
  /** Left out if a heading or row names the timer. */
  label?: string;
  /** Elapsed time at `asOf`, ms. */
  elapsedMs: number;
  /** ms since 1970 at which `elapsedMs` was measured. */
  asOf: number;
  running: boolean;
  size?: 'large' | 'inline';
}

/** A clock of working time in tabular figures, with a visible difference between running and stopped. */
export function Timer({ label, elapsedMs, asOf, running, size = 'large' }: TimerProps) {
  const now = useSeconds(running);
  const shown = running ? elapsedMs + Math.max(0, now - asOf) : elapsedMs;
  return (
    <span
      className={classNames(styles, 'timer', size, !running && 'still')}
      {...(label !== undefined && { role: 'timer', 'aria-label': label })}
    >
      {formatClock(shown)}
    </span>
  );
}

function useSeconds(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const id = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(id);
  }, [isTicking]);
  return now;
}
