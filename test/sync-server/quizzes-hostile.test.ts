import { afterAll, beforeAll, expect, test } from 'vitest';

import type { SurveyJson } from '#shared/model/quiz.ts';
import { contextForJob } from '#server/core/job.ts';
import { Scoring } from '#server/features/quizzes/scoring.ts';
import { chainedSurvey, doublingSurvey } from '#test/support/hostile-quiz.ts';
import { importQuiz, lockQuestion } from '#test/support/quizzes.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let author: TestPerson;
let learner: TestPerson;

beforeAll(async () => {
  server = await startServer({ scoring: new Scoring({ ms: 2000, megabytes: 128 }) });
  author = await server.person('Author');
  learner = await server.person('Learner', ['User']);
});
afterAll(async () => server[Symbol.asyncDispose]());

/** A quiz that a server from before the limits may have stored. */
async function stored(at: TestServer, by: TestPerson, survey: SurveyJson): Promise<number> {
  const { quizid, quiz_revisionid } = await importQuiz(by, [lockQuestion]);
  await contextForJob(at.services, null, async (ctx) => {
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
  ['1,500 chained values', chainedSurvey(1500), /at most 500 expressions/],
])('QUIZ-17 an import of %s is refused with its name', async (_name, surveyjs, words) => {
  expect(await author.call('POST', '/quizzes/import', { surveyjs })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'surveyjs', message: expect.stringMatching(words) }] },
  });
});

const plain = { type: 'text', name: 'q', correctAnswer: 'x' };
const surveyOf = (element: object, more: object = {}): SurveyJson => ({
  title: 'Odd',
  ...more,
  pages: [{ elements: [{ ...plain, ...element }] }],
});

test.each<[string, SurveyJson]>([
  ['validator', surveyOf({ validators: [null] })],
  ['choice', surveyOf({ type: 'radiogroup', choices: [null] })],
  ['question of a panel', surveyOf({ type: 'paneldynamic', templateElements: [null] })],
  ['item', surveyOf({ type: 'multipletext', items: [null] })],
  ['row', surveyOf({ type: 'matrix', columns: [1], rows: [null] })],
  ['page', { title: 'Odd', pages: [null, { elements: [plain] }] }],
  ['computed value', surveyOf({}, { calculatedValues: [null] })],
  ['trigger', surveyOf({}, { triggers: [null] })],
  ['ending', surveyOf({}, { completedHtmlOnCondition: [null] })],
  ['mode that is not a text', surveyOf({}, { mode: { a: 1 } })],
  // These can be opened, but not scored.
  ['language that is not a text', surveyOf({}, { locale: { a: 1 } })],
  ['title that is not a text', surveyOf({ title: { default: 5 } })],
])(
  'QUIZ-2 an import with an odd %s is refused with its name, because SurveyJS cannot read it',
  async (_name, surveyjs) => {
    expect(await author.call('POST', '/quizzes/import', { surveyjs })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'surveyjs', message: expect.stringMatching(/^SurveyJS cannot read/) }] },
    });
  },
);

/** Two of each panel are computed from all panels, these two included. */
const ofThemselves: SurveyJson = surveyOf({
  type: 'paneldynamic',
  templateElements: [
    ...['e', 'f'].map((name) => ({
      type: 'expression',
      name,
      expression: `sumInArray({q}, "e") + {panel.a}`,
    })),
    { ...plain, name: 'a' },
  ],
});

test('QUIZ-17 an import whose scoring exceeds the budget with everything people may add is refused, even if it opens quickly', async () => {
  expect(await author.call('POST', '/quizzes/import', { surveyjs: ofThemselves })).toMatchObject({
    status: 422,
    body: {
      errors: [
        {
          field: 'surveyjs',
          message: expect.stringMatching(/with all that people may add, within 1 seconds of processor time/),
        },
      ],
    },
  });
});

const everyObjects = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
test.each<[string, (name: string) => SurveyJson]>([
  ['question', (name) => surveyOf({ name })],
  ['value', (name) => surveyOf({ valueName: name })],
  ['language', (name) => surveyOf({}, { locale: name })],
  [
    'question in a panel that repeats',
    (name) => surveyOf({ type: 'paneldynamic', templateElements: [{ ...plain, name }] }),
  ],
  ['column', (name) => surveyOf({ type: 'matrixdynamic', columns: [{ name, cellType: 'text' }] })],
  ['line of a question', (name) => surveyOf({ type: 'multipletext', items: [{ name }] })],
  ['computed value', (name) => surveyOf({}, { calculatedValues: [{ name, expression: '1' }] })],
])(
  'QUIZ-2 an import with a property of Object.prototype as name of a %s is refused with this name',
  async (_what, survey) => {
    for (const name of everyObjects)
      expect(await author.call('POST', '/quizzes/import', { surveyjs: survey(name) })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'surveyjs', message: `SurveyJS cannot read a name or language ${name}` }] },
      });
  },
);

test('QUIZ-18 answers that survey-core cannot score are refused, and the session stays open with them', async () => {
  const list = { type: 'paneldynamic', defaultValue: 'zzz', templateElements: [{ ...plain, name: 'inner' }] };
  const { quizid } = await importQuiz(author, [{ ...plain, ...list }]);
  const odd = { quizid, response_json: { q: [null] } };
  expect(await learner.call('POST', '/quizzes/sessions/save', odd)).toMatchObject({ status: 200 });
  expect(await learner.call('POST', '/quizzes/sessions/submit', odd)).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'response_json', message: expect.stringMatching(/^SurveyJS cannot score/) }] },
  });
  const { body } = await learner.call('GET', `/quizzes/sessions?quizid=${quizid}`);
  expect(body).toMatchObject({ quizSessions: [{ status: 'in_progress', response_json: { q: [null] } }] });
  const answers = { ...odd, response_json: { q: [{ inner: 'x' }] } };
  expect(await learner.call('POST', '/quizzes/sessions/submit', answers)).toMatchObject({
    status: 200,
    body: { status: 'completed', score: 100 },
  });
});

test('QUIZ-18 a quiz that exceeds the budget is refused, and its session stays open with the answers', async () => {
  const quizid = await stored(server, author, doublingSurvey(40));
  const answers = { quizid, response_json: { q: 'x' } };
  expect(await learner.call('POST', '/quizzes/sessions/save', answers)).toMatchObject({ status: 200 });
  expect(await learner.call('POST', '/quizzes/sessions/submit', answers)).toMatchObject({
    status: 422,
    body: {
      errors: [{ field: 'quizid', message: expect.stringMatching(/cannot be scored within 2 seconds/) }],
    },
  });
  const { body } = await learner.call('GET', `/quizzes/sessions?quizid=${quizid}`);
  expect(body).toMatchObject({ quizSessions: [{ status: 'in_progress', response_json: { q: 'x' } }] });
});

test('QUIZ-18 while a quiz is scored that never ends, others can read, write and be scored', async () => {
  await using patient = await startServer({ scoring: new Scoring({ ms: 3_600_000, megabytes: 1000 }) });
  const writer = await patient.person('Author');
  const reader = await patient.person('Reader', ['User']);
  const quizid = await stored(patient, writer, chainedSurvey(20_000));
  let isOver = false;
  const answers = { quizid, response_json: { q: 'x' } };
  void reader
    .call('POST', '/quizzes/sessions/submit', answers)
    // The server closes before it is done.
    .catch(() => undefined)
    .finally(() => (isOver = true));
  const small = await importQuiz(writer, [lockQuestion]);
  const own = { quizid: small.quizid, response_json: { lock: 'own' } };
  expect(await writer.call('POST', '/quizzes/sessions/submit', own)).toMatchObject({
    status: 200,
    body: { score: 100 },
  });
  expect(isOver).toBe(false);
});

test('QUIZ-18 submissions of one person queue up, and more than ten are refused with 503', async () => {
  await using quick = await startServer({ scoring: new Scoring({ ms: 1000, megabytes: 128 }) });
  const writer = await quick.person('Author');
  const flooder = await quick.person('Flooder', ['User']);
  const small = await importQuiz(writer, [lockQuestion]);
  const quizid = await stored(quick, writer, doublingSurvey(40));
  const answers = { quizid, response_json: { q: 'x' } };
  const flood = Array.from({ length: 20 }, () => flooder.call('POST', '/quizzes/sessions/submit', answers));
  const busy = await Promise.any(
    flood.map(async (one) => {
      const answer = await one;
      if (answer.status !== 503) throw new Error(`Answered ${answer.status}`);
      return answer;
    }),
  );
  expect(busy.body).toMatchObject({ code: 'server-busy' });
  expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0);
  let isFloodOver = false;
  // The end of the server refuses the rest.
  void Promise.allSettled(flood).then(() => (isFloodOver = true));
  const own = { quizid: small.quizid, response_json: { lock: 'own' } };
  expect(await writer.call('POST', '/quizzes/sessions/submit', own)).toMatchObject({ status: 200 });
  expect(isFloodOver).toBe(false);
});
