import { useId, type ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './field-group.module.css';

interface FieldGroupProps {
  title: string;
  /** `start`: buttons and fields take only the width that they need. */
  align?: 'stretch' | 'start';
  children: ReactNode;
}

/** A group of related fields with a heading. */
export function FieldGroup({ title, align = 'stretch', children }: FieldGroupProps) {
  const heading = useId();
  return (
    <section className={classNames(styles, 'group', align)} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}
