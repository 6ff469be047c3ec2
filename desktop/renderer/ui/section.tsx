import { useId, type ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** How many things it holds, where that is worth saying. */
  count?: number;
  children: ReactNode;
}

/** A named part of a page. */
export function Section({ title, count, children }: SectionProps) {
  const heading = useId();
  return (
    <section className={classNames(styles, 'section')} aria-labelledby={heading}>
      <h2 id={heading} className={classNames(styles, 'heading')}>
        {title} {count !== undefined && <span className={classNames(styles, 'count')}>{count}</span>}
      </h2>
      {children}
    </section>
  );
}
