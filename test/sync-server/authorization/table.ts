import type { EndpointTable } from '#shared/api/endpoint.ts';
import type { Surface } from '#shared/api/surface.ts';

import { administrators, type Row } from './row.ts';
import { approvalRows } from './rows-approvals.ts';
import {
  categoryRows,
  glossaryRows,
  guideRows,
  guideSharingRows,
  releaseRows,
  searchRows,
  tagRows,
  wikiRows,
} from './rows-guides.ts';
import { omanualRows, omanualVariantRows } from './rows-omanual.ts';
import {
  accountRows,
  deviceSecretRows,
  passwordResetRows,
  sessionRows,
  setupRows,
  siteRows,
  sitesRows,
  teamRows,
  tokenRows,
  userRows,
  webhookRows,
} from './rows-people.ts';
import { quizRows } from './rows-quizzes.ts';
import { courseRows, trainingModuleRows } from './rows-training.ts';
import { stationBadgeRows, stationRows } from './rows-stations.ts';
import { signOnRows, signOnSessionRows } from './rows-sign-on.ts';
import {
  commentRows,
  deviationRows,
  mediaRows,
  plannedOrderRows,
  postRows,
  reportRows,
  shiftSummaryRows,
  stepFormRows,
  tracingRows,
  workLogRows,
} from './rows-work.ts';

/** Rows for every endpoint of a table: a missing one does not compile. */
export type RowsOf<T extends EndpointTable> = { [K in keyof T]: Row | Row[] };

/** The permissions: every endpoint of the contract, by role and ownership. */
export const authorization: { [R in keyof Surface]: RowsOf<Surface[R]> } = {
  sites: sitesRows,
  site: siteRows,
  setup: setupRows,
  webhooks: webhookRows,
  tokens: tokenRows,
  passwordReset: passwordResetRows,
  sessions: sessionRows,
  deviceSecrets: deviceSecretRows,
  accounts: accountRows,
  users: userRows,
  teams: teamRows,
  guides: guideRows,
  guideSharing: guideSharingRows,
  releases: releaseRows,
  workLog: workLogRows,
  deviations: deviationRows,
  plannedOrders: plannedOrderRows,
  tracing: tracingRows,
  reports: reportRows,
  shiftSummaries: shiftSummaryRows,
  stations: stationRows,
  stationBadges: stationBadgeRows,
  stepForms: stepFormRows,
  comments: commentRows,
  media: mediaRows,
  omanual: omanualRows,
  omanualVariant: omanualVariantRows,
  posts: postRows,
  wikis: wikiRows,
  categories: categoryRows,
  tags: tagRows,
  translationGlossary: glossaryRows,
  search: searchRows,
  externalTrainingModules: trainingModuleRows,
  courses: courseRows,
  quizzes: quizRows,
  approvals: approvalRows,
  signOn: signOnRows,
  signOnSessions: signOnSessionRows,
  audit: { list: { expect: { any: administrators(200) } } },
};

/**
 * Endpoints that answer 403 instead of 404 for an invisible guide, because the caller already knows of it. All others
 * treat a private guide like a missing one.
 */
export const tellsOfPrivateGuides: readonly string[] = [
  // A former holder sees an entry even when its guide is lost to them; assuming it needs the guide (spec, "States").
  'workLog.assume',
];
