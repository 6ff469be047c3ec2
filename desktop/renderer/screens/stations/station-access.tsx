import { IdCard } from 'lucide-react';
import { useCallback, useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { formatDay } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import type { StationAccess as Access } from '#shared/model/station.ts';
import { stationPinRefusal } from '#shared/rules/stations.ts';

import { useProof } from '../account/use-proof.tsx';
import { errorOf } from '../approvals/use-signing.ts';
import { useServerValue } from '../site/use-server-value.ts';

/** How a person signs in at stations. `isOwn`: their own, where they set only the PIN. */
export function StationAccess({ userid, isOwn }: { userid: number; isOwn: boolean }) {
  const read = useCallback((actions: Actions) => actions.stationAccess(userid), [userid]);
  const from = useServerValue(read);
  const { user } = useLive('session');
  if (from.failure !== null)
    return (
      <Notice
        tone="warn"
        title={stationAdminText.failed}
        action={<Button onPress={from.reload}>{text.site.again}</Button>}
      >
        {from.failure}
      </Notice>
    );
  if (from.value === null) return <Loading label={text.site.loading} />;
  const { pin_date, stations } = from.value;
  // The server refuses what leads change for people who are at no station of theirs.
  const mayChange = isOwn || stations.length > 0 || user?.privileges.includes('Admin') === true;
  return (
    <Stack>
      <Note>{isOwn ? stationAdminText.ownHint : stationAdminText.accessHint}</Note>
      <p>
        {stations.length === 0
          ? mayChange
            ? stationAdminText.atNone
            : stationAdminText.atNoneYet
          : stationAdminText.at(stations.map(({ name }) => name).join(', '))}
      </p>
      <p>
        {pin_date === null ? stationAdminText.noPin : stationAdminText.pinSince(formatDay(pin_date * 1000))}
      </p>
      {mayChange && (
        <>
          <PinForm access={from.value} onChanged={from.reload} />
          <Badges access={from.value} onChanged={from.reload} />
          {!isOwn && <BadgeForm userid={userid} onIssued={from.reload} />}
        </>
      )}
    </Stack>
  );
}

interface PartProps {
  access: Access;
  onChanged: () => void;
}

function PinForm({ access: { userid, pin_date }, onChanged }: PartProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const proof = useProof();
  const [pin, setPin] = useState('');
  const [error, setError] = useState<string>();
  const save = () => {
    const refusal = stationPinRefusal(pin);
    setError(refusal === null ? undefined : stationAdminText.pinRefusals[refusal]);
    if (refusal !== null) return;
    proof.ask(
      async (given) => {
        await actions.setStationPin(userid, pin, given);
        setPin('');
        showToast(stationAdminText.pinSaved);
        onChanged();
      },
      (failure) => setError(errorOf(failure, ['pin']) ?? errorMessage(failure)),
    );
  };
  const remove = () =>
    act(async () => {
      await actions.removeStationPin(userid);
      showToast(stationAdminText.pinRemoved);
      onChanged();
    });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Row align="end">
        <TextField
          label={stationAdminText.newPin}
          kind="password"
          autoComplete="one-time-code"
          value={pin}
          onChange={setPin}
          error={error}
        />
        <Button type="submit">{stationAdminText.setPin}</Button>
        {pin_date !== null && (
          <Button onPress={remove} isPending={busy}>
            {stationAdminText.removePin}
          </Button>
        )}
      </Row>
      {proof.question}
    </form>
  );
}

function Badges({ access: { badges }, onChanged }: PartProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const revoke = (badgeid: number) =>
    act(async () => {
      await actions.revokeBadge(badgeid);
      showToast(stationAdminText.badgeRevoked);
      onChanged();
    });
  return (
    <RowList>
      {badges.map((badge) => {
        const label = badge.label === '' ? stationAdminText.unnamedBadge : badge.label;
        return (
          <ListRow
            key={badge.station_badgeid}
            icon={<IdCard />}
            menu={
              badge.revoked_date === null && (
                <Button
                  onPress={() => revoke(badge.station_badgeid)}
                  isDisabled={busy}
                  label={stationAdminText.revokeBadgeNamed(label)}
                >
                  {stationAdminText.revokeBadge}
                </Button>
              )
            }
          >
            <RowTitle>{label}</RowTitle>
            <Note>
              {badge.revoked_date === null
                ? stationAdminText.issuedOn(formatDay(badge.issued_date * 1000))
                : stationAdminText.revokedOn(formatDay(badge.revoked_date * 1000))}
            </Note>
          </ListRow>
        );
      })}
    </RowList>
  );
}

function BadgeForm({ userid, onIssued }: { userid: number; onIssued: () => void }) {
  const actions = useActions();
  const proof = useProof();
  const [number, setNumber] = useState('');
  const [label, setLabel] = useState('');
  const [error, setError] = useState<string>();
  const issue = () => {
    setError(number.trim() === '' ? stationAdminText.needBadge : undefined);
    if (number.trim() === '') return;
    proof.ask(
      async (given) => {
        await actions.issueBadge(userid, number, label.trim(), given);
        setNumber('');
        setLabel('');
        showToast(stationAdminText.issued);
        onIssued();
      },
      (failure) => setError(errorOf(failure, ['number']) ?? errorMessage(failure)),
    );
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        // A reader ends with Enter.
        event.preventDefault();
        issue();
      }}
    >
      <Row align="end">
        <TextField label={stationAdminText.newBadge} value={number} onChange={setNumber} error={error} />
        <TextField label={stationAdminText.label} value={label} onChange={setLabel} />
        <Button type="submit">{stationAdminText.issue}</Button>
      </Row>
      {proof.question}
    </form>
  );
}
