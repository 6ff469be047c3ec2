import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './workplace.module.css';

interface WorkplaceProps {
  /** The page list; hidden on narrow windows. */
  list: ReactNode;
  /** An `ActionBar`. */
  bar: ReactNode;
  children: ReactNode;
}

/** Layout for one page of several: page list at the side, action bar at the bottom. */
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

interface ActionBarProps {
  /** One row on phones too. */
  isOneRow?: boolean;
  children: ReactNode;
}

/** Bottom bar: status at the left, actions at the right. */
export function ActionBar({ isOneRow = false, children }: ActionBarProps) {
  return <footer className={classNames(styles, 'bar', isOneRow && 'oneRow')}>{children}</footer>;
}

/** The navigation buttons of an `ActionBar`; the most likely one last. */
export function BarMoves({ children }: { children: ReactNode }) {
  return <div className={classNames(styles, 'moves')}>{children}</div>;
}
