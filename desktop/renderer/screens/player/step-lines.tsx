import type { LineView } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { BulletMark } from '#desktop/renderer/ui/bullet-mark.tsx';
import { isColourBullet } from '#shared/rules/bullet-shapes.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';

import styles from './step-lines.module.css';

/** What to do, line by line. Caution, note and reminder are blocks. */
export function StepLines({ lines }: { lines: readonly LineView[] }) {
  return (
    <ul className={classNames(styles, 'lines')} aria-label={text.player.whatToDo}>
      {lines.map((line) => (
        <li
          key={line.id}
          className={classNames(
            styles,
            'line',
            !isColourBullet(line.bullet) && 'block',
            line.bullet,
            `level-${Math.min(line.level, 3)}`,
          )}
        >
          <BulletMark bullet={line.bullet} />
          <RichHtml html={line.html} size="line" />
        </li>
      ))}
    </ul>
  );
}
