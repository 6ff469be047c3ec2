import type { ReactNode } from 'react';

import styles from './badge.module.css';
import { classNames } from './class-names.ts';

export type Tone = 'neutral' | 'accent' | 'ok' | 'warn' | 'danger';

interface BadgeProps {
  tone?: Tone;
  /** `dot`: a dot supports the words. `floating`: on a picture. */
  look?: 'plain' | 'dot' | 'floating';
  children: ReactNode;
}

/** A few words about the state of a thing. */
export function Badge({ tone = 'neutral', look = 'plain', children }: BadgeProps) {
  return (
    <span className={classNames(styles, 'badge', tone, look)}>
      {look !== 'plain' && <span className={classNames(styles, 'mark')} aria-hidden="true" />}
      {children}
    </span>
  );
}
