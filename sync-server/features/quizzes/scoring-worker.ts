/** Entry file of the workers that run survey-core. */
import { serveWork } from '#server/platform/serve-work.ts';

import type { Checked, SurveyWork } from './scoring.ts';
import { marksOf, modelFlaw } from './survey-model.ts';

serveWork((work: SurveyWork) => {
  const answer =
    work.what === 'check' ? checked(work) : marksOf(JSON.parse(work.survey), JSON.parse(work.answers));
  return JSON.stringify(answer);
});

function checked({ survey, questions }: SurveyWork & { what: 'check' }): Checked {
  const before = process.cpuUsage();
  const flaw = modelFlaw(JSON.parse(survey), questions);
  const { user, system } = process.cpuUsage(before);
  return { flaw, ms: (user + system) / 1000 };
}
