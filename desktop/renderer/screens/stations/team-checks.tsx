import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import styles from './stations.module.css';

/** The teams whose members are at a station. `chosen`: teamids. */
export function TeamChecks({
  chosen,
  onChange,
}: {
  chosen: readonly number[];
  onChange: (teams: readonly number[]) => void;
}) {
  const { teams } = useLive('directory');
  return (
    <div className={classNames(styles, 'checks')} role="group" aria-label={stationAdminText.teams}>
      <h3>{stationAdminText.teams}</h3>
      {teams.length === 0 && <Note>{stationAdminText.noTeams}</Note>}
      {teams.map(({ teamid, name }) => (
        <CheckboxField
          key={teamid}
          label={name}
          value={chosen.includes(teamid)}
          onChange={(on) => onChange(on ? [...chosen, teamid] : chosen.filter((one) => one !== teamid))}
        />
      ))}
    </div>
  );
}
