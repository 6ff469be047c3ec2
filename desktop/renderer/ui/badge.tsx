import type { ReactNode } from 'react';

import styles from './badge.module.css';
import { classNames } from './class-names.ts';

export type Tone = 'neutral' | 'accent' | 'ok' | 'warn' | 'danger';

interface BadgeProps {
  tone?: Tone;
  /** `dot`: with a coloured dot. `floating`: on a picture. */
  look?: 'plain' | 'dot' | 'floating';
  children: ReactNode;
}

/** A short label for the state of something. */
export function Badge({ tone = 'neutral', look = 'plain', children }: BadgeProps) {
  return (
    <span className={classNames(styles, 'badge', tone, look)}>
      {look !== 'plain' && <span className={classNames(styles, 'mark')} aria-hidden="true" />}
      {children}
    </span>
  );
}
