import { afterAll, beforeAll, expect, test } from 'vitest';

import type { SurveyJson } from '#shared/model/quiz.ts';
import { contextForJob } from '#server/jobs/context.ts';
import { Scoring } from '#server/resources/quizzes/scoring.ts';
import { chainedSurvey, doublingSurvey } from '#test/support/hostile-quiz.ts';
import { importQuiz, lockQuestion } from '#test/support/quizzes.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let author: TestPerson;
let learner: TestPerson;

beforeAll(async () => {
  // As long as a worker takes to start on a busy machine, and no longer.
  server = await startServer({ scoring: new Scoring({ ms: 5000, megabytes: 128 }) });
  author = await server.person('Author');
  learner = await server.person('Learner', ['User']);
});
afterAll(async () => server[Symbol.asyncDispose]());

/** A quiz as a server of before the limits may have stored it. */
async function stored(survey: SurveyJson): Promise<number> {
  const { quizid, quiz_revisionid } = await importQuiz(author, [lockQuestion]);
  await contextForJob(server.services, null, async (ctx) => {
    await ctx.db
      .updateTable('quiz_revisions')
      .set({ survey: JSON.stringify(survey) })
      .where('quiz_revisionid', '=', quiz_revisionid)
      .execute();
  });
  return quizid;
}

test.each([
  ['values that double', doublingSurvey(27), /v10 is computed from more than 1000 values/],
  ['1,500 values that follow from each other', chainedSurvey(1500), /at most 500 expressions/],
])('Q17 an import of %s is refused by name', async (_name, surveyjs, words) => {
  expect(await author.call('POST', '/quizzes/import', { surveyjs })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'surveyjs', message: expect.stringMatching(words) }] },
  });
});

test('Q18 while a quiz is scored that never ends, everybody else reads and writes; then it is refused, and the answers stay', async () => {
  const quizid = await stored(doublingSurvey(40));
  const answers = { quizid, response_json: { q: 'x' } };
  expect(await learner.call('POST', '/quizzes/sessions/save', answers)).toMatchObject({ status: 200 });
  const order: string[] = [];
  const submitted = learner
    .call('POST', '/quizzes/sessions/submit', answers)
    .finally(() => order.push('submit'));
  const small = await importQuiz(author, [lockQuestion]);
  const other = { quizid: small.quizid, response_json: { lock: 'own' } };
  const scored = await author.call('POST', '/quizzes/sessions/submit', other);
  order.push('others');
  expect(scored).toMatchObject({ status: 200, body: { score: 100 } });
  expect(await submitted).toMatchObject({
    status: 422,
    body: {
      errors: [{ field: 'quizid', message: expect.stringMatching(/cannot be scored within 5 seconds/) }],
    },
  });
  expect(order).toEqual(['others', 'submit']);
  const { body } = await learner.call('GET', `/quizzes/sessions?quizid=${quizid}`);
  expect(body).toMatchObject({ quizSessions: [{ status: 'in_progress', response_json: { q: 'x' } }] });
  expect(await author.call('POST', '/quizzes/sessions/submit', other)).toMatchObject({ status: 200 });
});

test('Q18 one person who submits without end waits for themself, and is refused with 503 beyond ten', async () => {
  const quizid = await stored(doublingSurvey(40));
  const answers = { quizid, response_json: { q: 'x' } };
  const flood = Array.from({ length: 20 }, () => learner.call('POST', '/quizzes/sessions/submit', answers));
  const busy = await Promise.any(
    flood.map(async (one) => {
      const answer = await one;
      if (answer.status !== 503) throw new Error(`Answered ${answer.status}`);
      return answer;
    }),
  );
  expect(busy.body).toMatchObject({ code: 'server-busy' });
  expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0);
  const small = await importQuiz(author, [lockQuestion]);
  let isFloodOver = false;
  const over = Promise.allSettled(flood).then(() => (isFloodOver = true));
  const own = { quizid: small.quizid, response_json: { lock: 'own' } };
  expect(await author.call('POST', '/quizzes/sessions/submit', own)).toMatchObject({ status: 200 });
  expect(isFloodOver).toBe(false);
  await over;
});
