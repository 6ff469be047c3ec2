import { LogOut, UserPlus } from 'lucide-react';
import { useState } from 'react';

import type { TeamProfile } from '#desktop/engine/api/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';

import { SendForm } from '../shell/send-form.tsx';

/** Joining a team with its code, and leaving it. */
export function Membership({ team }: { team: TeamProfile }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  if (team.canLeave)
    return (
      <>
        <Button icon={<LogOut aria-hidden="true" />} onPress={() => setIsOpen(true)}>
          {text.people.leave}
        </Button>
        <Leaving team={team} isOpen={isOpen} onClose={close} />
      </>
    );
  if (!team.canJoin) return null;
  return (
    <>
      <Button icon={<UserPlus aria-hidden="true" />} onPress={() => setIsOpen(true)}>
        {text.people.join}
      </Button>
      <Dialog
        title={text.people.joinTitle(team.name)}
        isOpen={isOpen}
        onClose={close}
        closeLabel={text.app.close}
      >
        <JoinForm teamid={team.teamid} onDone={close} />
      </Dialog>
    </>
  );
}

function Leaving({ team, isOpen, onClose }: { team: TeamProfile; isOpen: boolean; onClose: () => void }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  return (
    <ConfirmDialog
      title={text.people.leaveTitle(team.name)}
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel={text.people.leave}
      cancelLabel={text.app.cancel}
      onConfirm={() =>
        act(async () => {
          await actions.leaveTeam(team.teamid);
          showToast(text.app.savedOnDevice);
        })
      }
    >
      {team.members.length > 1 ? text.people.leaveBody : text.people.leaveLast}
    </ConfirmDialog>
  );
}

function JoinForm({ teamid, onDone }: { teamid: number; onDone: () => void }) {
  const actions = useActions();
  const [code, setCode] = useState('');
  const send = async () => {
    await actions.joinTeam(teamid, code);
    showToast(text.app.savedOnDevice);
    onDone();
  };
  return (
    <SendForm send={send} submitLabel={text.people.join}>
      {(refusal) => (
        <TextField
          label={text.people.joinCode}
          hint={text.people.joinCodeHint}
          value={code}
          onChange={setCode}
          autoFocus
          error={refusal}
        />
      )}
    </SendForm>
  );
}
