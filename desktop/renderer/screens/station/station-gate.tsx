import { Suspense, useDeferredValue, useEffect, useLayoutEffect, useState } from 'react';

import type { StationView } from '#desktop/engine/api/station-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { wearStationLook } from '#desktop/renderer/preferences.ts';
import { Routes } from '#desktop/renderer/routes.tsx';

import { Restoring } from '../shell/starting.tsx';
import { Shell } from '../shell/shell.tsx';
import { IdleNotice } from './idle-notice.tsx';
import { LockScreen } from './lock-screen.tsx';
import { needsKeyboard } from './needs-keyboard.ts';
import { ScreenKeyboard } from './screen-keyboard.tsx';
import { StationPerson, StationPlaces } from './station-header.tsx';
import { useNoWayOut } from './use-no-way-out.ts';
import { useStayAwake } from './use-stay-awake.ts';

/** The app at a station: the lock screen, or all screens for the person who is signed in. */
export function StationGate({ station, path }: { station: StationView; path: string }) {
  useLayoutEffect(() => wearStationLook(), []);
  useStayAwake();
  const [isKept] = useState(() => findBridge() !== undefined);
  useNoWayOut(isKept);
  useLayoutEffect(() => {
    const keep = (now: boolean) =>
      void import('../camera/gate.tsx').then((gate) => gate.keepFilesOut(now)).catch(() => undefined);
    keep(isKept);
    return () => keep(false);
  }, [isKept]);
  return (
    <Suspense fallback={<Restoring />}>
      {needsKeyboard() && <ScreenKeyboard />}
      {station.person === null ? (
        <LockScreen station={station} />
      ) : (
        // Nothing of one person's screen stays for the next.
        <SignedIn key={station.person.userid} path={path} station={station} />
      )}
    </Suspense>
  );
}

/** Keeps the previous screen visible until the next one is ready. */
function SignedIn({ path, station }: { path: string; station: StationView }) {
  const shown = useDeferredValue(path);
  useNotedAddress(path);
  return (
    <>
      <Shell
        path={shown}
        station={{
          begin: <StationPlaces station={station} />,
          end: <StationPerson station={station} />,
        }}
      >
        <Routes path={shown} />
      </Shell>
      <IdleNotice idleSeconds={station.idleSeconds} />
    </>
  );
}

/** Events of moves in the app: those of the browser, and those that the router adds. */
const moves = ['hashchange', 'popstate', 'pushState', 'replaceState'] as const;

/** Tells the engine where the person is, step included, so that they return there. */
function useNotedAddress(path: string): void {
  const actions = useActions();
  useEffect(() => {
    const note = (): void =>
      actions.noteStationAddress(`${location.pathname}${location.search}${location.hash}`);
    note();
    for (const kind of moves) window.addEventListener(kind, note);
    return () => {
      for (const kind of moves) window.removeEventListener(kind, note);
    };
  }, [actions, path]);
}
