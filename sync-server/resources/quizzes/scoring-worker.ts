/** The program of a worker that runs survey-core. */
import { serveWork } from '#server/work/serve-work.ts';

import type { SurveyWork } from './scoring.ts';
import { marksOf, modelFlaw } from './survey-model.ts';

serveWork((work: SurveyWork) => {
  const answer =
    work.what === 'check'
      ? modelFlaw(JSON.parse(work.survey), work.questions)
      : marksOf(JSON.parse(work.survey), JSON.parse(work.answers));
  return JSON.stringify(answer);
});
