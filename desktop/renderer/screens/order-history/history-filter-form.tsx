import { useState } from 'react';
import { useLocation } from 'wouter';

import { text } from '#desktop/renderer/text/en.ts';
import { auditText } from '#desktop/renderer/text/audit.ts';
import { orderHistoryText } from '#desktop/renderer/text/en/order-history.ts';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { ComboField, type ComboChoice } from '#desktop/renderer/ui/combo-field.tsx';
import { Grid } from '#desktop/renderer/ui/layout.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';
import { entryStatuses } from '#shared/model/work-log.ts';

import { useGuideChoices } from '../work-orders/guide-choices.ts';
import { historyHref, type HistoryFilter } from './history-query.ts';
import styles from './order-history.module.css';

interface FormProps {
  filter: HistoryFilter;
}

interface FieldProps extends FormProps {
  /** Shows the first page of the changed filter. */
  change: (part: HistoryFilter) => void;
}

/** The filters. Each change shows its orders at once, and is kept in the address. */
export function HistoryFilterForm({ filter }: FormProps) {
  const [, navigate] = useLocation();
  const change = (part: HistoryFilter) => navigate(historyHref({ ...filter, ...part }), { replace: true });
  return (
    <Card as="section" pad="roomy">
      <Grid columns="medium">
        <PersonField filter={filter} change={change} />
        <TeamField filter={filter} change={change} />
        <GuideField filter={filter} change={change} />
        <SelectField
          label={orderHistoryText.state}
          choices={[
            { id: anything, name: orderHistoryText.anyState },
            ...entryStatuses.map((id) => ({ id, name: text.workOrders.states[id] })),
          ]}
          value={filter.status ?? anything}
          onChange={(id) => change({ status: entryStatuses.find((one) => one === id) })}
          placeholder={orderHistoryText.anyState}
        />
        <TextField
          kind="date"
          label={orderHistoryText.from}
          value={filter.from ?? ''}
          onChange={(from) => change({ from: from || undefined })}
        />
        <TextField
          kind="date"
          label={orderHistoryText.to}
          value={filter.to ?? ''}
          onChange={(to) => change({ to: to || undefined })}
          error={isBackwards(filter) ? auditText.badDays : undefined}
        />
        <div className={classNames(styles, 'check')}>
          <CheckboxField
            label={orderHistoryText.deviating}
            value={filter.deviating === true}
            onChange={(isOn) => change({ deviating: isOn || undefined })}
          />
        </div>
      </Grid>
    </Card>
  );
}

/** The choice that does not filter. */
const anything = 'any';

function isBackwards({ from = '', to = '' }: HistoryFilter): boolean {
  return from !== '' && to !== '' && to < from;
}

function PersonField({ filter: { userid }, change }: FieldProps) {
  const { people } = useLive('directory');
  const person = people.find((one) => one.userid === userid);
  const name = person?.name ?? (userid === undefined ? '' : String(userid));
  return (
    <ChoiceField
      label={orderHistoryText.person}
      shown={name}
      choices={people.map((one) => ({ id: String(one.userid), name: one.name }))}
      onChoose={(id) => change({ userid: id === null ? undefined : Number(id) })}
      placeholder={orderHistoryText.anybody}
      emptyText={auditText.noPeople}
    />
  );
}

function TeamField({ filter: { teamid }, change }: FieldProps) {
  const { teams } = useLive('planningFor');
  if (teams.length === 0) return null;
  return (
    <SelectField
      label={orderHistoryText.team}
      choices={[
        { id: anything, name: orderHistoryText.anyTeam },
        ...teams.map((team) => ({ id: String(team.teamid), name: team.name })),
      ]}
      value={teamid === undefined ? anything : String(teamid)}
      onChange={(id) => change({ teamid: id === anything ? undefined : Number(id) })}
      placeholder={orderHistoryText.anyTeam}
    />
  );
}

function GuideField({ filter: { guideid }, change }: FieldProps) {
  const title = useLiveSoon('guide', String(guideid ?? ''))?.title;
  const name = guideid === undefined ? '' : (title ?? String(guideid));
  const [words, setWords] = useState('');
  return (
    <ChoiceField
      label={text.workOrders.guide}
      shown={name}
      choices={useGuideChoices(words === name ? '' : words)}
      onInput={setWords}
      onChoose={(id) => change({ guideid: id === null ? undefined : Number(id) })}
      placeholder={orderHistoryText.anyGuide}
      emptyText={text.workOrders.noGuide}
    />
  );
}

interface ChoiceFieldProps {
  label: string;
  /** The name of the present choice; '' if there is none. */
  shown: string;
  choices: readonly ComboChoice[];
  onInput?: (words: string) => void;
  onChoose: (id: string | null) => void;
  placeholder: string;
  emptyText: string;
}

/** Maximum number of suggestions. */
const mostChoices = 50;

/** A field with suggestions that filters once one is chosen. Emptying it removes the filter. */
function ChoiceField({ shown, choices, onInput, onChoose, ...props }: ChoiceFieldProps) {
  const [typed, setTyped] = useState({ shown, input: shown });
  // Another choice, such as none, replaces what was typed.
  const input = typed.shown === shown ? typed.input : shown;
  const words = input.trim().toLowerCase();
  const fitting = choices.filter(({ name }) => input === shown || name.toLowerCase().includes(words));
  return (
    <ComboField
      {...props}
      choices={fitting.slice(0, mostChoices)}
      input={input}
      onInput={(next) => {
        setTyped({ shown, input: next });
        onInput?.(next);
        if (next === '' && shown !== '') onChoose(null);
      }}
      onChoose={(id) => {
        if (id !== null) onChoose(id);
      }}
      openLabel={props.placeholder}
    />
  );
}
