import type { ReactNode } from 'react';

import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './step-sheet.module.css';

interface StepSheetProps {
  /** `write`: the texts are fields and need more room. */
  purpose: 'read' | 'write';
  media: ReactNode;
  children: ReactNode;
}

/**
 * Layout of a step: picture as large as the window allows, and text beside it, or below it on narrow windows.
 */
export function StepSheet({ purpose, media, children }: StepSheetProps) {
  return (
    <div className={classNames(styles, 'step', purpose === 'write' && 'written')}>
      {media}
      <div className={classNames(styles, 'words')}>{children}</div>
    </div>
  );
}
