import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** The purpose of this place. */
  children: ReactNode;
  /** The first action to take. */
  action?: ReactNode;
  /** `h1` if the page has no other heading. */
  heading?: 'h1' | 'h2';
}

/** A message in place of missing content: icon, title, text and first action. */
export function EmptyState({ icon, title, children, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className={classNames(styles, 'empty')}>
      <span className={classNames(styles, 'icon')} aria-hidden="true">
        {icon}
      </span>
      <Heading>{title}</Heading>
      <p>{children}</p>
      {action}
    </div>
  );
}
