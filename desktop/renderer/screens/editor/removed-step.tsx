import { Undo2, X } from 'lucide-react';
import { useEffect } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';

import styles from './removed-step.module.css';
import { useLatest } from './use-editor.ts';
import type { StepMoves } from './use-step-moves.ts';

/** Long enough to notice the message and to reach the button with the keyboard. */
const shownMs = 12_000;

/** Message after a step was removed, with a button that restores it. Undo does the same later. */
export function RemovedStep({ moves }: { moves: StepMoves }) {
  const { removed } = moves;
  const latest = useLatest(moves);
  useEffect(() => {
    if (removed === null) return;
    const timer = setTimeout(() => latest.current.forgetRemoved(), shownMs);
    return () => clearTimeout(timer);
  }, [removed, latest]);
  return (
    <div className={classNames(styles, 'place')} role="status">
      {removed !== null && (
        <div className={classNames(styles, 'sheet')}>
          <span className={classNames(styles, 'words')}>{text.editor.stepRemoved(removed)}</span>
          <Button icon={<Undo2 aria-hidden="true" />} onPress={moves.takeBack}>
            {text.editor.undo}
          </Button>
          <IconButton label={text.app.close} icon={<X />} onPress={moves.forgetRemoved} />
        </div>
      )}
    </div>
  );
}
