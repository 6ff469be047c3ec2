import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './visually-hidden.module.css';

interface SpokenProps {
  as?: 'span' | 'p' | 'h1';
  /** `status`: read out when it changes. */
  role?: 'status';
  children: ReactNode;
}

/** Words for those who hear the page; nobody sees them. */
export function VisuallyHidden({ as: Element = 'span', role, children }: SpokenProps) {
  return (
    <Element className={classNames(styles, 'spoken')} role={role}>
      {children}
    </Element>
  );
}
