import { useState } from 'react';
import { useLocation } from 'wouter';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { teamAdminText } from '#desktop/renderer/text/en/team-admin.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { nobody, PersonChoice } from './person-choice.tsx';

const words = teamAdminText;

/** The dialog in which an administrator creates a team. Its screen opens afterwards. */
export function NewTeam({ onClose }: { onClose: () => void }) {
  const actions = useActions();
  const { once, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [lead, setLead] = useState(nobody);
  const [error, setError] = useState<string>();
  const create = () => {
    const chosen = name.trim();
    setError(chosen === '' ? words.needName : undefined);
    if (chosen === '') return;
    once(async () => {
      const teamid = await actions.createTeam(chosen, lead.userid);
      showToast(words.created(chosen));
      navigate(`/administration/teams/${teamid}`);
    });
  };
  return (
    <Dialog
      title={words.add}
      size="medium"
      isOpen
      onClose={onClose}
      closeLabel={text.app.close}
      actions={
        <>
          <Button onPress={onClose}>{text.app.cancel}</Button>
          <Button tone="primary" onPress={create} isPending={busy}>
            {words.create}
          </Button>
        </>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <Stack>
          <TextField label={words.name} isRequired value={name} onChange={setName} autoFocus error={error} />
          <PersonChoice
            label={words.leadOf}
            hint={words.leadHint}
            without={[]}
            value={lead}
            onChange={setLead}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
