import { deciding } from '#server/core/deciding.ts';

import { approvalRules } from './approvals/access.ts';
import { commentRules } from './comments/access.ts';
import { flagRules, guideRules } from './guides/access.ts';
import { mediaRules } from './media/access.ts';
import { omanualRules } from './omanual/access.ts';
import { peopleRules } from './users/access.ts';
import { postRules } from './posts/access.ts';
import { quizRules } from './quizzes/access.ts';
import { siteRules } from './site/access.ts';
import { trainingRules } from './training/access.ts';
import { wikiRules } from './wikis/access.ts';
import { workLogRules } from './work-log/access.ts';

/**
 * The permission rules of most features, by action. They are in the `access.ts` of each. A rule that other features ask
 * must be here; a new feature that only asks itself may decide in its own `access.ts`.
 */
const rules = {
  ...guideRules,
  ...flagRules,
  ...postRules,
  ...wikiRules,
  ...siteRules,
  ...peopleRules,
  ...commentRules,
  ...workLogRules,
  ...mediaRules,
  ...omanualRules,
  ...trainingRules,
  ...quizRules,
  ...approvalRules,
};

type Shared = typeof rules;

/** The name of an action: `<kind of record>.<verb>`. */
export type Action = keyof Shared;

/** The object of an action: the part of the record that its rule needs. */
export type ObjectOf<A extends Action> = Parameters<Shared[A]>[1];

/**
 * Whether `viewer` may do `action` to `object`, for the API, the feed and search. The feed selects records by
 * audiences, and permission to see is defined by the same audiences (`audiences.ts`).
 */
export const can = deciding(rules);
