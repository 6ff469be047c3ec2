import { Play } from 'lucide-react';
import { useState } from 'react';

import type { TrainingPlayer } from '#shared/model/training.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { courseText, moduleText } from '#desktop/renderer/text/en/courses.ts';
import { Button, type ButtonTone } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

interface PlayerLinkProps {
  words: string;
  tone?: ButtonTone;
  ask: () => Promise<TrainingPlayer>;
}

/**
 * Opens a module in a window of its own, on the origin of the player. The window opens immediately, because browsers
 * allow popups only in response to a press, and gets its address when the server has answered.
 */
export function OpenPlayer({ words, tone = 'plain', ask }: PlayerLinkProps) {
  const { act, busy } = useAsyncAction();
  const { connection } = useLive('syncState');
  const [blocked, setBlocked] = useState<string | null>(null);
  const isOffline = connection === 'offline';
  const open = () => {
    const target = window.open('about:blank', '_blank');
    act(async () => {
      try {
        const { url } = await ask();
        if (target === null) setBlocked(url);
        else {
          target.opener = null;
          target.location.href = url;
        }
      } catch (error) {
        target?.close();
        throw error;
      }
    });
  };
  return (
    <>
      <Button
        tone={tone}
        icon={<Play aria-hidden="true" />}
        onPress={open}
        isPending={busy}
        isDisabled={isOffline}
      >
        {isOffline ? courseText.onlineOnly : words}
      </Button>
      <Dialog
        title={moduleText.openHere}
        isOpen={blocked !== null}
        onClose={() => setBlocked(null)}
        closeLabel={text.app.close}
      >
        <p>{moduleText.blocked}</p>
        <p>
          <a href={blocked ?? ''} target="_blank" rel="noopener noreferrer">
            {moduleText.openHere}
          </a>
        </p>
      </Dialog>
    </>
  );
}

/** Plays the current version of a module, for a stage of a course. */
export function PlayModule({ moduleid, tone }: { moduleid: number; tone: ButtonTone }) {
  const actions = useActions();
  return (
    <OpenPlayer
      words={courseText.open.external_training_module}
      tone={tone}
      ask={() => actions.playModule(moduleid)}
    />
  );
}
