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
import { Problem } from '#shared/api/problem.ts';
import type { StationEdit } from '#shared/api/stations.ts';
import { type StationDetail, stationSettings, stationSignIns } from '#shared/model/station.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { useLeaveGuard } from '../administration/use-leave-guard.tsx';
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

/** What the form shows. */
interface Typed {
  name: string;
  place: string;
  teams: readonly number[];
  idle: string;
  ways: readonly (typeof stationSignIns)[number][];
  notice: string;
  categories: string;
  tags: string;
}

function typedOf({ name, place, teams, settings }: StationDetail): Typed {
  const { idle_seconds, sign_in: ways, notice, categories, tags } = settings;
  const lists = { categories: categories.join(', '), tags: tags.join(', ') };
  return { name, place, teams, idle: String(idle_seconds), ways, notice, ...lists };
}

/** The fields that were changed, as the server takes them. */
function editOf({ name, place, teams, idle, ways, notice, categories, tags }: Partial<Typed>): StationEdit {
  const settings: StationEdit['settings'] = {
    ...(idle !== undefined && { idle_seconds: typedNumber(idle) }),
    ...(ways !== undefined && { sign_in: [...ways] }),
    ...(notice !== undefined && { notice: notice.trim() }),
    ...(categories !== undefined && { categories: listed(categories) }),
    ...(tags !== undefined && { tags: listed(tags) }),
  };
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(place !== undefined && { place: place.trim() }),
    ...(teams !== undefined && { teams: [...teams] }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/**
 * Name, place, teams and settings of a station.
 *
 * - ADMIN-19 Forms of stations and of approval processes ask before changes are left. The form of a station sends only the
 *   fields that were changed. Both are refused if somebody else has saved the record since it was shown.
 */
export function StationSettingsForm({ station, onChanged }: FormProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [changed, setChanged] = useState<Partial<Typed>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isAsked, setAsked] = useState(false);
  const start = typedOf(station);
  const { name, place, teams, idle, ways, notice, categories, tags } = { ...start, ...changed };
  const change = (part: Partial<Typed>) => setChanged((now) => without({ ...now, ...part }, start));
  const guard = useLeaveGuard(Object.keys(changed).length);
  const isIdleRight = stationSettings.shape.idle_seconds.unwrap().safeParse(typedNumber(idle)).success;
  const isRight = name.trim() !== '' && isIdleRight && ways.length > 0;
  const save = () => {
    setAsked(true);
    setFailure(null);
    if (!isRight) return;
    act(async () => {
      try {
        onChanged(await actions.changeStation(station.stationid, editOf(changed), station));
        setChanged({});
        showToast(stationAdminText.saved);
      } catch (error) {
        const isStale = error instanceof Problem && error.kind === 'conflict';
        setFailure(isStale ? stationAdminText.notSaved : errorMessage(error));
        if (isStale) onChanged(await actions.readStation(station.stationid));
      }
    });
  };
  return (
    <SectionCard title={stationAdminText.settings}>
      <TextField
        label={stationAdminText.name}
        isRequired
        value={name}
        onChange={(value) => change({ name: value })}
        error={isAsked && name.trim() === '' ? stationAdminText.needName : undefined}
      />
      <TextField
        label={stationAdminText.place}
        value={place}
        onChange={(value) => change({ place: value })}
      />
      <TeamChecks chosen={teams} onChange={(chosen) => change({ teams: chosen })} />
      <div className={classNames(styles, 'checks')} role="group" aria-label={stationAdminText.ways}>
        <h3>{stationAdminText.ways}</h3>
        {stationSignIns.map((way) => (
          <CheckboxField
            key={way}
            label={stationAdminText.way[way]}
            value={ways.includes(way)}
            onChange={(on) =>
              change({ ways: stationSignIns.filter((one) => (one === way ? on : ways.includes(one))) })
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
        onChange={(value) => change({ idle: value })}
        error={isAsked && !isIdleRight ? stationAdminText.needIdle : undefined}
      />
      <TextField
        label={stationAdminText.notice}
        hint={stationAdminText.noticeHint}
        kind="long"
        value={notice}
        onChange={(value) => change({ notice: value })}
      />
      <TextField
        label={stationAdminText.categories}
        hint={stationAdminText.listHint}
        value={categories}
        onChange={(value) => change({ categories: value })}
      />
      <TextField label={stationAdminText.tags} value={tags} onChange={(value) => change({ tags: value })} />
      {failure !== null && <Notice tone="danger" title={failure} />}
      <div>
        <Button tone="primary" onPress={save} isPending={busy}>
          {stationAdminText.save}
        </Button>
      </div>
      {guard}
    </SectionCard>
  );
}

/** The fields that differ from those of the station. */
function without(changed: Partial<Typed>, start: Typed): Partial<Typed> {
  const fields = Object.entries(changed) as [keyof Typed, unknown][];
  return Object.fromEntries(fields.filter(([field, value]) => !sameValue(value, start[field])));
}
