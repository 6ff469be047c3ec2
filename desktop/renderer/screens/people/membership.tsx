import { LogOut, UserPlus } from 'lucide-react';
import { useState, type FormEvent } from 'react';

import type { TeamProfile } from '#desktop/engine/views/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAct, wordsOf } from '#desktop/renderer/use-act.ts';

import styles from '../pages/pages.module.css';

/** Coming and going: with the code that a member tells, and as one likes. */
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
  const { act } = useAct();
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
  const [error, setError] = useState<string>();
  const submit = async () => {
    try {
      await actions.joinTeam(teamid, code);
      showToast(text.app.savedOnDevice);
      onDone();
    } catch (refusal) {
      setError(wordsOf(refusal));
    }
  };
  return (
    <form
      className={classNames(styles, 'form')}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label={text.people.joinCode}
        hint={text.people.joinCodeHint}
        value={code}
        onChange={setCode}
        autoFocus
        error={error}
      />
      <Button type="submit" tone="primary">
        {text.people.join}
      </Button>
    </form>
  );
}
