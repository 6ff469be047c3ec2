import { UserRound } from 'lucide-react';
import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Card, SectionCard } from '#desktop/renderer/ui/card.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { StationDetail } from '#shared/model/station.ts';

interface PeopleProps {
  station: StationDetail;
  onChanged: (station: StationDetail) => void;
}

/** Who may sign in at the station. */
export function StationPeople({ station, onChanged }: PeopleProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const { people } = useLive('directory');
  const [chosen, setChosen] = useState<string | null>(null);
  const known = new Set(station.people.map(({ userid }) => userid));
  const choices = people
    .filter(({ userid }) => !known.has(userid) && userid !== station.stationid)
    .map(({ userid, name }) => ({ id: String(userid), name }));
  const add = () =>
    act(async () => {
      onChanged(await actions.addStationPerson(station.stationid, Number(chosen)));
      setChosen(null);
    });
  const remove = (userid: number) =>
    act(async () => onChanged(await actions.removeStationPerson(station.stationid, userid)));
  return (
    <SectionCard title={stationAdminText.people}>
      <Note>{station.people.length === 0 ? stationAdminText.noPeople : stationAdminText.peopleHint}</Note>
      <RowList>
        {station.people.map((person) => (
          <ListRow
            key={person.userid}
            icon={<UserRound />}
            menu={
              person.by_name && (
                <Button
                  onPress={() => remove(person.userid)}
                  isDisabled={busy}
                  label={stationAdminText.removeNamed(person.username)}
                >
                  {stationAdminText.remove}
                </Button>
              )
            }
          >
            <RowTitle href={`/people/${person.userid}`}>{person.username}</RowTitle>
            <Note>
              {[
                person.by_name ? stationAdminText.by.name : stationAdminText.by.team,
                person.has_pin ? stationAdminText.pin : stationAdminText.noPin,
                stationAdminText.badges(person.badges),
              ].join(' · ')}
            </Note>
          </ListRow>
        ))}
      </RowList>
      <Row align="end">
        <SelectField
          label={stationAdminText.addPerson}
          placeholder={stationAdminText.choosePerson}
          choices={choices}
          value={chosen}
          onChange={setChosen}
        />
        <Button onPress={add} isDisabled={chosen === null} isPending={busy}>
          {stationAdminText.add}
        </Button>
      </Row>
    </SectionCard>
  );
}

/** Former members in whose name the station holds work; renders nothing without any. */
export function FormerMembers({ station, onChanged }: PeopleProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  if (station.former.length === 0) return null;
  const at = (seconds: number) => formatDate(seconds * 1000);
  const decide = (userid: number, decision: 'accept' | 'refuse') =>
    act(async () => onChanged(await actions.decideFormer(station.stationid, userid, decision)));
  return (
    <Card as="section" tone={station.former_waiting > 0 ? 'warn' : 'plain'} pad="roomy">
      <Stack>
        <h2>{stationAdminText.former}</h2>
        <p>{stationAdminText.formerHint}</p>
        <RowList>
          {station.former.map((person) => (
            <ListRow
              key={person.userid}
              icon={<UserRound />}
              end={
                person.decision === null ? (
                  <>
                    <Button
                      onPress={() => decide(person.userid, 'refuse')}
                      isDisabled={busy}
                      label={stationAdminText.refuseNamed(person.username)}
                    >
                      {stationAdminText.refuse}
                    </Button>
                    <Button
                      tone="primary"
                      onPress={() => decide(person.userid, 'accept')}
                      isDisabled={busy}
                      label={stationAdminText.acceptNamed(person.username)}
                    >
                      {stationAdminText.accept}
                    </Button>
                  </>
                ) : (
                  <Badge tone={person.decision === 'accepted' ? 'ok' : 'neutral'}>
                    {stationAdminText[person.decision]}
                  </Badge>
                )
              }
            >
              <RowTitle>{person.username}</RowTitle>
              <Note>
                {stationAdminText.formerFacts(at(person.until), at(person.earliest), at(person.latest))}
              </Note>
            </ListRow>
          ))}
        </RowList>
      </Stack>
    </Card>
  );
}
