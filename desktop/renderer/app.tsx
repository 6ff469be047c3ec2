import './ui/base.css';

import { lazy, Suspense, useDeferredValue, useEffect, useLayoutEffect } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { Router, useLocation } from 'wouter';

import type { Engine } from '#desktop/engine/engine.ts';
import { screens } from '#shared/rules/screens.ts';

import { EngineProvider, useActions } from './engine-context.tsx';
import {
  adoptEarlierForms,
  adoptEarlierSignatures,
  forgetEarlierForms,
  forgetRemovedHomes,
} from './home-session-storage.ts';
import { guardedNavigation } from './leave-guard.ts';
import { applyPreferences } from './preferences.ts';
import { Routes } from './routes.tsx';
import { ArchiveOpening } from './screens/archives/opening.tsx';
import { ErrorBoundary } from './screens/shell/error-boundary.tsx';
import { Restoring } from '#desktop/renderer/screens/shell/starting.tsx';
import { UpdateKeeper } from './screens/settings/app-updates.tsx';
import { Shell } from './screens/shell/shell.tsx';
import { KeyKeeper } from './screens/unlock/protection.tsx';
import { useStationLock } from './use-station-lock.ts';
import { formatLocale } from './text/language.ts';
import { ToastRegion } from './ui/toast.tsx';
import { useLive } from './use-live.ts';
import { useScreenAt } from './use-screen-at.ts';

/** Only stations load it. */
const StationGate = lazy(async () => ({
  default: (await import('./screens/station/station-gate.tsx')).StationGate,
}));

/** The whole app, for one engine. */
export function App({ engine }: { engine: Engine }) {
  return (
    <I18nProvider locale={formatLocale()}>
      <Router aroundNav={guardedNavigation}>
        <RoutedApp engine={engine} />
      </Router>
    </I18nProvider>
  );
}

function RoutedApp({ engine }: { engine: Engine }) {
  const [, navigate] = useLocation();
  useLayoutEffect(applyPreferences, []);
  return (
    <RouterProvider navigate={(path) => navigate(path)}>
      <EngineProvider engine={engine}>
        <ErrorBoundary engine={engine}>
          <Suspense fallback={<Restoring />}>
            <KeyKeeper />
            <UpdateKeeper />
            <ArchiveOpening>
              <Gate />
            </ArchiveOpening>
          </Suspense>
        </ErrorBoundary>
        <ToastRegion />
      </EngineProvider>
    </RouterProvider>
  );
}

/**
 * Shows public screens and the sign-in to guests, and all screens to signed-in people. An expired session still
 * allows reading.
 */
function Gate() {
  const session = useLive('session');
  const station = useLive('station');
  const [path] = useLocation();
  const found = useScreenAt(path);
  const { home, homes, user } = session;
  const userid = user?.userid ?? null;
  const isRestoring = session.status === 'restoring';
  useStationLock(isRestoring ? null : station !== null);
  const actions = useActions();
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
  if (isRestoring) return <Restoring />;
  const isGuest = session.status === 'signed-out';
  const isAlone = found?.screen.isAlone === true;
  // People sign in at a station with a badge or a PIN only.
  if (isAlone && (station === null || found.name === 'enrol')) return <Routes path={path} />;
  if (station !== null) return <StationGate station={station} path={path} />;
  if (isGuest && found?.screen.sees !== 'anyone') return <Routes path={screens.signIn.path} />;
  return <DeferredScreen path={path} isGuest={isGuest} />;
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
