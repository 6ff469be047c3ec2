import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';

import type { StationPersonView } from '#desktop/engine/api/station-records.ts';
import { stationText } from '#desktop/renderer/text/en/stations.ts';
import { formatClock } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useNow } from '#desktop/renderer/use-now.ts';
import { stationPinLength } from '#shared/rules/stations.ts';

import { Avatar } from './avatar.tsx';
import styles from './pin-entry.module.css';
import { PinPad, withDigit } from './pin-pad.tsx';
import { useBadge } from './use-badge.ts';
import type { useStationSignIn } from './use-station-sign-in.ts';

interface PinEntryProps {
  /** Null: the PIN alone says who it is. */
  person: StationPersonView | null;
  signIn: ReturnType<typeof useStationSignIn>;
  /** Until when nobody may try; null: now. */
  waitUntil: number | null;
  takesBadges: boolean;
  onBack: () => void;
}

/** Asks for the PIN of a person. A badge works here too. */
export function PinEntry({ person, signIn, waitUntil, takesBadges, onBack }: PinEntryProps) {
  const [pin, setPin] = useState('');
  const now = useNow(1000);
  const until = Math.max(signIn.waitUntil ?? 0, waitUntil ?? 0, person?.waitUntil ?? 0);
  const isWaiting = until > now;
  const isClosed = isWaiting || signIn.isBusy;
  const send = () => {
    if (isClosed || pin.length < stationPinLength.min) return;
    setPin('');
    signIn.send(person === null ? { pin } : { userid: person.userid, pin });
  };
  useBadge({
    take: (badge) => {
      if (takesBadges) signIn.send({ badge });
    },
    onReader: () => setPin(''),
    key: (event) => {
      if (isClosed) return;
      if (/^[0-9]$/.test(event.key)) setPin((typed) => withDigit(typed, event.key));
      else if (event.key === 'Backspace') setPin((typed) => typed.slice(0, -1));
      else if (event.key === 'Escape') onBack();
      else if (event.key === 'Enter' && pin.length >= stationPinLength.min) {
        // Otherwise it would press the digit that was pressed last.
        event.preventDefault();
        event.stopPropagation();
        send();
      }
    },
  });
  return (
    <section className={classNames(styles, 'entry')}>
      <div className={classNames(styles, 'who')}>
        {person !== null && <Avatar name={person.username} imageGuid={person.imageGuid} size="large" />}
        <h1 className={classNames(styles, 'title')}>{person?.username ?? stationText.lock.pin}</h1>
        {person !== null && <p className={classNames(styles, 'lead')}>{stationText.lock.pin}</p>}
        <div className={classNames(styles, 'said')} role="alert">
          {signIn.words !== null && !isWaiting && <Notice tone="warn" title={signIn.words} />}
        </div>
        {isWaiting && (
          <Notice
            tone="warn"
            title={
              waitUntil !== null && waitUntil > now
                ? stationText.lock.waitAll(formatClock(until - now))
                : stationText.lock.waitPerson(formatClock(until - now))
            }
          />
        )}
        {signIn.isBusy && <p role="status">{stationText.lock.checking}</p>}
        <Button icon={<ArrowLeft aria-hidden="true" />} onPress={onBack}>
          {person === null ? stationText.lock.back : stationText.pad.notYou}
        </Button>
      </div>
      <PinPad pin={pin} onChange={setPin} onDone={send} isDisabled={isClosed} />
    </section>
  );
}
