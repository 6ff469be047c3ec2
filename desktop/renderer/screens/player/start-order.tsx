import { Timer as TimerIcon } from 'lucide-react';
import { useState, type FormEvent } from 'react';

import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { revisionWords } from '../work-orders/revision-words.ts';

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
        <StartForm guide={guide} onStarted={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

function StartForm({ guide, onStarted }: { guide: PlayableGuide; onStarted: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [number, setNumber] = useState('');
  const [error, setError] = useState<string>();
  const approval = useLiveSoon('guideApproval', guide.guideid) ?? null;
  // A release was approved under its name.
  const isUnapproved = approval !== null && approval.state !== 'approved' && guide.release === null;
  const start = (event: FormEvent) => {
    event.preventDefault();
    if (number.trim() === '') return setError(text.player.needNumber);
    act(async () => {
      const seen = guide.release === null || guide.revision === null ? [] : ([guide.revision] as const);
      await actions.startWorkOrder(guide.guideid, number.trim(), ...seen);
      onStarted();
    });
  };
  return (
    <form onSubmit={start} noValidate>
      <Stack>
        <p>{text.player.startHint(guide.title)}</p>
        {guide.revision !== null && <p>{revisionWords(guide.revision)}</p>}
        {isUnapproved && (
          <Notice tone="warn" title={text.player.startUnapproved}>
            {text.player.startUnapprovedHint}
          </Notice>
        )}
        <TextField
          label={text.player.orderNumber}
          hint={text.workOrders.numberHint}
          value={number}
          onChange={setNumber}
          error={error}
          autoFocus
        />
        <Button type="submit" tone="primary" size="large" wide isPending={busy}>
          {text.player.startNow}
        </Button>
      </Stack>
    </form>
  );
}
