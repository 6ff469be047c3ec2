import { useId, type ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './section.module.css';

interface SectionProps {
  title: string;
  /** Number of entries, if it should be shown. */
  count?: number;
  children: ReactNode;
}

/** A titled section of a page. */
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
