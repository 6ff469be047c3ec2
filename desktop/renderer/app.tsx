import './ui/base.css';

import { Suspense, useDeferredValue, useEffect, useLayoutEffect } from 'react';
import { RouterProvider } from 'react-aria-components';
import { useLocation } from 'wouter';

import type { Engine } from '#desktop/engine/api.ts';

import { forgetEarlierSignatures, forgetRemovedHomes } from './kept-of-home.ts';
import { EngineProvider } from './engine-context.tsx';
import { applyPreferences } from './preferences.ts';
import { Routes } from './routes.tsx';
import { ArchiveOpening } from './screens/archives/opening.tsx';
import { ErrorBoundary } from './screens/shell/error-boundary.tsx';
import { Restoring } from './screens/shell/restoring.tsx';
import { Shell } from './screens/shell/shell.tsx';
import { ForgotPasswordScreen } from './screens/sign-in/forgot-password-screen.tsx';
import { ResetPasswordScreen } from './screens/sign-in/reset-password-screen.tsx';
import { SignInScreen } from './screens/sign-in/sign-in-screen.tsx';
import { ToastRegion } from './ui/toast.tsx';
import { useLive } from './use-live.ts';

/** The whole app on one engine. */
export function App({ engine }: { engine: Engine }) {
  const [, navigate] = useLocation();
  useLayoutEffect(applyPreferences, []);
  useEffect(forgetEarlierSignatures, []);
  return (
    <RouterProvider navigate={(path) => navigate(path)}>
      <EngineProvider engine={engine}>
        <ErrorBoundary engine={engine}>
          <Suspense fallback={<Restoring />}>
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

/** Without a person there are only archives and the sign-in; reading goes on when a session has expired. */
function Gate() {
  const session = useLive('session');
  const [path] = useLocation();
  const { home, homes } = session;
  useEffect(() => {
    if (homes !== null) forgetRemovedHomes(new Set(home === null ? homes : [...homes, home]));
  }, [home, homes]);
  if (session.status === 'restoring') return <Restoring />;
  if (path === '/forgot-password') return <ForgotPasswordScreen />;
  if (path === '/reset-password') return <ResetPasswordScreen />;
  const isGuest = session.status === 'signed-out';
  const inArchives = path === '/archives' || path.startsWith('/archives/');
  if (path === '/sign-in' || (isGuest && !inArchives)) return <SignInScreen />;
  return <Place path={path} isGuest={isGuest} />;
}

/** The screen a person leaves stays until the next one can be shown; only a slow one is waited for visibly. */
function Place({ path, isGuest }: { path: string; isGuest: boolean }) {
  const shown = useDeferredValue(path);
  return (
    <Shell path={shown} isGuest={isGuest}>
      <Routes path={shown} />
    </Shell>
  );
}
