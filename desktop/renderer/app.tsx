import './ui/base.css';

import { lazy, Suspense, useDeferredValue, useLayoutEffect } from 'react';
import { RouterProvider } from 'react-aria-components';
import { Route, Switch, useLocation } from 'wouter';

import type { Engine } from '#desktop/engine/api.ts';
import { archivedGuideId } from '#desktop/engine/archives/ids.ts';

import { EngineProvider } from './engine-context.tsx';
import { applyPreferences } from './preferences.ts';
import { ArchiveOpening } from './screens/archives/opening.tsx';
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
const ArchivesScreen = lazy(async () => ({
  default: (await import('./screens/archives/archives-screen.tsx')).ArchivesScreen,
}));
const ArchiveScreen = lazy(async () => ({
  default: (await import('./screens/archives/archive-screen.tsx')).ArchiveScreen,
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
const NamedPage = lazy(async () => ({
  default: (await import('./screens/pages/named-page.tsx')).NamedPage,
}));
const TranslateScreen = lazy(async () => ({
  default: (await import('./screens/pages/translate-screen.tsx')).TranslateScreen,
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
const ProfileScreen = lazy(async () => ({
  default: (await import('./screens/people/profile-editor.tsx')).ProfileScreen,
}));
const SiteScreen = lazy(async () => ({
  default: (await import('./screens/site/site-screen.tsx')).SiteScreen,
}));
const AppsScreen = lazy(async () => ({
  default: (await import('./screens/site/apps-screen.tsx')).AppsScreen,
}));
const AuditScreen = lazy(async () => ({
  default: (await import('./screens/site/audit-screen.tsx')).AuditScreen,
}));
const WebhooksScreen = lazy(async () => ({
  default: (await import('./screens/site/webhooks-screen.tsx')).WebhooksScreen,
}));
const ApprovalsScreen = lazy(async () => ({
  default: (await import('./screens/approvals/approvals-screen.tsx')).ApprovalsScreen,
}));
const ApprovalScreen = lazy(async () => ({
  default: (await import('./screens/approvals/approval-screen.tsx')).ApprovalScreen,
}));
const ProcessesScreen = lazy(async () => ({
  default: (await import('./screens/approvals/processes-screen.tsx')).ProcessesScreen,
}));
const CoursesScreen = lazy(async () => ({
  default: (await import('./screens/training/courses-screen.tsx')).CoursesScreen,
}));
const QuizzesScreen = lazy(async () => ({
  default: (await import('./screens/training/quizzes-screen.tsx')).QuizzesScreen,
}));
const QuizScreen = lazy(async () => ({
  default: (await import('./screens/training/quiz-screen.tsx')).QuizScreen,
}));
const AttemptScreen = lazy(async () => ({
  default: (await import('./screens/training/attempt-screen.tsx')).AttemptScreen,
}));
const ResultsScreen = lazy(async () => ({
  default: (await import('./screens/training/results-screen.tsx')).ResultsScreen,
}));
const SessionsScreen = lazy(async () => ({
  default: (await import('./screens/training/sessions-screen.tsx')).SessionsScreen,
}));
const PlansScreen = lazy(async () => ({
  default: (await import('./screens/training/plans-screen.tsx')).PlansScreen,
}));
const PlanScreen = lazy(async () => ({
  default: (await import('./screens/training/plan-screen.tsx')).PlanScreen,
}));
const ModulesScreen = lazy(async () => ({
  default: (await import('./screens/training/modules-screen.tsx')).ModulesScreen,
}));
const ModuleScreen = lazy(async () => ({
  default: (await import('./screens/training/module-screen.tsx')).ModuleScreen,
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
      <Route path="/archives">
        <ArchivesScreen />
      </Route>
      <Route path="/archives/:archiveid">
        {({ archiveid }) => <ArchiveScreen key={archiveid} archiveid={archiveid} />}
      </Route>
      <Route path="/archives/:archiveid/guides/:place">
        {({ archiveid, place }) => {
          const guideid = archivedGuideId(archiveid, Number(place));
          return <PlayerScreen key={guideid} guideid={guideid} />;
        }}
      </Route>
      <Route path="/pages">
        <PagesScreen />
      </Route>
      <Route path="/pages/new">
        <NewPage />
      </Route>
      <Route path="/pages/:wikiid">{({ wikiid }) => <PageScreen key={wikiid} wikiid={wikiid} />}</Route>
      <Route path="/pages/:wikiid/edit">{({ wikiid }) => <PageEditor wikiid={wikiid} />}</Route>
      <Route path="/pages/named/:kind/:title">
        {({ kind, title }) => <NamedPage kind={kind} title={title} />}
      </Route>
      <Route path="/pages/:wikiid/translate/:langid">
        {({ wikiid, langid }) => <TranslateScreen wikiid={wikiid} langid={langid} />}
      </Route>
      <Route path="/people">
        <PeopleScreen />
      </Route>
      <Route path="/people/:userid">{({ userid }) => <PersonScreen userid={userid} />}</Route>
      <Route path="/teams/:teamid">{({ teamid }) => <TeamScreen teamid={teamid} />}</Route>
      <Route path="/training">
        <CoursesScreen />
      </Route>
      <Route path="/training/quizzes">
        <QuizzesScreen />
      </Route>
      <Route path="/training/quizzes/:quizid">
        {({ quizid }) => <QuizScreen key={quizid} place={{ quizid: Number(quizid) }} />}
      </Route>
      <Route path="/training/stages/:stageid/quizzes/:quizid">
        {({ stageid, quizid }) => (
          <QuizScreen key={quizid} place={{ quizid: Number(quizid), courseStageid: Number(stageid) }} />
        )}
      </Route>
      <Route path="/guides/:guideid/quizzes/:quizid">
        {({ guideid, quizid }) => <QuizScreen key={quizid} place={{ quizid: Number(quizid), guideid }} />}
      </Route>
      <Route path="/training/attempts/:sessionid">
        {({ sessionid }) => <AttemptScreen key={sessionid} sessionid={sessionid} />}
      </Route>
      <Route path="/training/results">
        <ResultsScreen />
      </Route>
      <Route path="/training/plans">
        <PlansScreen />
      </Route>
      <Route path="/training/plans/new">
        <PlanScreen courseid={null} />
      </Route>
      <Route path="/training/plans/:courseid">
        {({ courseid }) => <PlanScreen key={courseid} courseid={Number(courseid)} />}
      </Route>
      <Route path="/training/modules">
        <ModulesScreen />
      </Route>
      <Route path="/training/modules/:moduleid">
        {({ moduleid }) => <ModuleScreen key={moduleid} moduleid={Number(moduleid)} />}
      </Route>
      <Route path="/training/sessions">
        <SessionsScreen />
      </Route>
      <Route path="/profile">
        <ProfileScreen />
      </Route>
      <Route path="/approvals">
        <ApprovalsScreen />
      </Route>
      <Route path="/approvals/:guideid">
        {({ guideid }) => <ApprovalScreen key={guideid} guideid={guideid} />}
      </Route>
      <Route path="/work-orders">
        <WorkOrdersScreen />
      </Route>
      <Route path="/work-orders/:entryid">{({ entryid }) => <WorkOrderScreen entryid={entryid} />}</Route>
      <Route path="/sync">
        <SyncScreen />
      </Route>
      <Route path="/sync/conflicts/:guideid">{({ guideid }) => <ConflictScreen guideid={guideid} />}</Route>
      <Route path="/settings/site">
        <SiteScreen />
      </Route>
      <Route path="/settings/apps">
        <AppsScreen />
      </Route>
      <Route path="/settings/audit">
        <AuditScreen />
      </Route>
      <Route path="/settings/webhooks">
        <WebhooksScreen />
      </Route>
      <Route path="/settings/approvals">
        <ProcessesScreen />
      </Route>
      <Route path="/settings">
        <SettingsScreen />
      </Route>
      <Route>
        <NotFoundScreen />
      </Route>
    </Switch>
  );
}
