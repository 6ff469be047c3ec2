import { useState } from 'react';

import type { StationView } from '#desktop/engine/api/station-records.ts';
import { handOverAll } from '#desktop/renderer/hand-over.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { stationHomeText } from '#desktop/renderer/text/en/station-home.ts';
import { stationText } from '#desktop/renderer/text/en/stations.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';

import { PeopleTiles } from './people-tiles.tsx';
import { PinEntry } from './pin-entry.tsx';
import { useBadge } from './use-badge.ts';
import { useStationSignIn } from './use-station-sign-in.ts';

interface SwitchDialogProps {
  station: StationView;
  onClose: () => void;
}

/** Signs another person in, without the lock screen between them. */
export function SwitchDialog({ station, onClose }: SwitchDialogProps) {
  const [asked, setAsked] = useState<number | 'pin' | null>(null);
  const given = useStationSignIn();
  const signIn = {
    ...given,
    send: (...proof: Parameters<typeof given.send>) => {
      handOverAll();
      given.send(...proof);
    },
  };
  const person = station.people.find((one) => one.userid === asked);
  const takesBadges = station.signIn.includes('badge');
  return (
    <Dialog
      title={stationHomeText.switchTitle}
      isOpen
      onClose={onClose}
      closeLabel={text.app.cancel}
      size="medium"
    >
      {person !== undefined || asked === 'pin' ? (
        <PinEntry
          person={person ?? null}
          signIn={signIn}
          waitUntil={station.waitUntil}
          takesBadges={takesBadges}
          onBack={() => {
            given.forget();
            setAsked(null);
          }}
        />
      ) : (
        <Choice station={station} signIn={signIn} onChoose={setAsked} />
      )}
    </Dialog>
  );
}

function Choice({
  station,
  signIn,
  onChoose,
}: {
  station: StationView;
  signIn: ReturnType<typeof useStationSignIn>;
  onChoose: (who: number | 'pin') => void;
}) {
  const { lock } = stationText;
  const has = (way: StationView['signIn'][number]) => station.signIn.includes(way);
  useBadge({
    take: (badge) => {
      if (has('badge')) signIn.send({ badge });
    },
  });
  const ask = !has('badge')
    ? has('tile')
      ? lock.choose
      : lock.pin
    : has('tile')
      ? `${lock.badge} ${lock.orChoose}`
      : lock.badge;
  return (
    <Stack>
      <p>{stationHomeText.switchLead(ask, station.person?.username ?? '')}</p>
      {signIn.words !== null && <Notice tone="danger" title={signIn.words} />}
      {signIn.isBusy && <p role="status">{lock.checking}</p>}
      {has('pin') && <Button onPress={() => onChoose('pin')}>{lock.withPin}</Button>}
      {has('tile') && (
        <PeopleTiles
          station={{
            ...station,
            people: station.people.filter(({ userid }) => userid !== station.person?.userid),
          }}
          onChoose={({ userid }) => onChoose(userid)}
        />
      )}
    </Stack>
  );
}
