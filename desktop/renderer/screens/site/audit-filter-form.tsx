import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';

import { auditWords } from '#desktop/renderer/text/audit.ts';
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
import {
  actionChoices,
  filterOf,
  typedOf,
  type FilterErrors,
  type NamedPerson,
  type TypedFilter,
} from './typed-audit-filter.ts';

/** Maximum number of suggestions. */
const mostChoices = 50;

/** Common kinds of records. The log has others, which can be typed. */
const kinds = (
  'guide step form release wiki comment image video document user team approvalProcess approvalRequest quiz course ' +
  'trainingModule archiveImport site appid webhook meta job audit'
).split(' ');

/** The filter form. `onShown`: called when the filter is applied. */
export function AuditFilterForm({ filter, onShown }: { filter: AuditFilter; onShown: () => void }) {
  const [, navigate] = useLocation();
  const { people } = useLive('directory');
  const [typed, setTyped] = useState(() => typedOf(filter, people));
  const [errors, setErrors] = useState<FilterErrors>({});
  const change = (part: Partial<TypedFilter>) => setTyped((now) => ({ ...now, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const meant = filterOf(typed, people);
    if ('errors' in meant) return setErrors(meant.errors);
    navigate(auditHref(meant.filter));
    onShown();
  };
  return (
    <Card as="section" pad="roomy">
      <form className={classNames(styles, 'filter')} noValidate onSubmit={submit}>
        <Grid columns="medium">
          <PersonField typed={typed} people={people} change={change} error={errors.person} />
          <ActionField typed={typed} change={change} />
          <RecordFields typed={typed} change={change} error={errors.object} />
          <DayFields typed={typed} change={change} error={errors.to} />
        </Grid>
        <SegmentedField
          look="compact"
          label={auditWords.outcome}
          segments={(['all', 'done', 'refused'] as const).map((id) => ({
            id,
            name: auditWords.outcomes[id],
          }))}
          value={typed.outcome}
          onChange={(id) => change({ outcome: id === 'done' || id === 'refused' ? id : 'all' })}
        />
        <div className={classNames(styles, 'submit')}>
          <Button type="submit" tone="primary">
            {auditWords.show}
          </Button>
        </div>
      </form>
    </Card>
  );
}

interface PartProps {
  typed: TypedFilter;
  change: (part: Partial<TypedFilter>) => void;
  error?: string | undefined;
}

function PersonField({ typed, people, change, error }: PartProps & { people: readonly NamedPerson[] }) {
  return (
    <ComboField
      label={auditWords.person}
      hint={auditWords.personHint}
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
      emptyText={auditWords.noPeople}
      openLabel={auditWords.anybody}
      error={error}
    />
  );
}

function ActionField({ typed, change }: PartProps) {
  return (
    <ComboField
      label={auditWords.action}
      choices={fitting(actionChoices, typed.action)}
      input={typed.action}
      onInput={(action) => change({ action })}
      onChoose={(id) => {
        if (id !== null) change({ action: actionWords(id), chosenAction: id });
      }}
      allowsOther
      emptyText={auditWords.noActions}
      openLabel={auditWords.anyAction}
    />
  );
}

function RecordFields({ typed, change, error }: PartProps) {
  const known = kinds.includes(typed.object) || typed.object === '' ? kinds : [typed.object, ...kinds];
  return (
    <>
      <SelectField
        label={auditWords.kind}
        choices={[
          { id: '', name: auditWords.anyKind },
          ...known.map((id) => ({ id, name: kindWords({ object: id, action: '' }) })),
        ]}
        value={typed.object}
        onChange={(object) => change({ object })}
        placeholder={auditWords.anyKind}
        error={error}
      />
      <TextField
        label={auditWords.recordId}
        value={typed.objectid}
        onChange={(objectid) => change({ objectid })}
      />
    </>
  );
}

function DayFields({ typed, change, error }: PartProps) {
  return (
    <>
      <TextField
        kind="date"
        label={auditWords.fromDay}
        hint={auditWords.daysHint}
        value={typed.from}
        onChange={(from) => change({ from })}
      />
      <TextField
        kind="date"
        label={auditWords.toDay}
        value={typed.to}
        onChange={(to) => change({ to })}
        error={error}
      />
    </>
  );
}

function fitting(choices: readonly ComboChoice[], input: string): ComboChoice[] {
  const words = input.trim().toLowerCase();
  return choices
    .filter(({ name, note = '' }) => `${name} ${note}`.toLowerCase().includes(words))
    .slice(0, mostChoices);
}
