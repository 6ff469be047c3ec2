import { Button as AriaButton } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { BulletMark } from '#desktop/renderer/ui/bullet-mark.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Menu } from '#desktop/renderer/ui/menu.tsx';
import { bullets } from '#shared/model/guide.ts';
import type { LineContent, StepContent } from '#shared/rules/guide-content.ts';

import styles from './step-lines.module.css';
import { useEditor } from './use-editor.ts';

interface BulletChooserProps {
  step: StepContent;
  line: LineContent;
  index: number;
}

/** Button for the bullet of a line. It opens a menu of the eleven bullets with colour, shape and name. */
export function BulletChooser({ step, line, index }: BulletChooserProps) {
  const { edit } = useEditor();
  return (
    <Menu
      label={text.editor.bullet}
      trigger={
        <AriaButton
          className={classNames(styles, 'bullet')}
          aria-label={text.editor.bulletOf(index + 1, text.bullets[line.bullet])}
        >
          <BulletMark bullet={line.bullet} />
        </AriaButton>
      }
      groups={[
        {
          id: 'bullets',
          title: text.editor.bullet,
          chosen: line.bullet,
          items: bullets.map((value) => ({
            id: value,
            name: text.bullets[value],
            icon: (
              <span aria-hidden="true" className={classNames(styles, 'sample')}>
                <BulletMark bullet={value} />
              </span>
            ),
            onAction: () => void edit({ op: 'setLineBullet', step: step.key, line: line.id, value }),
          })),
        },
      ]}
    />
  );
}
