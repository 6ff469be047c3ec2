/** The entries of the main navigation, in order. */
export const navigationEntries = [
  'library',
  'pages',
  'archives',
  'people',
  'training',
  'workOrders',
  'approvals',
  'feedback',
  'sync',
  'administration',
] as const;
export type NavigationEntry = (typeof navigationEntries)[number];

/** A screen of the app. */
export interface Screen {
  /** The path, with parameters such as `:guideid`; `?` at the end: the last parameter is optional. */
  path: string;
  /** The entry of the main navigation that it belongs to. */
  place: NavigationEntry | null;
  /** Who can see it. Others are asked to sign in, or are shown that it is for administrators. */
  sees: 'anyone' | 'member' | 'administrator';
  /** Whether it is shown without the bar and navigation of the app. */
  isAlone?: true;
}

const of =
  (place: NavigationEntry | null, sees: Screen['sees'] = 'member') =>
  <const Path extends string>(path: Path) => ({ path, place, sees });

const library = of('library');
const pages = of('pages');
const archives = of('archives', 'anyone');
const people = of('people');
const training = of('training');
const workOrders = of('workOrders');
const approvals = of('approvals');
const feedback = of('feedback');
const sync = of('sync');
const settings = of(null);
const administration = of('administration', 'administrator');
/** Leads see some of it, without the entry of the navigation. */
const stations = of('administration');
const signIn = <const Path extends string>(path: Path) => ({
  ...of(null, 'anyone')(path),
  isAlone: true as const,
});

/**
 * Every screen. Routes, navigation, the addresses at which the server serves the app, and the tests of all screens
 * follow from this list. If two paths match an address, the first one counts. `desktop/renderer/routes.tsx` lists the
 * components.
 */
export const screens = {
  library: library('/'),
  category: library('/library/:category?'),
  favorites: library('/favorites'),
  guide: library('/guides/:guideid'),
  guideEditor: library('/guides/:guideid/edit'),
  guideHistory: library('/guides/:guideid/history'),
  guideQuiz: library('/guides/:guideid/quizzes/:quizid'),

  archives: archives('/archives'),
  archive: archives('/archives/:archiveid'),
  archivedGuide: archives('/archives/:archiveid/guides/:place'),

  pages: pages('/pages'),
  newPage: pages('/pages/new'),
  page: pages('/pages/:wikiid'),
  pageEditor: pages('/pages/:wikiid/edit'),
  namedPage: pages('/pages/named/:kind/:title'),
  pageTranslation: pages('/pages/:wikiid/translate/:langid'),

  people: people('/people'),
  person: people('/people/:userid'),
  personPage: people('/people/:userid/page'),
  team: people('/teams/:teamid'),
  teamPage: people('/teams/:teamid/page'),
  profile: people('/profile'),

  courses: training('/training'),
  quizzes: training('/training/quizzes'),
  quizManagement: training('/training/quizzes/:quizid/manage'),
  quiz: training('/training/quizzes/:quizid'),
  stageQuiz: training('/training/stages/:stageid/quizzes/:quizid'),
  attempt: training('/training/attempts/:sessionid'),
  results: training('/training/results'),
  plans: training('/training/plans'),
  newPlan: training('/training/plans/new'),
  plan: training('/training/plans/:courseid'),
  modules: training('/training/modules'),
  module: training('/training/modules/:moduleid'),
  sessions: training('/training/sessions'),

  approvals: approvals('/approvals'),
  approval: approvals('/approvals/:guideid'),

  feedback: feedback('/feedback'),

  workOrders: workOrders('/work-orders'),
  workOrder: workOrders('/work-orders/:entryid'),
  deviations: workOrders('/deviations'),
  planned: workOrders('/planned'),
  board: workOrders('/board'),
  trace: workOrders('/trace'),
  orderHistory: workOrders('/order-history'),
  reports: workOrders('/reports'),
  shifts: workOrders('/shifts'),
  shift: workOrders('/shifts/:summaryid'),

  sync: sync('/sync'),
  conflict: sync('/sync/conflicts/:guideid'),

  settings: settings('/settings'),
  account: settings('/settings/account'),
  administration: administration('/administration'),
  accounts: administration('/administration/people'),
  administeredAccount: administration('/administration/people/:userid'),
  teamsOfSite: administration('/administration/teams'),
  administeredTeam: administration('/administration/teams/:teamid'),
  sessionsOfSite: administration('/administration/sessions'),
  signInSettings: administration('/administration/sign-in'),
  mail: administration('/administration/mail'),
  backups: administration('/administration/backups'),
  jobs: administration('/administration/jobs'),
  site: administration('/settings/site'),
  status: administration('/settings/status'),
  apps: administration('/settings/apps'),
  audit: administration('/settings/audit'),
  webhooks: administration('/settings/webhooks'),
  approvalProcesses: administration('/settings/approvals'),

  stations: stations('/stations'),
  station: stations('/stations/:stationid'),
  stationHome: settings('/station'),
  enrol: signIn('/enrol'),

  signIn: signIn('/sign-in'),
  forgotPassword: signIn('/forgot-password'),
  resetPassword: signIn('/reset-password'),
  redeem: signIn('/redeem'),
  setup: signIn('/setup'),
} satisfies Readonly<Record<string, Screen>>;

export type ScreenName = keyof typeof screens;

/** The screens with their names, in the order in which paths are matched. */
export const screenList = Object.entries(screens) as readonly (readonly [ScreenName, Screen])[];

/** The address of an entry of the main navigation: the path of its first screen. */
export function addressOfEntry(place: NavigationEntry): string {
  return screenList.find(([, screen]) => screen.place === place)?.[1].path ?? '/';
}

/**
 * The addresses at which the server serves the app, `*` for any rest: those of the screens, and everything below their
 * first segment, because the app itself shows best that a screen does not exist.
 */
export function appAddresses(): string[] {
  const addresses = screenList.flatMap(([, { path }]) => {
    const [, first = '', ...more] = path.split('/');
    const below = more.length > 0 ? [`/${first}/*`] : [];
    const isOptional = more.length === 1 && path.endsWith('?');
    return more.length === 0 || isOptional ? [`/${first}`, ...below] : below;
  });
  return [...new Set(addresses)];
}
