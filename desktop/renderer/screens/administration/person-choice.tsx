import type { Dispatch, SetStateAction } from 'react';

import { teamAdminText } from '#desktop/renderer/text/en/team-admin.ts';
import { ComboField } from '#desktop/renderer/ui/combo-field.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

/** What is typed, and whom it names. */
export interface ChosenPerson {
  typed: string;
  userid: number | null;
}

/** Nobody is chosen yet. */
export const nobody: ChosenPerson = { typed: '', userid: null };

interface PersonChoiceProps {
  label: string;
  hint?: string;
  /** The numbers of people who are not offered. */
  without: readonly number[];
  value: ChosenPerson;
  onChange: Dispatch<SetStateAction<ChosenPerson>>;
}

/** Maximum number of suggestions. */
const mostChoices = 50;

/** A person, found by typing a part of the name. */
export function PersonChoice({ label, hint, without, value, onChange }: PersonChoiceProps) {
  const { people } = useLive('directory');
  const wanted = value.typed.trim().toLowerCase();
  const nameOf = (id: number | string | null) =>
    people.find(({ userid }) => String(userid) === String(id))?.name;
  return (
    <ComboField
      label={label}
      hint={hint}
      choices={people
        .filter(({ userid, name }) => !without.includes(userid) && name.toLowerCase().includes(wanted))
        .slice(0, mostChoices)
        .map(({ userid, name }) => ({ id: String(userid), name }))}
      input={value.typed}
      // The text of the chosen person comes as typed text too, before or after the choice.
      onInput={(typed) =>
        onChange((now) => ({ typed, userid: nameOf(now.userid) === typed ? now.userid : null }))
      }
      onChoose={(id) => {
        if (id !== null) onChange({ typed: nameOf(id) ?? '', userid: Number(id) });
      }}
      emptyText={teamAdminText.nobodyFound}
      placeholder={teamAdminText.choosePerson}
      openLabel={teamAdminText.showPeople}
    />
  );
}
