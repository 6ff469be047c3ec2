import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** What this place is for. */
  children: ReactNode;
  /** The first thing to do here. */
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={classNames(styles, 'empty')}>
      <span className={classNames(styles, 'icon')} aria-hidden="true">
        {icon}
      </span>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}
