import { useEffect, useRef, useState } from 'react';

import type { AccountEdit, SeenAccess } from '#desktop/engine/api/accounts.ts';
import type { GivenProof } from '#desktop/engine/api/account.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { accountAdminText } from '#desktop/renderer/text/en/account-admin.ts';
import { sameAccess, typedAccess } from '#desktop/renderer/typed-forms.ts';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraft, useFormId } from '#desktop/renderer/use-form-draft.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';
import type { Account } from '#shared/model/account.ts';
import { privileges, type Privilege } from '#shared/model/user.ts';

import { useProof } from '../account/use-proof.tsx';
import { errorOf } from '../approvals/use-signing.ts';
import { rolesOf } from './account-words.ts';
import styles from './administration.module.css';
import { SaveBar } from './area.tsx';
import { useLeaveGuard } from './use-leave-guard.tsx';

const words = accountAdminText;
const chosenRoles = privileges.filter((one) => one !== 'User');

interface RolesAndTeamsProps {
  account: Account;
  /** Nobody else administers the site. */
  isLastAdministrator: boolean;
  onChanged: () => void;
}

/**
 * The roles and teams of a person.
 *
 * - ADMIN-24 Who gives up their own administrator role is asked first. The last administrator reads why they cannot.
 * - ADMIN-16 Roles and teams are saved together, by the save bar. Making an administrator needs a proof of identity.
 */
export function RolesAndTeams({ account, isLastAdministrator, onChanged }: RolesAndTeamsProps) {
  const actions = useActions();
  const proof = useProof();
  const { act, busy } = useAsyncAction();
  const { teams } = useLive('directory');
  const form = useAccessForm(account);
  const guard = useLeaveGuard(form.changes, form.discard);
  const { user } = useLive('session');
  const [isSteppingDown, setIsSteppingDown] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  const isRefused = useRef(false);
  // Says why nothing was saved: the buttons are far below.
  useEffect(() => {
    if (!isRefused.current || !form.isChanged) return;
    isRefused.current = false;
    notice.current?.scrollIntoView({ block: 'center' });
  }, [form.isChanged, account]);
  const { edit } = form;
  const stepsDown =
    user?.userid === account.userid &&
    edit.privileges !== undefined &&
    administers(account.privileges) &&
    !administers(edit.privileges);
  const save = () => {
    const send = async (given?: GivenProof) => {
      await actions.changeAccount(account.userid, edit, {
        seen: { privileges: account.privileges, teams: account.teams },
        ...(given !== undefined && { proof: given }),
      });
      form.discard();
      showToast(words.saved);
      onChanged();
    };
    const refused = (error: unknown) => {
      const isChanged = error instanceof Problem && error.kind === 'conflict';
      showToast(isChanged ? words.notSaved : errorMessage(error), 'danger');
      isRefused.current = isChanged;
      if (isChanged) onChanged();
    };
    act(async () => {
      try {
        await send();
      } catch (error) {
        // The server decides which changes need a proof of identity.
        if (errorOf(error, ['current_password']) === undefined) refused(error);
        else proof.ask(send, refused);
      }
    });
  };
  return (
    <SectionCard title={words.rolesAndTeams}>
      {form.isChanged && (
        <div ref={notice}>
          <Notice tone="warn" title={words.changedTitle}>
            {words.changedBody(
              rolesOf(account),
              teams
                .filter(({ teamid }) => account.teams.includes(teamid))
                .map(({ name }) => name)
                .join(', ') || null,
            )}
          </Notice>
        </div>
      )}
      <Stack gap="m">
        <h3>{words.rolesTitle}</h3>
        <Note>{words.everyone}</Note>
        {isLastAdministrator && <Note>{words.lastAdministrator}</Note>}
        {chosenRoles.map((role) => (
          <Choice
            key={role}
            label={words.roles[role] ?? role}
            note={words.roleHints[role]}
            isOn={form.isOn(role)}
            isDisabled={isLastAdministrator && (role === 'Admin' || role === 'Kiosk')}
            onChange={(on) => form.tick(role, on)}
          />
        ))}
      </Stack>
      <Stack gap="s">
        <h3>{words.columns.teams}</h3>
        {teams.length === 0 && <Note>{words.noTeams}</Note>}
        <div className={classNames(styles, 'checks')}>
          {teams.map(({ teamid, name }) => (
            <Choice
              key={teamid}
              label={name}
              isOn={form.isOn(teamid)}
              onChange={(on) => form.tick(teamid, on)}
            />
          ))}
        </div>
      </Stack>
      <SaveBar
        changes={form.changes}
        onSave={() => (stepsDown ? setIsSteppingDown(true) : save())}
        onDiscard={form.discard}
        isPending={busy}
      />
      <ConfirmDialog
        title={words.stepDownTitle}
        isOpen={isSteppingDown}
        onClose={() => setIsSteppingDown(false)}
        confirmLabel={words.stepDown}
        cancelLabel={text.app.cancel}
        onConfirm={save}
      >
        {words.stepDownBody}
      </ConfirmDialog>
      {guard}
      {proof.question}
    </SectionCard>
  );
}

/**
 * What is given and taken, on top of what the person has now.
 *
 * - ADMIN-17 Ticks that are not saved stay when the account is read again, and when the screen is left and opened again
 *   without the question being answered.
 * - ADMIN-18 If somebody else changed the account meanwhile, a notice says what the person has now. Saving sends the lists in
 *   which something was ticked, and is refused if the account is not as it is shown.
 */
function useAccessForm(account: Account) {
  const form = useFormDraft({
    id: useFormId('access', String(account.userid)),
    schema: typedAccess,
    start: sameAccess,
  });
  const { on, off, seen } = form.text;
  const has = keysOf(account);
  const shown = [...has.filter((key) => !off.includes(key)), ...on.filter((key) => !has.includes(key))];
  const changed = differences(has, shown);
  // Somebody else gave and took the same.
  const isMoot = form.isDirty && changed.length === 0;
  useEffect(() => {
    if (isMoot) form.clear();
  });
  const privilegesOf = (keys: readonly string[]) => chosenRoles.filter((one) => keys.includes(keyOf(one)));
  const teamsOf = (keys: readonly string[]) =>
    keys.flatMap((key) => (key.startsWith('team:') ? [Number(key.slice(5))] : []));
  const edit: AccountEdit = {
    ...(privilegesOf(changed).length > 0 && { privileges: ['User', ...privilegesOf(shown)] }),
    ...(teamsOf(changed).length > 0 && { teams: teamsOf(shown) }),
  };
  return {
    edit,
    changes: changed.length,
    discard: form.clear,
    isChanged: seen !== null && changed.length > 0 && differences(seen, has).length > 0,
    isOn: (item: Privilege | number) => shown.includes(keyOf(item)),
    tick: (item: Privilege | number, isOn: boolean) => {
      const key = keyOf(item);
      const others = (keys: readonly string[]) => keys.filter((one) => one !== key);
      const isChange = has.includes(key) !== isOn;
      form.change({
        on: isChange && isOn ? [...others(on), key] : others(on),
        off: isChange && !isOn ? [...others(off), key] : others(off),
        seen: seen ?? has,
      });
    },
  };
}

/** Whether somebody with these privileges administers the site. Shared accounts never do. */
export function administers(held: readonly string[]): boolean {
  return held.includes('Admin') && !held.includes('Kiosk');
}

/** The roles and teams that a person has. */
function keysOf({ privileges: held, teams }: SeenAccess): string[] {
  return [...chosenRoles.filter((one) => held.includes(one)), ...teams].map(keyOf);
}

function keyOf(item: Privilege | number): string {
  return typeof item === 'number' ? `team:${item}` : `role:${item}`;
}

/** What only one of the lists has. */
function differences(one: readonly string[], other: readonly string[]): string[] {
  return [...one.filter((key) => !other.includes(key)), ...other.filter((key) => !one.includes(key))];
}

interface ChoiceProps {
  label: string;
  note?: string | undefined;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (on: boolean) => void;
}

function Choice({ label, note, isOn, isDisabled = false, onChange }: ChoiceProps) {
  return (
    <Stack gap="xs">
      <CheckboxField label={label} value={isOn} onChange={onChange} isDisabled={isDisabled} />
      {note !== undefined && <Note>{note}</Note>}
    </Stack>
  );
}
