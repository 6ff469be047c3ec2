import { comments } from '#shared/api/comments.ts';
import type { EndpointTable } from '#shared/api/endpoint.ts';
import { guideSharing } from '#shared/api/guide-sharing.ts';
import { guides } from '#shared/api/guides.ts';
import { media } from '#shared/api/media.ts';
import { posts } from '#shared/api/posts.ts';
import { releases } from '#shared/api/releases.ts';
import { search } from '#shared/api/search.ts';
import { site, sites } from '#shared/api/site.ts';
import { stepForms } from '#shared/api/step-forms.ts';
import { tags } from '#shared/api/tags.ts';
import { teams } from '#shared/api/teams.ts';
import { passwordReset, tokens } from '#shared/api/tokens.ts';
import { translationGlossary } from '#shared/api/translation-glossary.ts';
import { users } from '#shared/api/users.ts';
import { webhooks } from '#shared/api/webhooks.ts';
import { categories, wikis } from '#shared/api/wikis.ts';
import { workLog } from '#shared/api/work-log.ts';

import type { Row } from './row.ts';
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
import {
  passwordResetRows,
  siteRows,
  sitesRows,
  teamRows,
  tokenRows,
  userRows,
  webhookRows,
} from './rows-people.ts';
import { commentRows, mediaRows, postRows, stepFormRows, workLogRows } from './rows-work.ts';

/** The tables of the contract, by resource. */
export const contract = {
  sites,
  site,
  webhooks,
  tokens,
  passwordReset,
  users,
  teams,
  guides,
  guideSharing,
  releases,
  workLog,
  stepForms,
  comments,
  media,
  posts,
  wikis,
  categories,
  tags,
  translationGlossary,
  search,
};

/** Rows for every endpoint of a table: a missing one does not compile. */
export type RowsOf<T extends EndpointTable> = { [K in keyof T]: Row | Row[] };

/** Who may what: every endpoint of the contract, by role and by whose the record is. */
export const authorization: { [R in keyof typeof contract]: RowsOf<(typeof contract)[R]> } = {
  sites: sitesRows,
  site: siteRows,
  webhooks: webhookRows,
  tokens: tokenRows,
  passwordReset: passwordResetRows,
  users: userRows,
  teams: teamRows,
  guides: guideRows,
  guideSharing: guideSharingRows,
  releases: releaseRows,
  workLog: workLogRows,
  stepForms: stepFormRows,
  comments: commentRows,
  media: mediaRows,
  posts: postRows,
  wikis: wikiRows,
  categories: categoryRows,
  tags: tagRows,
  translationGlossary: glossaryRows,
  search: searchRows,
};

/**
 * Where somebody who may not see a guide is told 403 instead of 404, because they know of it already. Everywhere else a
 * private guide is like a missing one.
 */
export const tellsOfPrivateGuides: readonly string[] = [
  // Who held an entry sees it, also when its guide is lost to them; taking it over needs the guide (spec, "States").
  'workLog.assume',
];
