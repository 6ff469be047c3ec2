import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './visually-hidden.module.css';

interface SpokenProps {
  as?: 'span' | 'p' | 'h1';
  /** `status`: changes are announced. */
  role?: 'status';
  children: ReactNode;
}

/** Text for screen readers only. */
export function VisuallyHidden({ as: Element = 'span', role, children }: SpokenProps) {
  return (
    <Element className={classNames(styles, 'spoken')} role={role}>
      {children}
    </Element>
  );
}
