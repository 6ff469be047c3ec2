import { useState } from 'react';
import { useLocation } from 'wouter';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { teamAdminText } from '#desktop/renderer/text/en/team-admin.ts';
import { FormDialog } from '#desktop/renderer/ui/form-dialog.tsx';
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
    <FormDialog
      title={words.add}
      size="medium"
      onClose={onClose}
      cancelLabel={text.app.cancel}
      submitLabel={words.create}
      onSubmit={create}
      isPending={busy}
    >
      <TextField label={words.name} isRequired value={name} onChange={setName} autoFocus error={error} />
      <PersonChoice label={words.leadOf} hint={words.leadHint} without={[]} value={lead} onChange={setLead} />
    </FormDialog>
  );
}
