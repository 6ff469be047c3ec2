import { Timer as TimerIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';

import styles from './player-bar.module.css';

const StartForm = lazy(async () => ({ default: (await import('./start-form.tsx')).StartForm }));

/** Starts a work order on this guide, by its number. */
export function StartOrder({ guide }: { guide: PlayableGuide }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="large" icon={<TimerIcon aria-hidden="true" />} onPress={() => setIsOpen(true)}>
        <span className={classNames(styles, 'long')}>{text.player.start}</span>
        <span className={classNames(styles, 'brief')}>{text.player.startNow}</span>
      </Button>
      <Dialog
        title={text.player.startTitle}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        closeLabel={text.app.close}
      >
        <Suspense fallback={null}>
          <StartForm guide={guide} onStarted={() => setIsOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}
