import type { ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './layout.module.css';

type Gap = 'none' | 'xs' | 's' | 'm' | 'l' | 'xl';

interface StackProps {
  gap?: Gap;
  align?: 'stretch' | 'start' | 'center';
  children: ReactNode;
}

/** Stacks elements vertically. */
export function Stack({ gap = 'm', align = 'stretch', children }: StackProps) {
  return <div className={classNames(styles, 'stack', `gap-${gap}`, `align-${align}`)}>{children}</div>;
}

interface RowProps {
  gap?: Gap;
  align?: 'center' | 'start' | 'end' | 'baseline';
  justify?: 'start' | 'between' | 'end';
  wrap?: boolean;
  children: ReactNode;
}

/** Places elements side by side; wraps by default. */
export function Row({ gap = 's', align = 'center', justify = 'start', wrap = true, children }: RowProps) {
  return (
    <div
      className={classNames(
        styles,
        'row',
        `gap-${gap}`,
        `align-${align}`,
        `justify-${justify}`,
        wrap && 'wrap',
      )}
    >
      {children}
    </div>
  );
}

interface GridProps {
  /** Minimum width of a column. */
  columns: 'narrow' | 'medium' | 'wide';
  gap?: Gap;
  children: ReactNode;
}

/** As many equal columns as fit. */
export function Grid({ columns, gap = 'm', children }: GridProps) {
  return <div className={classNames(styles, 'grid', `columns-${columns}`, `gap-${gap}`)}>{children}</div>;
}
