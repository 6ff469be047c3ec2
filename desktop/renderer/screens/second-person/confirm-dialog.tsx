import { useEffect, useRef, useState } from 'react';

import type { FormFieldView, WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { typedPerson } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraft, useFormId } from '#desktop/renderer/use-form-draft.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';

import { errorOf } from '../approvals/use-signing.ts';
import { StepValues } from './step-values.tsx';

interface ConfirmDialogProps {
  field: FormFieldView;
  order: WorkOrder;
  /** Who is chosen at first; '': nobody. */
  name: string;
  onClose: () => void;
}

/**
 * A second person confirms a step on this device: they choose their name and enter their password. Without a connection, or
 * without the password, only the name is recorded.
 */
export function ConfirmDialog({ field, order, name, onClose }: ConfirmDialogProps) {
  const { second_person, second_person_teams, stepid } = field;
  const people = useLive('secondPersons', order.entryid, { stepid, second_person, second_person_teams });
  const isOffline = useLive('syncState').connection === 'offline';
  const first = people.find((one) => one.name === name) ?? null;
  const confirming = useConfirming({ field, order, first, onClose });
  const { chosen, errors } = confirming;
  const shown = people.filter((one) =>
    one.name.toLowerCase().includes(confirming.words.trim().toLowerCase()),
  );
  const choices = (chosen === null ? shown : people).map(({ userid, name: words, unique }) => ({
    id: String(userid),
    name: words,
    ...(unique === null ? {} : { note: unique }),
  }));
  const isWaiting = !isOffline && order.pending > 0;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (errors.password !== undefined)
      form.current?.querySelector<HTMLElement>('input[type="password"]')?.focus();
  }, [errors.password]);
  return (
    <Dialog
      title={text.secondPerson.title(field.label)}
      size="medium"
      isOpen
      onClose={onClose}
      closeLabel={text.app.cancel}
      actions={
        <>
          <Button
            tone={isOffline ? 'primary' : 'plain'}
            onPress={confirming.name}
            isDisabled={confirming.busy}
          >
            {text.secondPerson.nameOnly}
          </Button>
          {!isOffline && (
            <Button
              tone="primary"
              onPress={confirming.confirm}
              isPending={confirming.busy}
              isDisabled={isWaiting}
            >
              {text.secondPerson.confirm}
            </Button>
          )}
        </>
      }
    >
      <form
        ref={form}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOffline && !isWaiting) confirming.confirm();
        }}
      >
        <Stack>
          {isOffline && (
            <Notice tone="info" title={text.secondPerson.offline}>
              {text.secondPerson.offlineHint}
            </Notice>
          )}
          <p>{text.secondPerson.lead}</p>
          <StepValues order={order} stepid={stepid} />
          <ComboField
            label={text.secondPerson.who}
            hint={text.secondPerson.whoHint}
            choices={choices}
            input={confirming.words}
            onInput={confirming.type}
            onChoose={(id) => confirming.choose(people.find(({ userid }) => String(userid) === id) ?? null)}
            placeholder={text.secondPerson.whoPlaceholder}
            emptyText={text.secondPerson.none}
            openLabel={text.secondPerson.open}
            error={errors.person}
            isRequired
          />
          {!isOffline && (
            <TextField
              kind="password"
              label={text.secondPerson.password(chosen?.name ?? '')}
              hint={isWaiting ? text.secondPerson.waiting : text.secondPerson.passwordHint}
              value={confirming.password}
              onChange={confirming.setPassword}
              autoComplete="new-password"
              error={errors.password}
            />
          )}
          <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
        </Stack>
      </form>
    </Dialog>
  );
}

interface Person {
  userid: number;
  name: string;
}

/** State of the dialog. The password is never stored, and cleared by each refusal. */
function useConfirming({
  field,
  order,
  first,
  onClose,
}: Omit<ConfirmDialogProps, 'name'> & { first: Person | null }) {
  const actions = useActions();
  const { once, busy } = useAsyncAction();
  const typed = useFormDraft({
    id: useFormId('second-person', order.entryid, field.field_guid),
    schema: typedPerson,
    start: { userid: first?.userid ?? null, words: first?.name ?? '' },
  });
  const { userid: chosenId, words } = typed.text;
  const chosen = chosenId === null ? null : { userid: chosenId, name: words };
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ person?: string; password?: string }>({});
  const finish = (toast: string) => {
    typed.forget();
    showToast(toast);
    onClose();
  };
  return {
    chosen,
    words,
    password,
    errors,
    busy,
    setPassword,
    type: (next: string) => {
      typed.replace({ userid: next === chosen?.name ? chosen.userid : null, words: next });
    },
    choose: (person: Person | null) => {
      if (person === null) return;
      typed.replace({ userid: person.userid, words: person.name });
    },
    name: () => {
      if (chosen === null) return setErrors({ person: text.secondPerson.needPerson });
      const { userid, name } = chosen;
      once(async () => {
        await actions.recordValue(order.entryid, field, name, { second_person: userid });
        finish(text.secondPerson.named(name));
      });
    },
    confirm: () => {
      if (chosen === null) return setErrors({ person: text.secondPerson.needPerson });
      if (password === '') return setErrors({ password: text.secondPerson.needPassword });
      setErrors({});
      const { userid, name } = chosen;
      once(async () => {
        try {
          await actions.confirmAsColleague(order.entryid, field, userid, password);
        } catch (error) {
          setPassword('');
          const wrong = errorOf(error, ['password']);
          if (wrong !== undefined) return setErrors({ password: wrong });
          if (error instanceof Problem && error.kind === 'conflict')
            return setErrors({ password: text.secondPerson.changed });
          throw error;
        }
        finish(text.secondPerson.confirmed(name));
      });
    },
  };
}
