import { accounts } from './accounts.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { comments } from './comments.ts';
import { courses } from './courses.ts';
import { deviations } from './deviations.ts';
import { externalTrainingModules } from './external-training-modules.ts';
import { guideSharing } from './guide-sharing.ts';
import { guides } from './guides.ts';
import { media } from './media.ts';
import { omanualVariant } from './omanual-variant.ts';
import { omanual } from './omanual.ts';
import { plannedOrders } from './planned-orders.ts';
import { posts } from './posts.ts';
import { quizzes } from './quizzes.ts';
import { releases } from './releases.ts';
import { reports } from './reports.ts';
import { search } from './search.ts';
import { setup } from './setup.ts';
import { shiftSummaries } from './shift-summaries.ts';
import { signOn, signOnSessions } from './sign-on.ts';
import { site, sites } from './site.ts';
import { stationBadges, stations } from './stations.ts';
import { stepForms } from './step-forms.ts';
import { tags } from './tags.ts';
import { teams } from './teams.ts';
import { deviceSecrets, passwordReset, sessions, tokens } from './tokens.ts';
import { tracing } from './tracing.ts';
import { translationGlossary } from './translation-glossary.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';
import { categories, wikis } from './wikis.ts';
import { workLog } from './work-log.ts';

/** Every resource by its name in clients. Written out, because the type declarations of the client name it. */
export type Surface = {
  tokens: typeof tokens;
  passwordReset: typeof passwordReset;
  sessions: typeof sessions;
  deviceSecrets: typeof deviceSecrets;
  accounts: typeof accounts;
  users: typeof users;
  teams: typeof teams;
  guides: typeof guides;
  guideSharing: typeof guideSharing;
  releases: typeof releases;
  workLog: typeof workLog;
  deviations: typeof deviations;
  plannedOrders: typeof plannedOrders;
  tracing: typeof tracing;
  reports: typeof reports;
  shiftSummaries: typeof shiftSummaries;
  stations: typeof stations;
  stationBadges: typeof stationBadges;
  stepForms: typeof stepForms;
  comments: typeof comments;
  media: typeof media;
  omanual: typeof omanual;
  omanualVariant: typeof omanualVariant;
  posts: typeof posts;
  wikis: typeof wikis;
  categories: typeof categories;
  tags: typeof tags;
  translationGlossary: typeof translationGlossary;
  search: typeof search;
  sites: typeof sites;
  site: typeof site;
  setup: typeof setup;
  webhooks: typeof webhooks;
  externalTrainingModules: typeof externalTrainingModules;
  courses: typeof courses;
  quizzes: typeof quizzes;
  approvals: typeof approvals;
  signOn: typeof signOn;
  signOnSessions: typeof signOnSessions;
  audit: typeof audit;
};

type OfflineIn<T> = { [K in keyof T]: T[K] extends { offline: infer Kind } ? Kind : never }[keyof T];

/** The kinds of calls that may wait on a device, as the endpoints declare them (`offline`). */
export type OfflineKind = { [R in keyof Surface]: OfflineIn<Surface[R]> }[keyof Surface];

/** The resources with such endpoints. */
export type OfflineSurface = {
  [R in keyof Surface as OfflineIn<Surface[R]> extends never ? never : R]: Surface[R];
};

/**
 * The tables of the whole API. The server's routes, the typed client and the OpenAPI document follow from them. Every
 * endpoint is tested:
 * - API-1 Without a token, an endpoint that needs one answers 401.
 * - API-2 With an invalid or ended token it answers 401.
 * - API-3 Another method at its path answers 405, with `Allow`.
 * - API-4 It names the missing fields of an empty body.
 * - API-5 It refuses an unknown field by name.
 * - API-6 It answers 404 to an id that does not exist.
 * - API-7 Every route of the specification is served.
 * - API-8 The typed client reaches every resource, and receives a refusal as a `Problem`.
 * - API-9 A record that can be read and written at one address is written with its revision, or with the ETag of a read
 *   if the caller sends one (`tagged`). The list of pictures in the media manager requires neither.
 */
export const surface: Surface = {
  tokens,
  passwordReset,
  sessions,
  deviceSecrets,
  accounts,
  users,
  teams,
  guides,
  guideSharing,
  releases,
  workLog,
  deviations,
  plannedOrders,
  tracing,
  reports,
  shiftSummaries,
  stations,
  stationBadges,
  stepForms,
  comments,
  media,
  omanual,
  omanualVariant,
  posts,
  wikis,
  categories,
  tags,
  translationGlossary,
  search,
  sites,
  site,
  setup,
  webhooks,
  externalTrainingModules,
  courses,
  quizzes,
  approvals,
  signOn,
  signOnSessions,
  audit,
};
