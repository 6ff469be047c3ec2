import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { accountAdminText } from '#desktop/renderer/text/en/account-admin.ts';
import { FormDialog } from '#desktop/renderer/ui/form-dialog.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';

import { useProof } from '../account/use-proof.tsx';
import { errorOf } from '../approvals/use-signing.ts';
import type { MadeCode } from './code-sheet.tsx';

const words = accountAdminText;

interface NewAccountProps {
  onClose: () => void;
  /** `code`: null if the invitation went by mail. */
  onMade: (code: MadeCode | null) => void;
}

/** The dialog in which an administrator creates an account and invites its owner. */
export function NewAccount({ onClose, onMade }: NewAccountProps) {
  const actions = useActions();
  const proof = useProof();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [by, setBy] = useState<'mail' | 'code'>('mail');
  const [errors, setErrors] = useState<{ name?: string; email?: string }>({});
  /** The account, if it was created and only the invitation was refused. */
  const [userid, setUserid] = useState<number | null>(null);
  const create = () => {
    const found = {
      ...(name.trim() === '' && { name: words.needName }),
      ...(/^\S+@\S+$/.test(email.trim()) ? {} : { email: words.needEmail }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    proof.ask(
      async (given) => {
        const person = { username: name.trim(), email: email.trim() };
        const made = userid ?? (await actions.createAccount(person, given));
        setUserid(made);
        const { code, until_date, failure } = await actions.inviteAccount(made, by, given);
        if (failure !== undefined) showToast(words.mailRefused, 'danger');
        else showToast(code === null ? words.mailed : words.created(person.username));
        onMade(code === null ? null : { name: person.username, code, until: until_date });
      },
      (error) => {
        const wrong = errorOf(error, ['email']);
        if (wrong === undefined) showToast(errorMessage(error), 'danger');
        else setErrors({ email: wrong });
      },
    );
  };
  return (
    <>
      <FormDialog
        title={words.add}
        size="medium"
        onClose={onClose}
        cancelLabel={text.app.cancel}
        submitLabel={words.create}
        onSubmit={create}
      >
        <TextField
          label={words.name}
          isRequired
          value={name}
          onChange={setName}
          autoFocus
          isDisabled={userid !== null}
          error={errors.name}
        />
        <TextField
          label={words.email}
          hint={words.emailHint}
          kind="email"
          isRequired
          value={email}
          onChange={setEmail}
          isDisabled={userid !== null}
          error={errors.email}
        />
        <SegmentedField
          look="compact"
          label={words.how}
          segments={[
            { id: 'mail', name: words.by.mail },
            { id: 'code', name: words.by.code },
          ]}
          value={by}
          onChange={(id) => setBy(id === 'code' ? 'code' : 'mail')}
        />
        <Note>{by === 'mail' ? words.byMailHint : words.byCodeHint}</Note>
      </FormDialog>
      {proof.question}
    </>
  );
}
