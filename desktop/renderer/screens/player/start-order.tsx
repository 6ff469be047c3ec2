import { Timer as TimerIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';

const StartForm = lazy(async () => ({ default: (await import('./start-form.tsx')).StartForm }));

/** Starts a work order on this guide, by its number. */
export function StartOrder({ guide }: { guide: PlayableGuide }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="large" icon={<TimerIcon aria-hidden="true" />} onPress={() => setIsOpen(true)}>
        {text.player.start}
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
