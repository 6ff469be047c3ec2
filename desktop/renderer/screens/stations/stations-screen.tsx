import { MonitorCheck, Plus } from 'lucide-react';
import { useState } from 'react';

import type { EnrolmentCode } from '#desktop/engine/api/stations.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import type { Station } from '#shared/model/station.ts';

import { useProof } from '../account/use-proof.tsx';
import { AdminPage } from '../site/admin-page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import { CodePanel } from './code-panel.tsx';
import { contactWords, StationStanding, waitingWords } from './station-state.tsx';
import styles from './stations.module.css';
import { TeamChecks } from './team-checks.tsx';

const listStations = (actions: Actions) => actions.listStations();

/** The stations of the site, for administrators, and for leads those of their teams. */
export function StationsScreen() {
  const from = useServerValue(listStations);
  const { user } = useLive('session');
  const [made, setMade] = useState<EnrolmentCode | null>(null);
  const isAdministrator = user?.privileges.includes('Admin') === true;
  return (
    <AdminPage
      title={stationAdminText.title}
      lead={stationAdminText.lead}
      from={from}
      failedTitle={stationAdminText.failed}
      isForLeads
    >
      {(stations) => (
        <>
          {made !== null && <CodePanel made={made} onClose={() => setMade(null)} />}
          {stations.length === 0 && (
            <EmptyState icon={<MonitorCheck />} title={stationAdminText.none}>
              {isAdministrator ? stationAdminText.noneHint : stationAdminText.noneHintForLeads}
            </EmptyState>
          )}
          <RowList>
            {stations.map((station) => (
              <StationRow key={station.stationid} station={station} />
            ))}
          </RowList>
          {isAdministrator && (
            <NewStation
              onMade={(code) => {
                setMade(code);
                from.reload();
              }}
            />
          )}
        </>
      )}
    </AdminPage>
  );
}

function StationRow({ station }: { station: Station }) {
  const now = useNow();
  const facts = [
    contactWords(station, now),
    station.app_version === null ? '' : stationAdminText.version(station.app_version),
    waitingWords(station, now),
  ];
  return (
    <ListRow
      icon={<MonitorCheck />}
      end={
        <span className={classNames(styles, 'mark')}>
          <StationStanding station={station} now={now} />
        </span>
      }
    >
      <RowTitle href={`/stations/${station.stationid}`}>{station.name}</RowTitle>
      {station.place !== '' && <p>{station.place}</p>}
      <Note>{facts.filter((fact) => fact !== '').join(' · ')}</Note>
    </ListRow>
  );
}

function NewStation({ onMade }: { onMade: (code: EnrolmentCode | null) => void }) {
  const actions = useActions();
  const proof = useProof();
  const [name, setName] = useState('');
  const [place, setPlace] = useState('');
  const [teams, setTeams] = useState<readonly number[]>([]);
  const [error, setError] = useState<string>();
  const make = () => {
    setError(name.trim() === '' ? stationAdminText.needName : undefined);
    if (name.trim() === '') return;
    proof.ask(
      async (given) => {
        const plan = { name: name.trim(), place: place.trim(), teams: [...teams] };
        const { station, code } = await actions.makeStation(plan, given);
        setName('');
        setPlace('');
        setTeams([]);
        showToast(stationAdminText.made(station.name));
        onMade(code);
      },
      (failure) => setError(errorMessage(failure)),
    );
  };
  return (
    <SectionCard title={stationAdminText.make}>
      <div className={classNames(styles, 'line')}>
        <TextField
          label={stationAdminText.name}
          hint={stationAdminText.nameHint}
          isRequired
          value={name}
          onChange={setName}
          error={error}
        />
        <TextField
          label={stationAdminText.place}
          hint={stationAdminText.placeHint}
          value={place}
          onChange={setPlace}
        />
      </div>
      <TeamChecks chosen={teams} onChange={setTeams} />
      <div>
        <Button tone="primary" icon={<Plus aria-hidden="true" />} onPress={make}>
          {stationAdminText.make}
        </Button>
      </div>
      {proof.question}
    </SectionCard>
  );
}
