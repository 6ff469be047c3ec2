import { lazy, type ComponentType, type ReactNode } from 'react';
import type { StringRouteParams } from 'wouter';

import { archivedGuideId } from '#desktop/engine/features/archives/ids.ts';
import type { ScreenName, screens } from '#shared/rules/screens.ts';

import { LibraryScreen, LibraryShelf } from './screens/library/library-screen.tsx';
import { PlayerScreen } from './screens/player/player-screen.tsx';
import { NotFoundScreen } from '#desktop/renderer/screens/shell/empty-page.tsx';
import { useScreenAt } from './use-screen-at.ts';

/** A screen whose code is loaded when it is first shown. */
function late<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await load() }));
}

const StationHomeScreen = late(
  async () => (await import('./screens/station/home-screen.tsx')).StationHomeScreen,
);
const EnrolScreen = late(async () => (await import('./screens/station/enrol-screen.tsx')).EnrolScreen);
const StationsScreen = late(
  async () => (await import('./screens/stations/stations-screen.tsx')).StationsScreen,
);
const StationScreen = late(async () => (await import('./screens/stations/station-screen.tsx')).StationScreen);
const BoardScreen = late(async () => (await import('./screens/board/board-screen.tsx')).BoardScreen);
const TraceScreen = late(async () => (await import('./screens/trace/trace-screen.tsx')).TraceScreen);
const OrderHistoryScreen = late(
  async () => (await import('./screens/order-history/order-history-screen.tsx')).OrderHistoryScreen,
);
const ReportsScreen = late(async () => (await import('./screens/reports/reports-screen.tsx')).ReportsScreen);
const ShiftsScreen = late(async () => (await import('./screens/shifts/shifts-screen.tsx')).ShiftsScreen);
const ShiftScreen = late(async () => (await import('./screens/shifts/shift-screen.tsx')).ShiftScreen);
const PlannedScreen = late(async () => (await import('./screens/planned/planned-screen.tsx')).PlannedScreen);
const DeviationsScreen = late(
  async () => (await import('./screens/deviations/deviations-screen.tsx')).DeviationsScreen,
);
const WorkOrderScreen = late(
  async () => (await import('./screens/work-orders/work-order-screen.tsx')).WorkOrderScreen,
);
const WorkOrdersScreen = late(
  async () => (await import('./screens/work-orders/work-orders-screen.tsx')).WorkOrdersScreen,
);
const EditorScreen = late(async () => (await import('./screens/editor/editor-screen.tsx')).EditorScreen);
const HistoryScreen = late(async () => (await import('./screens/history/history-screen.tsx')).HistoryScreen);
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
const ForgotPasswordScreen = late(
  async () => (await import('./screens/sign-in/forgot-password-screen.tsx')).ForgotPasswordScreen,
);
const ResetPasswordScreen = late(
  async () => (await import('./screens/sign-in/reset-password-screen.tsx')).ResetPasswordScreen,
);
const SettingsScreen = late(
  async () => (await import('./screens/settings/settings-screen.tsx')).SettingsScreen,
);
const AccountScreen = late(async () => (await import('./screens/account/account-screen.tsx')).AccountScreen);
const SiteScreen = late(async () => (await import('./screens/site/site-screen.tsx')).SiteScreen);
const SignInSettingsScreen = late(
  async () => (await import('./screens/site/site-screen.tsx')).SignInSettingsScreen,
);
const AccountsScreen = late(
  async () => (await import('./screens/administration/accounts-screen.tsx')).AccountsScreen,
);
const AdministeredAccountScreen = late(
  async () => (await import('./screens/administration/account-screen.tsx')).AccountScreen,
);
const AdministeredTeamsScreen = late(
  async () => (await import('./screens/administration/teams-screen.tsx')).TeamsScreen,
);
const AdministeredTeamScreen = late(
  async () => (await import('./screens/administration/team-screen.tsx')).TeamScreen,
);
const SiteSessionsScreen = late(
  async () => (await import('./screens/administration/sessions-screen.tsx')).SiteSessionsScreen,
);
const JobsScreen = late(async () => (await import('./screens/administration/jobs-screen.tsx')).JobsScreen);
const RedeemScreen = late(async () => (await import('./screens/sign-in/redeem-screen.tsx')).RedeemScreen);
const MailScreen = late(async () => (await import('./screens/administration/mail-screen.tsx')).MailScreen);
const BackupsScreen = late(
  async () => (await import('./screens/administration/backups-screen.tsx')).BackupsScreen,
);
const StatusScreen = late(async () => (await import('./screens/site/status-screen.tsx')).StatusScreen);
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
const FeedbackScreen = late(
  async () => (await import('./screens/feedback/feedback-screen.tsx')).FeedbackScreen,
);
const CoursesScreen = late(async () => (await import('./screens/training/courses-screen.tsx')).CoursesScreen);
const QuizzesScreen = late(async () => (await import('./screens/training/quizzes-screen.tsx')).QuizzesScreen);
const QuizScreen = late(async () => (await import('./screens/training/quiz-screen.tsx')).QuizScreen);
const QuizManagementScreen = late(
  async () => (await import('./screens/training/quiz-management-screen.tsx')).QuizManagementScreen,
);
const AttemptScreen = late(async () => (await import('./screens/training/attempt-screen.tsx')).AttemptScreen);
const ResultsScreen = late(async () => (await import('./screens/training/results-screen.tsx')).ResultsScreen);
const SessionsScreen = late(
  async () => (await import('./screens/training/sessions-screen.tsx')).SessionsScreen,
);
const PlansScreen = late(async () => (await import('./screens/training/plans-screen.tsx')).PlansScreen);
const PlanScreen = late(async () => (await import('./screens/training/plan-screen.tsx')).PlanScreen);
const ModulesScreen = late(async () => (await import('./screens/training/modules-screen.tsx')).ModulesScreen);
const ModuleScreen = late(async () => (await import('./screens/training/module-screen.tsx')).ModuleScreen);
const SetupScreen = late(async () => (await import('./screens/sign-in/setup-screen.tsx')).SetupScreen);
const SyncScreen = late(async () => (await import('./screens/sync/sync-screen.tsx')).SyncScreen);
const ConflictScreen = late(async () => (await import('./screens/sync/conflict-screen.tsx')).ConflictScreen);

type Elements = {
  [Name in ScreenName]: (params: StringRouteParams<(typeof screens)[Name]['path']>) => ReactNode;
};

/** The element for each screen of `shared/rules/screens.ts`. */
const elements: Elements = {
  library: () => <LibraryScreen shelf={{ kind: 'all' }} />,
  category: ({ category }) => <LibraryShelf category={category} />,
  favorites: () => <LibraryScreen shelf={{ kind: 'favorites' }} />,
  guide: ({ guideid }) => <PlayerScreen key={guideid} guideid={guideid} />,
  guideEditor: ({ guideid }) => <EditorScreen guideid={guideid} />,
  guideHistory: ({ guideid }) => <HistoryScreen guideid={guideid} />,
  guideQuiz: ({ guideid, quizid }) => <QuizScreen key={quizid} place={{ quizid: Number(quizid), guideid }} />,
  archives: () => <ArchivesScreen />,
  archive: ({ archiveid }) => <ArchiveScreen key={archiveid} archiveid={archiveid} />,
  archivedGuide: ({ archiveid, place }) => {
    const guideid = archivedGuideId(archiveid, Number(place));
    return <PlayerScreen key={guideid} guideid={guideid} />;
  },
  pages: () => <PagesScreen />,
  newPage: () => <NewPage />,
  page: ({ wikiid }) => <PageScreen key={wikiid} wikiid={wikiid} />,
  pageEditor: ({ wikiid }) => <PageEditor wikiid={wikiid} />,
  namedPage: ({ kind, title }) => <NamedPage kind={kind} title={title} />,
  pageTranslation: ({ wikiid, langid }) => <TranslateScreen wikiid={wikiid} langid={langid} />,
  people: () => <PeopleScreen />,
  person: ({ userid }) => <PersonScreen userid={userid} />,
  personPage: ({ userid }) => <PersonPage userid={userid} />,
  team: ({ teamid }) => <TeamScreen teamid={teamid} />,
  teamPage: ({ teamid }) => <TeamPage teamid={teamid} />,
  profile: () => <ProfileScreen />,
  courses: () => <CoursesScreen />,
  quizzes: () => <QuizzesScreen />,
  quizManagement: ({ quizid }) => <QuizManagementScreen key={quizid} quizid={Number(quizid)} />,
  quiz: ({ quizid }) => <QuizScreen key={quizid} place={{ quizid: Number(quizid) }} />,
  stageQuiz: ({ stageid, quizid }) => (
    <QuizScreen key={quizid} place={{ quizid: Number(quizid), courseStageid: Number(stageid) }} />
  ),
  attempt: ({ sessionid }) => <AttemptScreen key={sessionid} sessionid={sessionid} />,
  results: () => <ResultsScreen />,
  plans: () => <PlansScreen />,
  newPlan: () => <PlanScreen courseid={null} />,
  plan: ({ courseid }) => <PlanScreen key={courseid} courseid={Number(courseid)} />,
  modules: () => <ModulesScreen />,
  module: ({ moduleid }) => <ModuleScreen key={moduleid} moduleid={Number(moduleid)} />,
  sessions: () => <SessionsScreen />,
  approvals: () => <ApprovalsScreen />,
  approval: ({ guideid }) => <ApprovalScreen key={guideid} guideid={guideid} />,
  feedback: () => <FeedbackScreen />,
  workOrders: () => <WorkOrdersScreen />,
  planned: () => <PlannedScreen />,
  deviations: () => <DeviationsScreen />,
  board: () => <BoardScreen />,
  trace: () => <TraceScreen />,
  orderHistory: () => <OrderHistoryScreen />,
  reports: () => <ReportsScreen />,
  shifts: () => <ShiftsScreen />,
  shift: ({ summaryid }) => <ShiftScreen summaryid={summaryid} />,
  workOrder: ({ entryid }) => <WorkOrderScreen entryid={entryid} />,
  sync: () => <SyncScreen />,
  conflict: ({ guideid }) => <ConflictScreen guideid={guideid} />,
  stations: () => <StationsScreen />,
  station: ({ stationid }) => <StationScreen key={stationid} stationid={Number(stationid)} />,
  stationHome: () => <StationHomeScreen />,
  enrol: () => <EnrolScreen />,
  settings: () => <SettingsScreen />,
  account: () => <AccountScreen />,
  administration: () => <StatusScreen />,
  accounts: () => <AccountsScreen />,
  administeredAccount: ({ userid }) => <AdministeredAccountScreen key={userid} userid={Number(userid)} />,
  teamsOfSite: () => <AdministeredTeamsScreen />,
  administeredTeam: ({ teamid }) => <AdministeredTeamScreen key={teamid} teamid={Number(teamid)} />,
  sessionsOfSite: () => <SiteSessionsScreen />,
  jobs: () => <JobsScreen />,
  redeem: () => <RedeemScreen />,
  signInSettings: () => <SignInSettingsScreen />,
  mail: () => <MailScreen />,
  backups: () => <BackupsScreen />,
  site: () => <SiteScreen />,
  status: () => <StatusScreen />,
  apps: () => <AppsScreen />,
  audit: () => <AuditScreen />,
  webhooks: () => <WebhooksScreen />,
  approvalProcesses: () => <ProcessesScreen />,
  // The frame draws it.
  signIn: () => null,
  forgotPassword: () => <ForgotPasswordScreen />,
  resetPassword: () => <ResetPasswordScreen />,
  setup: () => <SetupScreen />,
};

/** Renders the screen at an address. */
export function Routes({ path }: { path: string }) {
  const found = useScreenAt(path);
  if (found === undefined) return <NotFoundScreen />;
  const show: (params: never) => ReactNode = elements[found.name];
  return show(found.params as never);
}
