import type { Bullet } from '#shared/model/guide.ts';
import { Info, Pin, TriangleAlert } from 'lucide-react';

import { text } from '#desktop/renderer/text/en.ts';

import styles from './bullet-mark.module.css';
import { bulletColour, shapePaths } from './bullet-shapes.ts';
import { classNames } from './class-names.ts';

const icons = { icon_note: Info, icon_caution: TriangleAlert, icon_reminder: Pin } as const;

/** One of the eleven bullets, told by colour, shape and name. */
export function BulletMark({ bullet }: { bullet: Bullet }) {
  const colour = bulletColour(bullet);
  if (colour === null) {
    const Icon = icons[bullet as keyof typeof icons];
    return <Icon className={classNames(styles, 'icon')} role="img" aria-label={text.bullets[bullet]} />;
  }
  return (
    <svg
      className={classNames(styles, 'mark', colour)}
      viewBox="0 0 24 24"
      role="img"
      aria-label={text.bullets[bullet]}
    >
      <path d={shapePaths[colour]} fillRule="evenodd" />
    </svg>
  );
}
