import { comments } from './comments.ts';
import { deviations } from './deviations.ts';
import { guides } from './guides.ts';
import { media } from './media.ts';
import { quizzes } from './quizzes.ts';
import { stepForms } from './step-forms.ts';
import type { OfflineSurface } from './surface.ts';
import { teams } from './teams.ts';
import { users } from './users.ts';
import { wikis } from './wikis.ts';
import { workLog } from './work-log.ts';

/**
 * The tables with endpoints whose calls may wait on a device. Devices import these instead of `surface`, so that they do
 * not load the rest of the API. A table that is missing here does not compile.
 */
export const offlineSurface: OfflineSurface = {
  users,
  teams,
  guides,
  workLog,
  deviations,
  stepForms,
  comments,
  media,
  wikis,
  quizzes,
};
