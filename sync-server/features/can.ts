import type { Viewer } from '#server/core/viewer.ts';

import { approvalRules } from './approvals/access.ts';
import { commentRules } from './comments/access.ts';
import { flagRules, guideRules } from './guides/access.ts';
import { glossaryRules } from './translation/access.ts';
import { isBeyondKiosk } from '#shared/rules/kiosk.ts';
import { mediaRules } from './media/access.ts';
import { omanualRules } from './omanual/access.ts';
import { peopleRules } from './users/access.ts';
import { postRules } from './posts/access.ts';
import { quizRules } from './quizzes/access.ts';
import { signOnRules } from './sign-on/access.ts';
import { siteRules } from './site/access.ts';
import { teamRules } from './teams/access.ts';
import { trainingRules } from './training/access.ts';
import { wikiRules } from './wikis/access.ts';
import { workLogRules } from './work-log/access.ts';

/** All permission rules, by action. The rules of a feature are in its `access.ts`. */
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

/** The name of an action: `<kind of record>.<verb>`. */
export type Action = keyof Rules;

/** The object of an action: the part of the record that its rule needs. */
export type ObjectOf<A extends Action> = Parameters<Rules[A]>[1];

/**
 * Whether `viewer` may do `action` to `object`. The only place that decides, for the API, the feed and search. The feed
 * selects records by audiences, and permission to see is defined by the same audiences (`audiences.ts`).
 */
export function can<A extends Action>(viewer: Viewer, action: A, object: ObjectOf<A>): boolean {
  if (isBeyondKiosk(viewer, action)) return false;
  const rule = rules[action] as (viewer: Viewer, object: ObjectOf<A>) => boolean;
  return rule(viewer, object);
}
