import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';

import type { StationPersonView, StationView } from '#desktop/engine/api/station-records.ts';
import { stationText } from '#desktop/renderer/text/en/stations.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';

import { Avatar, firstLetter } from './avatar.tsx';
import styles from './people-tiles.module.css';

/** Most people that are shown without letters and a search. */
const few = 12;

/** The people of the station; a press chooses one, who enters their PIN next. */
export function PeopleTiles({
  station,
  onChoose,
}: {
  station: StationView;
  onChoose: (person: StationPersonView) => void;
}) {
  const [letter, setLetter] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const last = station.lock?.why === 'idle' || station.lock?.why === 'locked' ? station.lock.userid : null;
  const many = station.people.length > few;
  const shown = ordered(station.people, last).filter(
    ({ username }) =>
      (letter === null || letterOf(username) === letter) &&
      username.toLowerCase().includes(typed.trim().toLowerCase()),
  );
  return (
    <section className={classNames(styles, 'people')} aria-label={stationText.lock.people}>
      {many && (
        <Finder
          people={station.people}
          letter={letter}
          onLetter={setLetter}
          typed={typed}
          onTyped={setTyped}
        />
      )}
      <ul className={classNames(styles, 'tiles')}>
        {shown.map((person) => (
          <li key={person.userid}>
            <AriaButton
              className={classNames(styles, 'tile', person.userid === last && 'last')}
              isDisabled={!person.hasPin}
              onPress={() => onChoose(person)}
            >
              <Avatar name={person.username} imageGuid={person.imageGuid} />
              <span className={classNames(styles, 'words')}>
                <span className={classNames(styles, 'name')}>{person.username}</span>
                <Hint person={person} isLast={person.userid === last} />
              </span>
            </AriaButton>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <Note>{stationText.lock.noneFound}</Note>}
    </section>
  );
}

function Hint({ person, isLast }: { person: StationPersonView; isLast: boolean }) {
  const { lock } = stationText;
  const words = person.hasPin ? (isLast ? lock.again : null) : person.hasBadge ? lock.badgeOnly : lock.noWay;
  return words === null ? null : <span className={classNames(styles, 'hint')}>{words}</span>;
}

function Finder({
  people,
  letter,
  onLetter,
  typed,
  onTyped,
}: {
  people: readonly StationPersonView[];
  letter: string | null;
  onLetter: (letter: string | null) => void;
  typed: string;
  onTyped: (text: string) => void;
}) {
  const letters = [...new Set(people.map(({ username }) => letterOf(username)))].toSorted((a, b) =>
    a.localeCompare(b),
  );
  return (
    <div className={classNames(styles, 'finder')}>
      <TextField label={stationText.lock.find} value={typed} onChange={onTyped} />
      <div className={classNames(styles, 'letters')} role="group" aria-label={stationText.lock.letters}>
        {[null, ...letters].map((one) => (
          <AriaButton
            key={one ?? ''}
            className={classNames(styles, 'letter', one === letter && 'chosen')}
            aria-pressed={one === letter}
            onPress={() => onLetter(one)}
          >
            {one ?? stationText.lock.everybody}
          </AriaButton>
        ))}
      </div>
    </div>
  );
}

function letterOf(name: string): string {
  return firstLetter(name.trim().normalize('NFD'));
}

/** The one who was here last comes first. */
function ordered(people: readonly StationPersonView[], last: number | null): readonly StationPersonView[] {
  return [
    ...people.filter(({ userid }) => userid === last),
    ...people.filter(({ userid }) => userid !== last),
  ];
}
