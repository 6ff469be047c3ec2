import { UserRoundCheck } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';

import type { Actions } from '#desktop/engine/engine.ts';
import type { PersonProfile } from '#desktop/engine/api/page-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { accountText } from '#desktop/renderer/text/en/account.ts';
import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction, errorMessage } from '#desktop/renderer/use-async-action.ts';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';
import { issueWords } from '#shared/api/issue-words.ts';
import { profileEdit } from '#shared/api/users.ts';

import { SignIns } from '../account/sign-ins.tsx';
import { useProof } from '../account/use-proof.tsx';
import { errorOf } from '../approvals/use-signing.ts';
import { useServerValue } from '../site/use-server-value.ts';
import { StationAccess } from '../stations/station-access.tsx';

/** Account settings for administrators. Only the server has them. */
export function AccountSection({ person }: { person: PersonProfile }) {
  const { userid } = person;
  const { user } = useLive('session');
  if (user === null || !user.privileges.includes('Admin') || user.privileges.includes('Kiosk')) return null;
  return (
    <>
      <Section title={text.people.account}>
        <div>
          <ButtonLink href={`/administration/people/${userid}`}>{text.people.manageAccount}</ButtonLink>
        </div>
        <SignOnId key={userid} userid={userid} />
        {user.userid !== userid && !person.privileges.includes('Admin') && <ActAs person={person} />}
      </Section>
      <Section title={text.people.signIns}>
        <SignIns key={`sign-ins-${userid}`} userid={userid} isOwn={user.userid === userid} />
      </Section>
    </>
  );
}

/** Badges and PIN of a person, for administrators, and for leads of a team of the person. Only the server has them. */
export function StationAccessSection({ person: { userid, privileges } }: { person: PersonProfile }) {
  const { user } = useLive('session');
  const led = useLiveSoon('planningFor')?.people ?? [];
  if (user === null || user.privileges.includes('Kiosk') || privileges.includes('Kiosk')) return null;
  const leads = user.userid !== userid && led.some((one) => one.userid === userid);
  if (!user.privileges.includes('Admin') && !leads) return null;
  return (
    <Section title={stationAdminText.access}>
      <StationAccess key={userid} userid={userid} isOwn={false} />
    </Section>
  );
}

/** Button that starts acting as a person, after a confirmation. */
function ActAs({ person: { userid, name } }: { person: PersonProfile }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [isAsking, setIsAsking] = useState(false);
  const [, navigate] = useLocation();
  return (
    <div>
      <Button icon={<UserRoundCheck aria-hidden="true" />} onPress={() => setIsAsking(true)} isPending={busy}>
        {accountText.act(name)}
      </Button>
      <ConfirmDialog
        title={accountText.actTitle(name)}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        tone="primary"
        confirmLabel={accountText.act(name)}
        cancelLabel={text.app.cancel}
        onConfirm={() =>
          act(async () => {
            await actions.actAs(userid);
            navigate('/');
          })
        }
      >
        {accountText.actBody}
      </ConfirmDialog>
    </div>
  );
}

function SignOnId({ userid }: { userid: number }) {
  const read = useCallback(
    // Empty if there is none, because null means that the server has not answered yet.
    async (actions: Actions) => (await actions.readSsoUserid(userid)) ?? '',
    [userid],
  );
  const from = useServerValue(read);
  if (from.failure !== null)
    return (
      <Notice
        tone="warn"
        title={text.people.accountFailed}
        action={<Button onPress={from.reload}>{text.site.again}</Button>}
      >
        {from.failure}
      </Notice>
    );
  if (from.value === null) return <Loading label={text.site.loading} />;
  return <SignOnIdForm userid={userid} saved={from.value} onSaved={from.set} />;
}

function SignOnIdForm({
  userid,
  saved,
  onSaved,
}: {
  userid: number;
  saved: string;
  onSaved: (id: string) => void;
}) {
  const actions = useActions();
  const proof = useProof();
  const [typed, setTyped] = useState(saved);
  const [error, setError] = useState<string>();
  const id = typed.trim();
  const save = () => {
    const issue = profileEdit.shape.sso_userid.safeParse(id === '' ? null : id, { error: issueWords }).error
      ?.issues[0];
    setError(issue && refusedWords(issue.message, 'invalid'));
    if (issue !== undefined) return;
    proof.ask(
      async (given) => {
        const changed = (await actions.changeSsoUserid(userid, id === '' ? null : id, given)) ?? '';
        setTyped(changed);
        onSaved(changed);
        showToast(text.people.accountSaved);
      },
      (failure) => setError(errorOf(failure, ['sso_userid']) ?? errorMessage(failure)),
    );
  };
  return (
    <Stack>
      <Note>{text.people.accountHint}</Note>
      <TextField
        label={text.people.ssoUserid}
        hint={text.people.ssoUseridHint}
        value={typed}
        onChange={setTyped}
        error={error}
      />
      <div>
        <Button onPress={save} isDisabled={id === saved}>
          {text.people.saveAccount}
        </Button>
      </div>
      {proof.question}
    </Stack>
  );
}
