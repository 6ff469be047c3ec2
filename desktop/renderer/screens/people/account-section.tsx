import { useCallback, useState } from 'react';

import type { Actions } from '#desktop/engine/api.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';
import { profileEdit } from '#shared/api/users.ts';

import { useServerValue } from '../site/use-server-value.ts';

/** What administrators decide about the account of a person. It is on the server alone. */
export function AccountSection({ userid }: { userid: number }) {
  const { user } = useLive('session');
  if (user === null || !user.privileges.includes('Admin') || user.privileges.includes('Kiosk')) return null;
  return (
    <Section title={text.people.account}>
      <SignOnId key={userid} userid={userid} />
    </Section>
  );
}

function SignOnId({ userid }: { userid: number }) {
  const read = useCallback(
    // An empty text stands for none, since null means that the server has not answered yet.
    async (actions: Actions) => (await actions.readSsoUserid(userid)) ?? '',
    [userid],
  );
  const from = useServerValue(read);
  if (from.failure !== null)
    return (
      <Notice
        tone="warn"
        title={text.people.accountFailed}
        action={<Button onPress={from.again}>{text.site.again}</Button>}
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
  const { act, busy } = useAct();
  const [typed, setTyped] = useState(saved);
  const [error, setError] = useState<string>();
  const id = typed.trim();
  const save = () => {
    const issue = profileEdit.shape.sso_userid.safeParse(id === '' ? null : id).error?.issues[0];
    setError(issue?.message);
    if (issue !== undefined) return;
    act(async () => {
      try {
        const changed = (await actions.changeSsoUserid(userid, id === '' ? null : id)) ?? '';
        setTyped(changed);
        onSaved(changed);
        showToast(text.people.accountSaved);
      } catch (failure) {
        const words = failure instanceof Problem ? failure.details.errors?.[0]?.message : undefined;
        if (words === undefined) throw failure;
        setError(words);
      }
    });
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
        <Button onPress={save} isPending={busy} isDisabled={id === saved}>
          {text.people.saveAccount}
        </Button>
      </div>
    </Stack>
  );
}
