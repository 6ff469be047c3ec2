import type { Viewer } from '#server/core/context.ts';

import { approvalRules } from './approvals.ts';
import { commentRules } from './comments.ts';
import { flagRules } from './flags.ts';
import { glossaryRules } from './glossary.ts';
import { guideRules } from './guides.ts';
import { isBeyondKiosk } from './kiosk.ts';
import { mediaRules } from './media.ts';
import { omanualRules } from './omanual.ts';
import { peopleRules } from './people.ts';
import { postRules } from './posts.ts';
import { quizRules } from './quizzes.ts';
import { signOnRules } from './sign-on.ts';
import { siteRules } from './site.ts';
import { teamRules } from './teams.ts';
import { trainingRules } from './training.ts';
import { wikiRules } from './wikis.ts';
import { workLogRules } from './work-log.ts';

/** Every rule of who may do what, by action. Each resource has a file of rules beside this one. */
const rules = {
  ...guideRules,
  ...flagRules,
  ...postRules,
  ...wikiRules,
  ...glossaryRules,
  ...siteRules,
  ...peopleRules,
  ...teamRules,
  ...commentRules,
  ...workLogRules,
  ...mediaRules,
  ...omanualRules,
  ...trainingRules,
  ...quizRules,
  ...approvalRules,
  ...signOnRules,
};

type Rules = typeof rules;

/** What somebody may want to do: `<kind of record>.<verb>`. */
export type Action = keyof Rules;

/** What an action looks at: as much of the record as its rule needs. */
export type ObjectOf<A extends Action> = Parameters<Rules[A]>[1];

/**
 * Whether `viewer` may do `action` to `object`. The one place that decides, for the API, the feed and search: what the
 * feed sends is chosen by audiences, and seeing is defined by the same audiences (`audience.ts`).
 */
export function can<A extends Action>(viewer: Viewer, action: A, object: ObjectOf<A>): boolean {
  if (isBeyondKiosk(viewer, action)) return false;
  const rule = rules[action] as (viewer: Viewer, object: ObjectOf<A>) => boolean;
  return rule(viewer, object);
}
