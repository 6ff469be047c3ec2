import { comments } from './comments.ts';
import { guideSharing } from './guide-sharing.ts';
import { guides } from './guides.ts';
import { media } from './media.ts';
import { posts } from './posts.ts';
import { releases } from './releases.ts';
import { search } from './search.ts';
import { site, sites } from './site.ts';
import { stepForms } from './step-forms.ts';
import { tags } from './tags.ts';
import { teams } from './teams.ts';
import { passwordReset, tokens } from './tokens.ts';
import { translationGlossary } from './translation-glossary.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';
import { categories, wikis } from './wikis.ts';
import { workLog } from './work-log.ts';

/** Every resource by the name that clients call it. Written out, because the declarations of the client name them. */
export type Surface = {
  tokens: typeof tokens;
  passwordReset: typeof passwordReset;
  users: typeof users;
  teams: typeof teams;
  guides: typeof guides;
  guideSharing: typeof guideSharing;
  releases: typeof releases;
  workLog: typeof workLog;
  stepForms: typeof stepForms;
  comments: typeof comments;
  media: typeof media;
  posts: typeof posts;
  wikis: typeof wikis;
  categories: typeof categories;
  tags: typeof tags;
  translationGlossary: typeof translationGlossary;
  search: typeof search;
  sites: typeof sites;
  site: typeof site;
  webhooks: typeof webhooks;
};

/** The tables of the whole API. */
export const surface: Surface = {
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
  sites,
  site,
  webhooks,
};
