import '../ui/base.css';

import { useLayoutEffect, useSyncExternalStore } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { Router, useLocation } from 'wouter';

import { EngineProvider } from '#desktop/renderer/engine-context.tsx';
import { guardedNavigation } from '#desktop/renderer/leave-guard.ts';
import { applyPreferences } from '#desktop/renderer/preferences.ts';
import { ErrorBoundary } from '#desktop/renderer/screens/shell/error-boundary.tsx';
import { Restoring, StartFailed } from '#desktop/renderer/screens/shell/starting.tsx';
import { SignInScreen } from '#desktop/renderer/screens/sign-in/sign-in-screen.tsx';
import { formatLocale } from '#desktop/renderer/text/language.ts';
import { ToastRegion } from '#desktop/renderer/ui/toast.tsx';
import { useScreenAt } from '#desktop/renderer/use-screen-at.ts';

import { CodeMissing } from './code-missing.ts';
import type { ComingEngine, FirstState } from './coming-engine.ts';
import { CodeMissingPage } from './code-missing-notice.tsx';

interface FirstAppProps {
  coming: ComingEngine;
  /** Whether somebody was signed in at the last start. */
  wasSignedIn?: boolean;
}

/** The frame of the app: the sign-in, and all other screens as soon as the engine is there. */
export function FirstApp(props: FirstAppProps) {
  return (
    <I18nProvider locale={formatLocale()}>
      <Router aroundNav={guardedNavigation}>
        <RoutedApp {...props} />
      </Router>
    </I18nProvider>
  );
}

function RoutedApp({ coming, wasSignedIn = false }: FirstAppProps) {
  const [path, navigate] = useLocation();
  const state = useSyncExternalStore(coming.subscribe, coming.read);
  useLayoutEffect(applyPreferences, []);
  const isSignIn = useIsSignIn(state, path);
  const { opened, session, station, failure } = state;
  const engine = opened?.engine ?? null;
  const isMissing = failure instanceof CodeMissing;
  if (failure !== null && !isMissing) return <StartFailed error={failure} />;
  return (
    <RouterProvider navigate={(to) => navigate(to)}>
      <EngineProvider engine={engine} signIn={coming.actions}>
        <ErrorBoundary engine={engine}>
          {isSignIn && <SignInScreen state={state} onLoad={coming.open} />}
          {opened !== null && (
            <opened.Rest engine={opened.engine} session={session} station={station} isSignIn={isSignIn} />
          )}
          {opened === null &&
            !isSignIn &&
            (isMissing ? <CodeMissingPage onLoad={coming.open} /> : <Restoring hasFrame={wasSignedIn} />)}
        </ErrorBoundary>
        <ToastRegion />
      </EngineProvider>
    </RouterProvider>
  );
}

/** Guests see the sign-in, and public screens. People sign in at a station with a badge or a PIN only. */
function useIsSignIn({ session, station }: FirstState, path: string): boolean {
  const found = useScreenAt(path);
  if (session.status === 'restoring' || station !== null) return false;
  return found?.name === 'signIn' || (session.status === 'signed-out' && found?.screen.sees !== 'anyone');
}
