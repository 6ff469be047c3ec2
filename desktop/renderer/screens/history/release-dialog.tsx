import { useState } from 'react';

import type { RevisionView } from '#desktop/engine/api/guide-history.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { revisionName } from './revision-list.tsx';

const words = text.history;

interface ReleaseDialogProps {
  guideid: string;
  present: RevisionView;
  onClose: () => void;
}

/** Releases the present revision under a name. */
export function ReleaseDialog({ guideid, present, onClose }: ReleaseDialogProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [title, setTitle] = useState('');
  const [notes, setNotes] = useState('');
  const release = () =>
    act(async () => {
      const name = title.trim();
      await actions.releaseGuide(guideid, { type: 'major', notes, ...(name !== '' && { title: name }) });
      showToast(words.releasedNow);
      onClose();
    });
  return (
    <Dialog
      title={words.releaseTitle(revisionName(present))}
      isOpen
      onClose={onClose}
      size="medium"
      closeLabel={text.app.cancel}
      actions={
        <Button tone="primary" onPress={release} isPending={busy}>
          {words.releaseNow}
        </Button>
      }
    >
      <Stack>
        <p>{words.releaseBody}</p>
        <TextField label={words.releaseName} hint={words.releaseNameHint} value={title} onChange={setTitle} />
        <TextField kind="long" label={words.releaseNotes} value={notes} onChange={setNotes} />
      </Stack>
    </Dialog>
  );
}
