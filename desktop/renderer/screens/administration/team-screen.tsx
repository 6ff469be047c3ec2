import { ChevronLeft, UserRound, UsersRound } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';

import type { AdministeredTeam } from '#desktop/engine/api/teams.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { teamAdminText } from '#desktop/renderer/text/en/team-admin.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { Problem } from '#shared/api/problem.ts';

import { AdminPage } from '../site/admin-page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import styles from './administration.module.css';
import { SaveBar } from './area.tsx';
import { useLeadNames } from './lead-names.ts';
import { nobody, PersonChoice } from './person-choice.tsx';
import { useLeaveGuard } from './use-leave-guard.tsx';

const words = teamAdminText;

/** A team: its name, lead and members, and its end. */
export function TeamScreen({ teamid }: { teamid: number }) {
  const read = useCallback(async (actions: Actions) => ({ found: await actions.readTeam(teamid) }), [teamid]);
  const from = useServerValue(read);
  const leadOf = useLeadNames();
  const found = from.value?.found ?? null;
  return (
    <AdminPage
      title={found?.team.name ?? words.title}
      lead={found === null ? '' : `${words.members(found.members.length)} · ${leadOf(found.team)}`}
      over={
        <div className={classNames(styles, 'over')}>
          <ButtonLink tone="quiet" href="/administration/teams" icon={<ChevronLeft aria-hidden="true" />}>
            {words.back}
          </ButtonLink>
        </div>
      }
      actions={
        found !== null && (
          <ButtonLink icon={<UsersRound aria-hidden="true" />} href={`/teams/${teamid}`}>
            {words.page}
          </ButtonLink>
        )
      }
      from={from}
      failedTitle={words.failed}
    >
      {({ found: team }) =>
        team === null ? (
          <EmptyState icon={<UsersRound />} title={words.gone}>
            {words.goneHint}
          </EmptyState>
        ) : (
          <div className={classNames(styles, 'narrow')}>
            <NameAndLead {...team} onChanged={from.reload} />
            <Members {...team} onChanged={from.reload} />
            <Deletion {...team} />
          </div>
        )
      }
    </AdminPage>
  );
}

interface PartProps extends AdministeredTeam {
  onChanged: () => void;
}

function NameAndLead({ team, members, onChanged }: PartProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [typed, setTyped] = useState<{ name?: string; owner?: number }>({});
  const [isRefused, setIsRefused] = useState(false);
  const { name, owner } = { ...team, ...typed };
  const changed = {
    ...(name.trim() !== team.name && { name: name.trim() }),
    ...(owner !== null && owner !== team.owner && { owner }),
  };
  const changes = Object.keys(changed).length;
  const leadOf = useLeadNames();
  const guard = useLeaveGuard(changes);
  const save = () => {
    if (name.trim() === '') return;
    act(async () => {
      try {
        await actions.changeTeam(team.teamid, changed, { name: team.name, owner: team.owner });
      } catch (error) {
        if (!(error instanceof Problem && error.kind === 'conflict')) throw error;
        // What is typed stays, beside what the team is now.
        setIsRefused(true);
        showToast(words.notSaved, 'danger');
        onChanged();
        return;
      }
      setTyped({});
      setIsRefused(false);
      showToast(words.saved);
      onChanged();
    });
  };
  return (
    <SectionCard title={words.nameAndLead}>
      {isRefused && changes > 0 && (
        <Notice tone="warn" title={words.changedTitle}>
          {words.changedBody(team.name, leadOf(team))}
        </Notice>
      )}
      <TextField
        label={words.name}
        isRequired
        value={name}
        onChange={(value) => setTyped((now) => ({ ...now, name: value }))}
        error={name.trim() === '' ? words.needName : undefined}
      />
      {members.length === 0 ? (
        <Note>{words.needMember}</Note>
      ) : (
        <SelectField
          label={words.leadOf}
          placeholder={words.nobodyYet}
          choices={members.map(({ userid, username }) => ({ id: String(userid), name: username }))}
          value={owner === null ? null : String(owner)}
          onChange={(id) => setTyped((now) => ({ ...now, owner: Number(id) }))}
        />
      )}
      <SaveBar changes={changes} onSave={save} onDiscard={() => setTyped({})} isPending={busy} />
      {guard}
    </SectionCard>
  );
}

function Members({ team, members, onChanged }: PartProps) {
  const actions = useActions();
  const { act, once, busy } = useAsyncAction();
  const [chosen, setChosen] = useState(nobody);
  const [leaving, setLeaving] = useState<(typeof members)[number] | null>(null);
  const add = () => {
    const { userid, typed } = chosen;
    if (userid === null) return;
    once(async () => {
      await actions.addTeamMember(team.teamid, userid);
      setChosen(nobody);
      showToast(words.added(typed));
      onChanged();
    });
  };
  const remove = ({ userid, username }: (typeof members)[number]) =>
    act(async () => {
      await actions.removeTeamMember(team.teamid, userid);
      showToast(words.removed(username));
      onChanged();
    });
  return (
    <SectionCard title={words.membersTitle}>
      {members.length === 0 && <Note>{words.noMembers}</Note>}
      <RowList>
        {members.map((member) => (
          <ListRow
            key={member.userid}
            icon={<UserRound />}
            menu={
              <Button
                onPress={() => setLeaving(member)}
                isDisabled={busy}
                label={words.removeNamed(member.username)}
              >
                {words.remove}
              </Button>
            }
          >
            <RowTitle href={`/administration/people/${member.userid}`}>{member.username}</RowTitle>
            {member.userid === team.owner && <Note>{words.isLead}</Note>}
          </ListRow>
        ))}
      </RowList>
      <Row align="end">
        <PersonChoice
          label={words.addMember}
          without={members.map(({ userid }) => userid)}
          value={chosen}
          onChange={setChosen}
        />
        <Button onPress={add} isDisabled={chosen.userid === null} isPending={busy}>
          {words.addIt}
        </Button>
      </Row>
      <ConfirmDialog
        title={leaving === null ? '' : words.removeTitle(leaving.username, team.name)}
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        confirmLabel={words.remove}
        cancelLabel={text.app.cancel}
        onConfirm={() => {
          if (leaving !== null) remove(leaving);
        }}
      >
        <Stack>
          <p>{words.removeBody}</p>
          {members.length > 1 && leaving?.userid === team.owner && <p>{words.removeLead}</p>}
          {members.length === 1 && <p>{words.removeLast}</p>}
        </Stack>
      </ConfirmDialog>
    </SectionCard>
  );
}

function Deletion({ team, members }: AdministeredTeam) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [, navigate] = useLocation();
  const [isAsking, setIsAsking] = useState(false);
  const [hasOrders, setHasOrders] = useState(false);
  const remove = () =>
    act(async () => {
      setHasOrders(false);
      try {
        await actions.removeTeam(team.teamid);
      } catch (error) {
        if (error instanceof Problem && error.code === 'team-has-planned-orders') setHasOrders(true);
        else showToast(errorMessage(error), 'danger');
        return;
      }
      showToast(words.deleted(team.name));
      navigate('/administration/teams');
    });
  return (
    <SectionCard title={words.delete}>
      <p>{words.deleteLead}</p>
      {hasOrders && (
        <Notice
          tone="danger"
          title={words.hasOrders}
          action={<ButtonLink href="/planned">{words.showOrders}</ButtonLink>}
        >
          {words.hasOrdersHint}
        </Notice>
      )}
      <div>
        <Button tone="danger" isPending={busy} onPress={() => setIsAsking(true)}>
          {words.delete}
        </Button>
      </div>
      <ConfirmDialog
        title={words.deleteTitle(team.name)}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirmLabel={words.delete}
        cancelLabel={text.app.cancel}
        onConfirm={remove}
      >
        {words.deleteBody(members.length)}
      </ConfirmDialog>
    </SectionCard>
  );
}
