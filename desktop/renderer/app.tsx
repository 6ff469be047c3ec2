import { lazy, Suspense, useDeferredValue, useEffect } from 'react';
import { useLocation } from 'wouter';

import type { Engine } from '#desktop/engine/engine.ts';

import { useActions } from './engine-context.tsx';
import { keepFocus } from './focus-keeper.ts';
import { ComingEngine, type RestProps } from './first/coming-engine.ts';
import { firstSession } from './first/first-session.ts';
import {
  adoptEarlierForms,
  adoptEarlierSignatures,
  forgetEarlierForms,
  forgetRemovedHomes,
} from './home-session-storage.ts';
import { Routes } from './routes.tsx';
import { ArchiveOpening } from './screens/archives/opening.tsx';
import { UpdateKeeper } from './screens/settings/app-updates.tsx';
import { Shell } from './screens/shell/shell.tsx';
import { Restoring } from './screens/shell/starting.tsx';
import { SignInNotices } from './screens/sign-in/sign-in-notices.tsx';
import { KeyKeeper } from './screens/unlock/protection.tsx';
import { useScreenAt } from './use-screen-at.ts';
import { useStationLock } from './use-station-lock.ts';

/** Only stations load it. */
const StationGate = lazy(async () => ({
  default: (await import('./screens/station/station-gate.tsx')).StationGate,
}));

/** For `FirstApp`, where the engine is there already. */
export function comingWith(engine: Engine): ComingEngine {
  const coming = new ComingEngine(
    () => Promise.resolve({ engine, Rest, SignInNotices }),
    firstSession('unknown'),
  );
  // The frame shows a failure.
  coming.open().catch(() => undefined);
  return coming;
}

/** All screens but the sign-in, and what runs beside every screen. */
export function Rest({ isSignIn, ...rest }: RestProps) {
  return (
    <Suspense fallback={isSignIn ? null : <Restoring />}>
      <KeyKeeper />
      <UpdateKeeper />
      <Keepers {...rest} />
      <ArchiveOpening>{!isSignIn && <Gate {...rest} />}</ArchiveOpening>
    </Suspense>
  );
}

type GateProps = Pick<RestProps, 'session' | 'station'>;

/** Keeps the focus, and what the window stores in step with who is signed in. */
function Keepers({ session, station }: GateProps) {
  const { home, homes, user } = session;
  const userid = user?.userid ?? null;
  const isRestoring = session.status === 'restoring';
  useStationLock(isRestoring ? null : station !== null);
  const actions = useActions();
  useEffect(keepFocus, []);
  useEffect(() => {
    if (isRestoring || home === null || userid === null) return;
    // What could not be adopted stays stored until the next start.
    adoptEarlierForms(home, userid, (found) => actions.adoptForms(found)).catch(() => undefined);
    adoptEarlierSignatures(userid, (found) => actions.adoptDecisions(found)).catch(() => undefined);
  }, [isRestoring, home, userid, actions]);
  useEffect(() => {
    if (isRestoring || homes === null) return;
    forgetRemovedHomes(new Set(home === null ? homes : [...homes, home]));
    if (homes.every((one) => one === home)) forgetEarlierForms();
  }, [isRestoring, home, homes]);
  return null;
}

/**
 * Shows public screens to guests, and all screens to signed-in people. An expired session still allows reading.
 */
function Gate({ session, station }: GateProps) {
  const [path] = useLocation();
  const found = useScreenAt(path);
  if (session.status === 'restoring') return <Restoring />;
  const isAlone = found?.screen.isAlone === true;
  // People sign in at a station with a badge or a PIN only.
  if (isAlone && (station === null || found.name === 'enrol')) return <Routes path={path} />;
  if (station !== null) return <StationGate station={station} path={path} />;
  return <DeferredScreen path={path} isGuest={session.status === 'signed-out'} />;
}

/** Keeps the previous screen visible until the next one is ready. */
function DeferredScreen({ path, isGuest }: { path: string; isGuest: boolean }) {
  const shown = useDeferredValue(path);
  return (
    <Shell path={shown} isGuest={isGuest}>
      <Routes path={shown} />
    </Shell>
  );
}
