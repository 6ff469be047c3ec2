import type { GuideFacts } from '#shared/model/guide.ts';

import type { GuideTitle } from './wire.ts';

/** What lists show of a guide. */
export function titleOf(facts: GuideFacts): Omit<GuideTitle, 'id' | 'seq'> {
  return {
    title: facts.title,
    category: facts.category,
    type: facts.type,
    summary: facts.summary,
    difficulty: facts.difficulty,
    timeRequired: facts.time_required_max,
    steps: facts.steps.length,
    imageGuid: facts.image?.guid ?? '',
    public: facts.public,
    userid: facts.userid,
    modifiedAt: facts.modified_date * 1000,
  };
}
