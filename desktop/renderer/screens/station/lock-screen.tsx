import { LifeBuoy, ScanBarcode } from 'lucide-react';
import { useEffect, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useLocation } from 'wouter';

import type { StationPersonView, StationView } from '#desktop/engine/api/station-records.ts';
import { barcodeIn, findsBarcodes } from '#desktop/renderer/platform/barcode-detector.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { stationText } from '#desktop/renderer/text/en/stations.ts';
import { formatClock, formatTime } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { LogoMark } from '../shell/logo.tsx';
import { DamageNotice, LossNotice } from '../shell/storage-notices.tsx';
import { statusOf, storageStatus } from '../shell/status-words.ts';
import { HealthScreen } from './health-screen.tsx';
import styles from './lock-screen.module.css';
import { PeopleTiles } from './people-tiles.tsx';
import { PinEntry } from './pin-entry.tsx';
import { RunningList } from './running-list.tsx';
import { useBadge } from './use-badge.ts';
import { useNightUpdate } from './use-night-update.ts';
import { useStationSignIn } from './use-station-sign-in.ts';

/** What the lock screen asks for. `person`: their PIN. `pin`: a PIN that says who it is. */
type Asked = { for: 'anybody' | 'pin' | 'health' } | { for: 'person'; userid: number };

/** Shown at a station while nobody is signed in. */
export function LockScreen({ station }: { station: StationView }) {
  useNightUpdate();
  const [asked, setAsked] = useState<Asked>({ for: 'anybody' });
  const signIn = useStationSignIn();
  const [, navigate] = useLocation();
  // The next person must not see, for a moment, what the last one saw.
  useEffect(() => navigate('/station', { replace: true }), [navigate]);
  const back = () => {
    signIn.forget();
    setAsked({ for: 'anybody' });
  };
  const person =
    asked.for === 'person' ? station.people.find(({ userid }) => userid === asked.userid) : undefined;
  const takesBadges = station.signIn.includes('badge');
  return (
    <div className={classNames(styles, 'screen')}>
      <title>{text.app.title(station.name)}</title>
      <LockHeader station={station} />
      <main className={classNames(styles, 'main')}>
        {asked.for === 'health' ? (
          <HealthScreen onBack={back} />
        ) : person !== undefined || asked.for === 'pin' ? (
          <PinEntry
            key={person?.userid}
            person={person ?? null}
            signIn={signIn}
            waitUntil={station.waitUntil}
            takesBadges={takesBadges}
            onBack={back}
          />
        ) : (
          <Everybody
            station={station}
            signIn={signIn}
            onChoose={({ userid }) => {
              signIn.forget();
              setAsked({ for: 'person', userid });
            }}
            onPin={() => setAsked({ for: 'pin' })}
          />
        )}
      </main>
      {asked.for !== 'health' && (
        <footer className={classNames(styles, 'footer')}>
          <SafetyWords station={station} />
          <Button icon={<LifeBuoy aria-hidden="true" />} onPress={() => setAsked({ for: 'health' })}>
            {stationText.lock.trouble}
          </Button>
        </footer>
      )}
    </div>
  );
}

function LockHeader({ station }: { station: StationView }) {
  const now = useNow(1000);
  const sync = useLive('syncState');
  const storage = storageStatus(useLive('storage'));
  // Nobody is here who could decide: what one person must look at is shown when they sign in.
  const status = storage ?? statusOf({ ...sync, conflicts: 0, parked: 0 }, [], now);
  return (
    <header className={classNames(styles, 'header')}>
      <LogoMark />
      <p className={classNames(styles, 'name')}>
        <b>{station.name}</b> <span>{station.place}</span>
      </p>
      {station.standing === 'enrolled' && (
        <Badge tone={status.tone} look="dot">
          {status.words}
        </Badge>
      )}
      <time className={classNames(styles, 'clock')}>{formatTime(now)}</time>
    </header>
  );
}

interface EverybodyProps {
  station: StationView;
  signIn: ReturnType<typeof useStationSignIn>;
  onChoose: (person: StationPersonView) => void;
  onPin: () => void;
}

/** Asks who is there. */
function Everybody({ station, signIn, onChoose, onPin }: EverybodyProps) {
  const now = useNow(1000);
  const { lock } = stationText;
  const has = (way: StationView['signIn'][number]) => station.signIn.includes(way);
  const until = Math.max(station.waitUntil ?? 0, signIn.waitUntil ?? 0);
  const isWaiting = until > now;
  useBadge({
    take: (badge) => {
      if (has('badge') && !isWaiting && station.standing === 'enrolled') signIn.send({ badge });
    },
  });
  const title = has('badge') ? lock.badge : has('tile') ? lock.choose : lock.pin;
  const other = !has('badge') ? null : has('tile') ? lock.orChoose : has('pin') ? lock.orPin : null;
  // Nobody signs in here before an administrator has enrolled it again.
  if (station.standing === 'shut-out')
    return (
      <>
        <div className={classNames(styles, 'ask')}>
          <h1 className={classNames(styles, 'title')}>{lock.shutOut}</h1>
          <p className={classNames(styles, 'other')}>{lock.shutOutHint}</p>
          <ButtonLink href="/enrol" size="large">
            {stationText.health.enrolAgain}
          </ButtonLink>
        </div>
        <Told station={station} />
        <RunningList title={lock.running} orders={station.running} />
      </>
    );
  return (
    <>
      <Told station={station} />
      <div className={classNames(styles, 'ask')}>
        <h1 className={classNames(styles, 'title')}>{title}</h1>
        {other !== null && <p className={classNames(styles, 'other')}>{other}</p>}
        <div role="alert" className={classNames(styles, 'said')}>
          {signIn.words !== null && !isWaiting && <Notice tone="warn" title={signIn.words} />}
        </div>
        {isWaiting && <Notice tone="warn" title={lock.waitAll(formatClock(until - now))} />}
        {signIn.isBusy && <p role="status">{lock.checking}</p>}
        {(has('pin') || (has('badge') && findsBarcodes())) && (
          <div className={classNames(styles, 'ways')}>
            {has('pin') && <Button onPress={onPin}>{lock.withPin}</Button>}
            {has('badge') && findsBarcodes() && <CameraScan onRead={(badge) => signIn.send({ badge })} />}
          </div>
        )}
      </div>
      {station.people.length === 0 ? (
        <EmptyState icon={<LifeBuoy />} title={lock.nobody}>
          {lock.nobodyHint}
        </EmptyState>
      ) : (
        has('tile') && <PeopleTiles station={station} onChoose={onChoose} />
      )}
      <RunningList title={lock.running} orders={station.running} />
    </>
  );
}

/** What people at the station should know: the notice, why it is locked, and that it is shut out. */
function Told({ station }: { station: StationView }) {
  const { lock } = stationText;
  const why =
    station.lock === null
      ? null
      : lock.why[station.lock.why](station.lock.username, lock.seconds(station.idleSeconds));
  return (
    <div className={classNames(styles, 'told')}>
      <LossNotice />
      <DamageNotice />
      {station.notice !== '' && <Notice tone="info" title={station.notice} />}
      {why !== null && <p className={classNames(styles, 'why')}>{why}</p>}
    </div>
  );
}

function CameraScan({ onRead }: { onRead: (badge: string) => void }) {
  const { act, busy } = useAsyncAction();
  const [isMissed, setMissed] = useState(false);
  const read = (files: FileList | null) => {
    const picture = files?.[0];
    if (picture === undefined) return;
    act(async () => {
      const badge = await barcodeIn(picture);
      setMissed(badge === null);
      if (badge !== null) onRead(badge);
    });
  };
  return (
    <>
      <div data-scans>
        <FileTrigger acceptedFileTypes={['image/*']} defaultCamera="environment" onSelect={read}>
          <Button icon={<ScanBarcode aria-hidden="true" />} isPending={busy}>
            {stationText.lock.scanWithCamera}
          </Button>
        </FileTrigger>
      </div>
      {isMissed && <p role="alert">{stationText.lock.noCode}</p>}
    </>
  );
}

function SafetyWords({ station }: { station: StationView }) {
  const { pending, connection } = useLive('syncState');
  const { lock } = stationText;
  const words =
    station.standing === 'shut-out'
      ? lock.waitsForCode
      : connection === 'offline'
        ? lock.waits
        : lock.sending;
  const more = pending === 0 ? '' : words(pending);
  return <p className={classNames(styles, 'safety')}>{`${lock.safe} ${more}`.trim()}</p>;
}
