import { comments } from './comments.ts';
import { guides } from './guides.ts';
import { media } from './media.ts';
import { stepForms } from './step-forms.ts';
import { tokens } from './tokens.ts';
import { users } from './users.ts';
import { categories, wikis } from './wikis.ts';
import { workLog } from './work-log.ts';

/** Every resource by the name that clients call it. Written out, because the declarations of the client name them. */
export type Surface = {
  tokens: typeof tokens;
  users: typeof users;
  guides: typeof guides;
  workLog: typeof workLog;
  stepForms: typeof stepForms;
  comments: typeof comments;
  media: typeof media;
  wikis: typeof wikis;
  categories: typeof categories;
};

/** The tables of the whole API. */
export const surface: Surface = {
  tokens,
  users,
  guides,
  workLog,
  stepForms,
  comments,
  media,
  wikis,
  categories,
};
