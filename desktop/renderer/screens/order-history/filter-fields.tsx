import { useState } from 'react';

import { auditText } from '#desktop/renderer/text/audit.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { orderHistoryText } from '#desktop/renderer/text/en/order-history.ts';
import { ComboField, type ComboChoice } from '#desktop/renderer/ui/combo-field.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import { useGuideChoices } from '../work-orders/guide-choices.ts';

/** What these fields filter by. */
interface OrderChoice {
  userid?: number | undefined;
  teamid?: number | undefined;
  guideid?: number | undefined;
}

interface FieldProps {
  filter: OrderChoice;
  change: (part: OrderChoice) => void;
}

/** The choice that does not filter. */
export const anything = 'any';

/** A filter by person. */
export function PersonField({ filter: { userid }, change }: FieldProps) {
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

/** A filter by team; none for people who lead no team. */
export function TeamField({ filter: { teamid }, change }: FieldProps) {
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

/** A filter by guide. */
export function GuideField({ filter: { guideid }, change }: FieldProps) {
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
