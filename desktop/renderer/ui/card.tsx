import type { ReactNode } from 'react';

import styles from './card.module.css';
import { classNames } from './class-names.ts';

interface CardProps {
  /** The element it is: a list item, a section of its own … */
  as?: 'div' | 'section' | 'article' | 'li';
  tone?: 'plain' | 'chosen' | 'warn' | 'danger';
  pad?: 'none' | 'normal' | 'roomy';
  /** Id of the heading that names a section. */
  labelledBy?: string;
  children: ReactNode;
}

/** A sheet on the paper. */
export function Card({
  as: Element = 'div',
  tone = 'plain',
  pad = 'normal',
  labelledBy,
  children,
}: CardProps) {
  return (
    <Element className={classNames(styles, 'card', tone, `pad-${pad}`)} aria-labelledby={labelledBy}>
      {children}
    </Element>
  );
}
