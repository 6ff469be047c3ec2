import { chainedSurvey, doublingSurvey } from '#test/support/hostile-quiz.ts';

import { atOnce, post, type Attack } from './attack.ts';

/** Imports of surveys whose values double or depend on each other. */
export const quizImport: Attack = {
  name: 'quizzes that double, imported',
  async wave(target) {
    const counted = {};
    const bodies = [doublingSurvey(26), chainedSurvey(1500)].map((surveyjs) => JSON.stringify({ surveyjs }));
    for (const body of bodies) await post(target, '/quizzes/import', target.author, body, counted);
    return counted;
  },
};

/** Answers to a quiz that was stored before such quizzes were refused. */
export const quizSubmission: Attack = {
  name: 'a stored quiz that doubles, 5 submissions at once',
  async wave(target) {
    const counted = {};
    const body = JSON.stringify({ quizid: target.costlyQuizid, response_json: { q: 'x' } });
    await atOnce(5, () => post(target, '/quizzes/sessions/submit', target.reader, body, counted));
    return counted;
  },
};
