import type { Bullet } from '#shared/model/guide.ts';
import { Info, Pin, TriangleAlert } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';

import styles from './bullet-mark.module.css';
import { isColourBullet, outlineOf } from '#shared/rules/bullet-shapes.ts';
import { classNames } from './class-names.ts';

const icons = { icon_note: Info, icon_caution: TriangleAlert, icon_reminder: Pin } as const;

/** One of the eleven bullets, distinguished by colour, shape and name. */
export function BulletMark({ bullet }: { bullet: Bullet }) {
  if (!isColourBullet(bullet)) {
    const Icon = icons[bullet];
    return <Icon className={classNames(styles, 'icon')} role="img" aria-label={text.bullets[bullet]} />;
  }
  return (
    <svg
      className={classNames(styles, 'mark', bullet)}
      viewBox="0 0 24 24"
      role="img"
      aria-label={text.bullets[bullet]}
    >
      <path d={outlineOf(bullet)} fillRule="evenodd" />
    </svg>
  );
}
