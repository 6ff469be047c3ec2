import type { ReactNode } from 'react';

import type { Bullet } from '#shared/model/guide.ts';

import { BulletMark } from './bullet-mark.tsx';
import { classNames } from './class-names.ts';
import styles from './guide-line.module.css';

interface GuideLineProps {
  bullet: Bullet;
  /** 0 to 3: how far it is indented. */
  level: number;
  /** It is there for orientation only. */
  isMuted?: boolean;
  children: ReactNode;
}

/** A line of a step in a comparison: its bullet, indented by its level, and its text. */
export function GuideLine({ bullet, level, isMuted = false, children }: GuideLineProps) {
  return (
    <span className={classNames(styles, 'line', isMuted && 'muted')} data-level={level}>
      <BulletMark bullet={bullet} />
      <span>{children}</span>
    </span>
  );
}
