import './ui/base.css';

import { lazy, Suspense, useDeferredValue, useLayoutEffect } from 'react';
import { RouterProvider } from 'react-aria-components';
import { Route, Switch, useLocation } from 'wouter';

import type { Engine } from '#desktop/engine/api.ts';

import { EngineProvider } from './engine-context.tsx';
import { applyPreferences } from './preferences.ts';
import { LibraryScreen, LibraryShelf } from './screens/library/library-screen.tsx';
import { PlayerScreen } from './screens/player/player-screen.tsx';
import { SettingsScreen } from './screens/settings/settings-screen.tsx';
import { ErrorBoundary } from './screens/shell/error-boundary.tsx';
import { NotFoundScreen } from './screens/shell/not-found-screen.tsx';
import { Restoring } from './screens/shell/restoring.tsx';
import { Shell } from './screens/shell/shell.tsx';
import { ForgotPasswordScreen } from './screens/sign-in/forgot-password-screen.tsx';
import { ResetPasswordScreen } from './screens/sign-in/reset-password-screen.tsx';
import { SignInScreen } from './screens/sign-in/sign-in-screen.tsx';
import { WorkOrderScreen } from './screens/work-orders/work-order-screen.tsx';
import { WorkOrdersScreen } from './screens/work-orders/work-orders-screen.tsx';
import { ToastRegion } from './ui/toast.tsx';
import { useLive } from './use-live.ts';

const EditorScreen = lazy(async () => ({
  default: (await import('./screens/editor/editor-screen.tsx')).EditorScreen,
}));
const PagesScreen = lazy(async () => ({
  default: (await import('./screens/pages/pages-screen.tsx')).PagesScreen,
}));
const PageScreen = lazy(async () => ({
  default: (await import('./screens/pages/page-screen.tsx')).PageScreen,
}));
const PageEditor = lazy(async () => ({
  default: (await import('./screens/pages/page-editor.tsx')).PageEditor,
}));
const NewPage = lazy(async () => ({
  default: (await import('./screens/pages/page-editor.tsx')).NewPage,
}));
const PeopleScreen = lazy(async () => ({
  default: (await import('./screens/people/people-screen.tsx')).PeopleScreen,
}));
const PersonScreen = lazy(async () => ({
  default: (await import('./screens/people/profiles.tsx')).PersonScreen,
}));
const TeamScreen = lazy(async () => ({
  default: (await import('./screens/people/profiles.tsx')).TeamScreen,
}));
const SyncScreen = lazy(async () => ({
  default: (await import('./screens/sync/sync-screen.tsx')).SyncScreen,
}));
const ConflictScreen = lazy(async () => ({
  default: (await import('./screens/sync/conflict-screen.tsx')).ConflictScreen,
}));

/** The whole app on one engine. */
export function App({ engine }: { engine: Engine }) {
  const [, navigate] = useLocation();
  useLayoutEffect(applyPreferences, []);
  return (
    <RouterProvider navigate={(path) => navigate(path)}>
      <EngineProvider engine={engine}>
        <ErrorBoundary engine={engine}>
          <Suspense fallback={<Restoring />}>
            <Gate />
          </Suspense>
        </ErrorBoundary>
        <ToastRegion />
      </EngineProvider>
    </RouterProvider>
  );
}

/** Without a person there is only the sign-in; reading goes on when a session has expired. */
function Gate() {
  const session = useLive('session');
  const [path] = useLocation();
  if (session.status === 'restoring') return <Restoring />;
  if (path === '/forgot-password') return <ForgotPasswordScreen />;
  if (path === '/reset-password') return <ResetPasswordScreen />;
  if (session.status === 'signed-out' || path === '/sign-in') return <SignInScreen />;
  return <Place path={path} />;
}

/** The screen a person leaves stays until the next one can be shown; only a slow one is waited for visibly. */
function Place({ path }: { path: string }) {
  const shown = useDeferredValue(path);
  return (
    <Shell path={shown}>
      <Routes path={shown} />
    </Shell>
  );
}

function Routes({ path }: { path: string }) {
  return (
    <Switch location={path}>
      <Route path="/">
        <LibraryScreen shelf={{ kind: 'all' }} />
      </Route>
      <Route path="/library/:category?">{({ category }) => <LibraryShelf category={category} />}</Route>
      <Route path="/favorites">
        <LibraryScreen shelf={{ kind: 'favorites' }} />
      </Route>
      <Route path="/guides/:guideid">
        {({ guideid }) => <PlayerScreen key={guideid} guideid={guideid} />}
      </Route>
      <Route path="/guides/:guideid/edit">{({ guideid }) => <EditorScreen guideid={guideid} />}</Route>
      <Route path="/pages">
        <PagesScreen />
      </Route>
      <Route path="/pages/new">
        <NewPage />
      </Route>
      <Route path="/pages/:wikiid">{({ wikiid }) => <PageScreen key={wikiid} wikiid={wikiid} />}</Route>
      <Route path="/pages/:wikiid/edit">{({ wikiid }) => <PageEditor wikiid={wikiid} />}</Route>
      <Route path="/people">
        <PeopleScreen />
      </Route>
      <Route path="/people/:userid">{({ userid }) => <PersonScreen userid={userid} />}</Route>
      <Route path="/teams/:teamid">{({ teamid }) => <TeamScreen teamid={teamid} />}</Route>
      <Route path="/work-orders">
        <WorkOrdersScreen />
      </Route>
      <Route path="/work-orders/:entryid">{({ entryid }) => <WorkOrderScreen entryid={entryid} />}</Route>
      <Route path="/sync">
        <SyncScreen />
      </Route>
      <Route path="/sync/conflicts/:guideid">{({ guideid }) => <ConflictScreen guideid={guideid} />}</Route>
      <Route path="/settings">
        <SettingsScreen />
      </Route>
      <Route>
        <NotFoundScreen />
      </Route>
    </Switch>
  );
}
