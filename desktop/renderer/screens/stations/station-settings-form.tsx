import { typedNumber } from '#desktop/renderer/text/format.ts';
import { useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { type StationDetail, stationSettings, stationSignIns } from '#shared/model/station.ts';

import styles from './stations.module.css';
import { TeamChecks } from './team-checks.tsx';

interface FormProps {
  station: StationDetail;
  onChanged: (station: StationDetail) => void;
}

const listed = (words: string) =>
  words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Name, place, teams and settings of a station. */
export function StationSettingsForm({ station, onChanged }: FormProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const { settings } = station;
  const [name, setName] = useState(station.name);
  const [place, setPlace] = useState(station.place);
  const [teams, setTeams] = useState<readonly number[]>(station.teams);
  const [idle, setIdle] = useState(String(settings.idle_seconds));
  const [ways, setWays] = useState<readonly (typeof stationSignIns)[number][]>(settings.sign_in);
  const [notice, setNotice] = useState(settings.notice);
  const [categories, setCategories] = useState(settings.categories.join(', '));
  const [tags, setTags] = useState(settings.tags.join(', '));
  const [failure, setFailure] = useState<string | null>(null);
  const [isAsked, setAsked] = useState(false);
  const isIdleRight = stationSettings.shape.idle_seconds.unwrap().safeParse(typedNumber(idle)).success;
  const isRight = name.trim() !== '' && isIdleRight && ways.length > 0;
  const save = () => {
    setAsked(true);
    setFailure(null);
    if (!isRight) return;
    act(async () => {
      try {
        const changed = await actions.changeStation(station.stationid, {
          name: name.trim(),
          place: place.trim(),
          teams: [...teams],
          settings: {
            idle_seconds: typedNumber(idle),
            sign_in: [...ways],
            notice: notice.trim(),
            categories: listed(categories),
            tags: listed(tags),
          },
        });
        onChanged(changed);
        showToast(stationAdminText.saved);
      } catch (error) {
        setFailure(errorMessage(error));
      }
    });
  };
  return (
    <SectionCard title={stationAdminText.settings}>
      <TextField
        label={stationAdminText.name}
        isRequired
        value={name}
        onChange={setName}
        error={isAsked && name.trim() === '' ? stationAdminText.needName : undefined}
      />
      <TextField label={stationAdminText.place} value={place} onChange={setPlace} />
      <TeamChecks chosen={teams} onChange={setTeams} />
      <div className={classNames(styles, 'checks')} role="group" aria-label={stationAdminText.ways}>
        <h3>{stationAdminText.ways}</h3>
        {stationSignIns.map((way) => (
          <CheckboxField
            key={way}
            label={stationAdminText.way[way]}
            value={ways.includes(way)}
            onChange={(on) =>
              setWays(stationSignIns.filter((one) => (one === way ? on : ways.includes(one))))
            }
          />
        ))}
        {isAsked && ways.length === 0 && <Notice tone="danger" title={stationAdminText.needWay} />}
      </div>
      <TextField
        label={stationAdminText.idle}
        kind="numeric"
        suffix={stationAdminText.idleUnit}
        value={idle}
        onChange={setIdle}
        error={isAsked && !isIdleRight ? stationAdminText.needIdle : undefined}
      />
      <TextField
        label={stationAdminText.notice}
        hint={stationAdminText.noticeHint}
        kind="long"
        value={notice}
        onChange={setNotice}
      />
      <TextField
        label={stationAdminText.categories}
        hint={stationAdminText.listHint}
        value={categories}
        onChange={setCategories}
      />
      <TextField label={stationAdminText.tags} value={tags} onChange={setTags} />
      {failure !== null && <Notice tone="danger" title={failure} />}
      <div>
        <Button tone="primary" onPress={save} isPending={busy}>
          {stationAdminText.save}
        </Button>
      </div>
    </SectionCard>
  );
}
