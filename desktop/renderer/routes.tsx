import { lazy, type ComponentType } from 'react';
import { Route, Switch } from 'wouter';

import { archivedGuideId } from '#desktop/engine/features/archives/ids.ts';

import { LibraryScreen, LibraryShelf } from './screens/library/library-screen.tsx';
import { PlayerScreen } from './screens/player/player-screen.tsx';
import { SettingsScreen } from './screens/settings/settings-screen.tsx';
import { NotFoundScreen } from './screens/shell/not-found-screen.tsx';
import { WorkOrderScreen } from './screens/work-orders/work-order-screen.tsx';
import { WorkOrdersScreen } from './screens/work-orders/work-orders-screen.tsx';

/** A screen whose code is fetched when it is first shown. */
function late<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await load() }));
}

const EditorScreen = late(async () => (await import('./screens/editor/editor-screen.tsx')).EditorScreen);
const ArchivesScreen = late(
  async () => (await import('./screens/archives/archives-screen.tsx')).ArchivesScreen,
);
const ArchiveScreen = late(async () => (await import('./screens/archives/archive-screen.tsx')).ArchiveScreen);
const PagesScreen = late(async () => (await import('./screens/pages/pages-screen.tsx')).PagesScreen);
const PageScreen = late(async () => (await import('./screens/pages/page-screen.tsx')).PageScreen);
const PageEditor = late(async () => (await import('./screens/pages/page-editor.tsx')).PageEditor);
const NewPage = late(async () => (await import('./screens/pages/page-editor.tsx')).NewPage);
const NamedPage = late(async () => (await import('./screens/pages/named-page.tsx')).NamedPage);
const TranslateScreen = late(
  async () => (await import('./screens/pages/translate-screen.tsx')).TranslateScreen,
);
const PeopleScreen = late(async () => (await import('./screens/people/people-screen.tsx')).PeopleScreen);
const PersonScreen = late(async () => (await import('./screens/people/profiles.tsx')).PersonScreen);
const TeamScreen = late(async () => (await import('./screens/people/profiles.tsx')).TeamScreen);
const PersonPage = late(async () => (await import('./screens/people/own-page.tsx')).PersonPage);
const TeamPage = late(async () => (await import('./screens/people/own-page.tsx')).TeamPage);
const ProfileScreen = late(async () => (await import('./screens/people/profile-editor.tsx')).ProfileScreen);
const AccountScreen = late(async () => (await import('./screens/account/account-screen.tsx')).AccountScreen);
const SiteScreen = late(async () => (await import('./screens/site/site-screen.tsx')).SiteScreen);
const AppsScreen = late(async () => (await import('./screens/site/apps-screen.tsx')).AppsScreen);
const AuditScreen = late(async () => (await import('./screens/site/audit-screen.tsx')).AuditScreen);
const WebhooksScreen = late(async () => (await import('./screens/site/webhooks-screen.tsx')).WebhooksScreen);
const ApprovalsScreen = late(
  async () => (await import('./screens/approvals/approvals-screen.tsx')).ApprovalsScreen,
);
const ApprovalScreen = late(
  async () => (await import('./screens/approvals/approval-screen.tsx')).ApprovalScreen,
);
const ProcessesScreen = late(
  async () => (await import('./screens/approvals/processes-screen.tsx')).ProcessesScreen,
);
const CoursesScreen = late(async () => (await import('./screens/training/courses-screen.tsx')).CoursesScreen);
const QuizzesScreen = late(async () => (await import('./screens/training/quizzes-screen.tsx')).QuizzesScreen);
const QuizScreen = late(async () => (await import('./screens/training/quiz-screen.tsx')).QuizScreen);
const AttemptScreen = late(async () => (await import('./screens/training/attempt-screen.tsx')).AttemptScreen);
const ResultsScreen = late(async () => (await import('./screens/training/results-screen.tsx')).ResultsScreen);
const SessionsScreen = late(
  async () => (await import('./screens/training/sessions-screen.tsx')).SessionsScreen,
);
const PlansScreen = late(async () => (await import('./screens/training/plans-screen.tsx')).PlansScreen);
const PlanScreen = late(async () => (await import('./screens/training/plan-screen.tsx')).PlanScreen);
const ModulesScreen = late(async () => (await import('./screens/training/modules-screen.tsx')).ModulesScreen);
const ModuleScreen = late(async () => (await import('./screens/training/module-screen.tsx')).ModuleScreen);
const SyncScreen = late(async () => (await import('./screens/sync/sync-screen.tsx')).SyncScreen);
const ConflictScreen = late(async () => (await import('./screens/sync/conflict-screen.tsx')).ConflictScreen);

/** Guides: to find, to read, to write. */
const libraryRoutes = (
  <>
    <Route path="/">
      <LibraryScreen shelf={{ kind: 'all' }} />
    </Route>
    <Route path="/library/:category?">{({ category }) => <LibraryShelf category={category} />}</Route>
    <Route path="/favorites">
      <LibraryScreen shelf={{ kind: 'favorites' }} />
    </Route>
    <Route path="/guides/:guideid">{({ guideid }) => <PlayerScreen key={guideid} guideid={guideid} />}</Route>
    <Route path="/guides/:guideid/edit">{({ guideid }) => <EditorScreen guideid={guideid} />}</Route>
  </>
);

/** What was brought along in files. */
const archivesRoutes = (
  <>
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
  </>
);

/** The pages of the site. */
const pagesRoutes = (
  <>
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
  </>
);

/** Who works here. */
const peopleRoutes = (
  <>
    <Route path="/people">
      <PeopleScreen />
    </Route>
    <Route path="/people/:userid">{({ userid }) => <PersonScreen userid={userid} />}</Route>
    <Route path="/people/:userid/page">{({ userid }) => <PersonPage userid={userid} />}</Route>
    <Route path="/teams/:teamid">{({ teamid }) => <TeamScreen teamid={teamid} />}</Route>
    <Route path="/teams/:teamid/page">{({ teamid }) => <TeamPage teamid={teamid} />}</Route>
    <Route path="/profile">
      <ProfileScreen />
    </Route>
  </>
);

/** Quizzes, courses and modules. */
const trainingRoutes = (
  <>
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
  </>
);

/** What is to be done: signatures, work orders, and what waits to be sent. */
const workRoutes = (
  <>
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
  </>
);

/** How the app and its site are set. */
const settingsRoutes = (
  <>
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
    <Route path="/settings/account">
      <AccountScreen />
    </Route>
    <Route path="/settings/approvals">
      <ProcessesScreen />
    </Route>
    <Route path="/settings">
      <SettingsScreen />
    </Route>
  </>
);

/** The screen at an address. */
export function Routes({ path }: { path: string }) {
  return (
    <Switch location={path}>
      {libraryRoutes}
      {archivesRoutes}
      {pagesRoutes}
      {peopleRoutes}
      {trainingRoutes}
      {workRoutes}
      {settingsRoutes}
      <Route>
        <NotFoundScreen />
      </Route>
    </Switch>
  );
}
