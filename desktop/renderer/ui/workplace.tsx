import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './workplace.module.css';

interface WorkplaceProps {
  /** The pages to choose from; left out where the window is narrow. */
  list: ReactNode;
  /** An `ActionBar`. */
  bar: ReactNode;
  children: ReactNode;
}

/** One page of several, as large as the window: the list of them beside it, and a bar below that stays. */
export function Workplace({ list, bar, children }: WorkplaceProps) {
  return (
    <div className={classNames(styles, 'workplace')}>
      <div className={classNames(styles, 'body')}>
        <div className={classNames(styles, 'side')}>{list}</div>
        <div className={classNames(styles, 'page')}>{children}</div>
      </div>
      {bar}
    </div>
  );
}

/** Always in the same place: how things are at the left, what to do at the right. */
export function ActionBar({ children }: { children: ReactNode }) {
  return <footer className={classNames(styles, 'bar')}>{children}</footer>;
}

/** The buttons of an `ActionBar` that lead on, the most likely one last. */
export function BarMoves({ children }: { children: ReactNode }) {
  return <div className={classNames(styles, 'moves')}>{children}</div>;
}
