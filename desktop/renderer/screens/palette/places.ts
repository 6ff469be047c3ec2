import type { Session } from '#desktop/engine/api/sync-records.ts';
import { canCreatePages } from '#desktop/engine/features/records/wiki-access.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { accountText } from '#desktop/renderer/text/en/account.ts';
import { administrationText } from '#desktop/renderer/text/en/administration.ts';
import { paletteText } from '#desktop/renderer/text/en/palette.ts';
import { shiftWords } from '#desktop/renderer/text/en/shift-summaries.ts';
import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import { screens, type ScreenName } from '#shared/rules/screens.ts';

/** A screen without parameters, which shows the navigation of the app. */
type FixedScreen = {
  [Name in ScreenName]: (typeof screens)[Name] extends { isAlone: true }
    ? never
    : (typeof screens)[Name]['path'] extends `${string}:${string}`
      ? never
      : Name;
}[ScreenName];

const { training, approvals } = text;

/** The names of all screens that have one address. A new screen without a name does not compile. */
const names: Record<FixedScreen, string> = {
  stationHome: paletteText.screens.stationHome,
  library: text.library.allGuides,
  favorites: paletteText.screens.favorites,
  workOrders: text.workOrders.title,
  planned: text.planned.title,
  board: text.board.title,
  deviations: text.deviations.all,
  trace: text.tracing.open,
  orderHistory: text.workOrders.toHistory,
  reports: text.workOrders.toReports,
  shifts: shiftWords.title,
  pages: text.navigation.pages,
  newPage: paletteText.screens.newPage,
  archives: text.navigation.archives,
  people: text.navigation.people,
  profile: paletteText.screens.profile,
  courses: training.sections.courses,
  quizzes: training.sections.quizzes,
  results: training.sections.results,
  sessions: training.sections.sessions,
  plans: training.sections.manage,
  newPlan: paletteText.screens.newPlan,
  modules: training.sections.modules,
  approvals: approvals.title,
  feedback: text.feedback.title,
  sync: text.navigation.sync,
  settings: paletteText.screens.settings,
  account: accountText.title,
  status: text.serverStatus.title,
  ...administrationText.sections,
  administration: text.navigation.administration,
};

/** The screens of a station: those of its header, and those to which they lead. */
const ofStation: ReadonlySet<ScreenName> = new Set([
  'stationHome',
  'library',
  'favorites',
  'workOrders',
  'sync',
]);

/** Who is asked for. `isStation`: this device is a station. */
export interface Visitor {
  user: Session['user'];
  isStation: boolean;
}

const administration: ReadonlySet<ScreenName> = new Set(['stations']);
const learning: ReadonlySet<ScreenName> = new Set(['courses', 'quizzes', 'results', 'sessions']);
const teaching: ReadonlySet<ScreenName> = new Set(['plans', 'newPlan', 'modules']);
const personal: ReadonlySet<ScreenName> = new Set(['profile', 'account']);

/**
 * Whether a screen is offered to a person.
 *
 * - PALETTE-5 The palette offers no screen that would only say that the person may not see it, at a station only the screens
 *   of stations, and does not open while the station is locked.
 */
function isOffered(name: FixedScreen, { user, isStation }: Visitor): boolean {
  if (isStation) return ofStation.has(name);
  if (name === 'stationHome' || user === null) return false;
  const has = (...privileges: string[]): boolean => privileges.some((one) => user.privileges.includes(one));
  const isShared = has('Kiosk');
  if (screens[name].sees === 'administrator' || administration.has(name)) return has('Admin') && !isShared;
  if (name === 'newPage') return canCreatePages(user.privileges);
  if (learning.has(name)) return !isBeyondKiosk(user, 'quiz.take');
  if (teaching.has(name)) return has('Author', 'Moderator', 'Admin') && !isShared;
  return !personal.has(name) || !isShared;
}

/** The screens that a person can open, in the order in which they are listed. */
export function placesFor(visitor: Visitor): { name: FixedScreen; words: string; href: string }[] {
  return (Object.keys(names) as FixedScreen[])
    .filter((name) => isOffered(name, visitor))
    .map((name) => ({ name, words: names[name], href: screens[name].path }));
}
