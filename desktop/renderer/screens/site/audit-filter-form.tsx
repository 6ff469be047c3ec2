import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ComboField, type ComboChoice } from '#desktop/renderer/ui/combo-field.tsx';
import { Grid } from '#desktop/renderer/ui/layout.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { auditHref, type AuditFilter } from './audit-query.ts';
import { actionWords, kindWords } from './audit-words.ts';
import styles from './audit.module.css';

/** As many suggestions as a person reads. */
const mostChoices = 50;

/** Kinds of records that people look for; the log knows more, by their own names. */
const kinds = (
  'guide step form release wiki comment image video document user team approvalProcess approvalRequest quiz course ' +
  'trainingModule archiveImport site appid webhook meta job audit'
).split(' ');

const actionChoices: ComboChoice[] = Object.keys(text.audit.actions)
  .map((id) => ({ id, name: actionWords(id), note: id }))
  .toSorted((a, b) => a.name.localeCompare(b.name));

interface Typed {
  person: string;
  /** Whom the name means: several may have it. */
  chosenPerson: { userid: number; name: string } | undefined;
  action: string;
  /** What the words mean: several calls may have them. */
  chosenAction: string | undefined;
  object: string;
  objectid: string;
  outcome: 'all' | 'done' | 'refused';
  from: string;
  to: string;
}

interface Errors {
  person?: string;
  object?: string;
  to?: string;
}

/** What an administrator looks for. `onShown`: it is asked for. */
export function AuditFilterForm({ filter, onShown }: { filter: AuditFilter; onShown: () => void }) {
  const [, navigate] = useLocation();
  const { people } = useLive('directory');
  const [typed, setTyped] = useState<Typed>(() => ({
    person: people.find(({ userid }) => userid === filter.userid)?.name ?? String(filter.userid ?? ''),
    chosenPerson: people.find(({ userid }) => userid === filter.userid),
    action: filter.action === undefined ? '' : actionWords(filter.action),
    chosenAction: filter.action,
    object: filter.object ?? '',
    objectid: filter.objectid ?? '',
    outcome: filter.outcome ?? 'all',
    from: filter.from ?? '',
    to: filter.to ?? '',
  }));
  const [errors, setErrors] = useState<Errors>({});
  const change = (part: Partial<Typed>) => setTyped((now) => ({ ...now, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const userid = useridOf(typed, people);
    const found = errorsOf(typed, userid);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    navigate(auditHref(filterOf(typed, userid)));
    onShown();
  };
  const knownKinds = kinds.includes(typed.object) || typed.object === '' ? kinds : [typed.object, ...kinds];
  return (
    <Card as="section" pad="roomy">
      <form className={classNames(styles, 'filter')} noValidate onSubmit={submit}>
        <Grid columns="medium">
          <ComboField
            label={text.audit.person}
            hint={text.audit.personHint}
            choices={fitting(
              people.map(({ userid, name }) => ({ id: String(userid), name })),
              typed.person,
            )}
            input={typed.person}
            onInput={(person) => change({ person })}
            onChoose={(id) => {
              const person = people.find(({ userid }) => String(userid) === id);
              if (person !== undefined) change({ person: person.name, chosenPerson: person });
            }}
            allowsOther
            emptyText={text.audit.noPeople}
            openLabel={text.audit.anybody}
            error={errors.person}
          />
          <ComboField
            label={text.audit.action}
            choices={fitting(actionChoices, typed.action)}
            input={typed.action}
            onInput={(action) => change({ action })}
            onChoose={(id) => {
              if (id !== null) change({ action: actionWords(id), chosenAction: id });
            }}
            allowsOther
            emptyText={text.audit.noActions}
            openLabel={text.audit.anyAction}
          />
          <SelectField
            label={text.audit.kind}
            choices={[
              { id: '', name: text.audit.anyKind },
              ...knownKinds.map((id) => ({ id, name: kindWords({ object: id, action: '' }) })),
            ]}
            value={typed.object}
            onChange={(object) => change({ object })}
            placeholder={text.audit.anyKind}
            error={errors.object}
          />
          <TextField
            label={text.audit.recordId}
            value={typed.objectid}
            onChange={(objectid) => change({ objectid })}
          />
          <TextField
            kind="date"
            label={text.audit.fromDay}
            hint={text.audit.daysHint}
            value={typed.from}
            onChange={(from) => change({ from })}
          />
          <TextField
            kind="date"
            label={text.audit.toDay}
            value={typed.to}
            onChange={(to) => change({ to })}
            error={errors.to}
          />
        </Grid>
        <SegmentedField
          look="compact"
          label={text.audit.outcome}
          segments={(['all', 'done', 'refused'] as const).map((id) => ({
            id,
            name: text.audit.outcomes[id],
          }))}
          value={typed.outcome}
          onChange={(id) => change({ outcome: id === 'done' || id === 'refused' ? id : 'all' })}
        />
        <div className={classNames(styles, 'submit')}>
          <Button type="submit" tone="primary">
            {text.audit.show}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function fitting(choices: readonly ComboChoice[], input: string): ComboChoice[] {
  const words = input.trim().toLowerCase();
  return choices
    .filter(({ name, note = '' }) => `${name} ${note}`.toLowerCase().includes(words))
    .slice(0, mostChoices);
}

/** Whom typed text means: who was chosen, an account by its number, or the one person of this name. */
function useridOf(
  { person, chosenPerson }: Typed,
  people: readonly { userid: number; name: string }[],
): number | undefined {
  const words = person.trim();
  if (words === chosenPerson?.name) return chosenPerson.userid;
  if (/^\d{1,15}$/.test(words)) return Number(words);
  const named = people.filter(({ name }) => name.toLowerCase() === words.toLowerCase());
  return named.length === 1 ? named[0]?.userid : undefined;
}

/** Which action typed words mean: the one that was chosen, one that is called so, or itself. */
function actionOf({ action, chosenAction }: Typed): string | undefined {
  const words = action.trim();
  if (words === '') return undefined;
  if (chosenAction !== undefined && words === actionWords(chosenAction)) return chosenAction;
  return actionChoices.find(({ name }) => name.toLowerCase() === words.toLowerCase())?.id ?? words;
}

function errorsOf({ person, object, objectid, from, to }: Typed, userid: number | undefined): Errors {
  return {
    ...(person.trim() !== '' && userid === undefined && { person: text.audit.needPerson }),
    ...(objectid.trim() !== '' && object === '' && { object: text.audit.needKind }),
    ...(from !== '' && to !== '' && to < from && { to: text.audit.badDays }),
  };
}

function filterOf(typed: Typed, userid: number | undefined): AuditFilter {
  return {
    userid,
    action: actionOf(typed),
    object: typed.object || undefined,
    objectid: typed.objectid.trim() || undefined,
    outcome: typed.outcome === 'all' ? undefined : typed.outcome,
    from: typed.from || undefined,
    to: typed.to || undefined,
  };
}
