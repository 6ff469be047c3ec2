import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Quiz, SurveyJson } from '#shared/model/quiz.ts';
import { benchGrinderWorld } from '#test/support/world.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let kiosk: TestPerson;
let guideid: number;

beforeAll(async () => {
  server = await startServer({ now: () => clock.now });
  guideid = (await benchGrinderWorld(server)).belt.guideid;
  ana = await server.person('Anna', ['User', 'Author']);
  ben = await server.person('Benno', ['User']);
  kiosk = await server.person('Bench 4', ['User', 'Kiosk']);
});
afterAll(async () => server[Symbol.asyncDispose]());

const survey = {
  title: 'Lockout',
  pages: [
    {
      name: 'before',
      elements: [
        { type: 'html', name: 'intro', html: '<p>Read on.</p>' },
        {
          type: 'radiogroup',
          name: 'lock',
          title: 'Whose lock?',
          choices: ['own', 'any'],
          correctAnswer: 'own',
        },
      ],
    },
    {
      name: 'after',
      elements: [
        {
          type: 'panel',
          name: 'box',
          elements: [{ type: 'boolean', name: 'tag', title: 'Is a tag enough?', correctAnswer: false }],
        },
        {
          type: 'paneldynamic',
          name: 'steps',
          templateElements: [{ type: 'text', name: 'step', correctAnswer: 'unplug' }],
        },
      ],
    },
  ],
};

async function imported(surveyjs: SurveyJson = survey, fields: object = {}): Promise<Quiz> {
  const { status, body } = await ana.call('POST', '/quizzes/import', { surveyjs, ...fields });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

async function search(body: object, person = ana): Promise<{ quizzes: Quiz[]; totalResults: number }> {
  const answer = await person.call('POST', '/quizzes/getQuizzes', body);
  expect(answer.status).toBe(200);
  return answer.body;
}

test('QUIZ-3 an imported quiz reads as the JSON that was sent', async () => {
  const quiz = await imported(survey, { passing_score: 70 });
  expect(quiz).toMatchObject({
    title: 'Lockout',
    passing_score: 70,
    question_count: 3,
    userid: ana.userid,
    created_date: clock.now / 1000,
    associations: [],
  });
  expect(await ana.call('GET', `/quizzes/${quiz.quizid}`)).toMatchObject({ status: 200, body: survey });
  const renamed = await imported(survey, { title: 'Lockout for all' });
  const { body } = await ana.call('GET', `/quizzes/${renamed.quizid}`);
  expect(body).toEqual({ ...survey, title: 'Lockout for all' });
  expect((await ana.call('GET', '/quizzes/999999')).status).toBe(404);
});

test('QUIZ-2 a survey is sent in `surveyjs` or `json`, or as the body itself', async () => {
  for (const body of [
    { json: survey, passing_score: 70 },
    { ...survey, passing_score: 70 },
    { title: 'Lockout', elements: [{ type: 'text', name: 'a' }], passing_score: 70 },
  ]) {
    const answer = await ana.call('POST', '/quizzes/import', body);
    expect(answer).toMatchObject({ status: 201, body: { title: 'Lockout', passing_score: 70 } });
    const { quizid } = answer.body as Quiz;
    const { passing_score: _score, json, ...bare } = body as { passing_score: number; json?: SurveyJson };
    expect((await ana.call('GET', `/quizzes/${quizid}`)).body).toEqual(json ?? bare);
  }
});

test('QUIZ-5 people who take a quiz never receive correct answers, at any depth', async () => {
  const { quizid } = await imported();
  const { status, body } = await ben.call('GET', `/quizzes/${quizid}`);
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain('Whose lock?');
  expect(JSON.stringify(body)).not.toContain('correctAnswer');
  expect(JSON.stringify(body)).not.toContain('unplug');
});

test('QUIZ-1 authors manage quizzes, others take them, a kiosk does neither', async () => {
  const { quizid } = await imported();
  for (const person of [ben, kiosk]) {
    expect((await person.call('POST', '/quizzes', { title: 'Mine' })).status).toBe(403);
    expect((await person.call('POST', '/quizzes/import', { surveyjs: survey })).status).toBe(403);
    expect((await person.call('POST', '/quizzes/delete', { quizids: [quizid] })).status).toBe(403);
  }
  expect((await ben.call('GET', `/quizzes/${quizid}`)).status).toBe(200);
  expect((await kiosk.call('GET', `/quizzes/${quizid}`)).status).toBe(403);
  expect((await kiosk.call('POST', '/quizzes/attempt', { quizid })).status).toBe(403);
});

const page = (...elements: object[]): SurveyJson => ({ title: 'T', pages: [{ name: 'p', elements }] });

test.each<[string, object, string, RegExp]>([
  ['no survey', {}, 'surveyjs', /./],
  ['two surveys', { surveyjs: survey, json: survey }, 'json', /Unknown field/],
  ['a lone survey without questions', { title: 'T', pages: [] }, 'surveyjs', /no questions/],
  ['a survey that is a list', { surveyjs: [] }, 'surveyjs', /./],
  ['no questions', { surveyjs: { title: 'T' } }, 'surveyjs', /no questions/],
  ['pages that are a text', { surveyjs: { title: 'T', pages: 'no' } }, 'surveyjs', /no questions/],
  ['a question without a name', { surveyjs: page({ type: 'text' }) }, 'surveyjs', /Question 1 has no name/],
  [
    'two questions with one name',
    { surveyjs: page({ type: 'text', name: 'a' }, { type: 'comment', name: 'a' }) },
    'surveyjs',
    /Two questions have the name a/,
  ],
  ['an unknown type', { surveyjs: page({ type: 'riddle', name: 'a' }) }, 'surveyjs', /type/],
  ['a question without a type', { surveyjs: page({ name: 'a' }) }, 'surveyjs', /type/],
  [
    'choices that are a number',
    { surveyjs: page({ type: 'radiogroup', name: 'a', choices: 5 }) },
    'surveyjs',
    /choices/,
  ],
  [
    'choices from a URL',
    { surveyjs: page({ type: 'dropdown', name: 'a', choicesByUrl: { url: 'http://127.0.0.1/' } }) },
    'surveyjs',
    /choicesByUrl/,
  ],
  ['no title', { surveyjs: { pages: page({ type: 'text', name: 'a' })['pages'] } }, 'title', /title/],
  ['a score over 100', { surveyjs: survey, passing_score: 101 }, 'passing_score', /./],
  [
    'a survey of 300 KB',
    { surveyjs: page({ type: 'text', name: 'a', title: 'x'.repeat(300_000) }) },
    'surveyjs',
    /200000 characters/,
  ],
])('QUIZ-2 %s is refused, and nothing of it is stored', async (_name, body, field, words) => {
  const before = (await search({})).totalResults;
  const answer = await ana.call('POST', '/quizzes/import', body);
  expect(answer).toMatchObject({
    status: 422,
    body: { errors: [{ field, message: expect.stringMatching(words) }] },
  });
  expect((await search({})).totalResults).toBe(before);
});

const panels = (inner: object[], more: object = {}): object => ({
  type: 'paneldynamic',
  name: 'a',
  templateElements: inner,
  ...more,
});
const texts = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'text', name: `t${index}` }));

test.each<[string, object, RegExp]>([
  ['a million choices made of numbers', { type: 'dropdown', name: 'a', choicesMax: 1e6 }, /500 choices/],
  ['fine steps', { type: 'dropdown', name: 'a', choicesMax: 10, choicesStep: 0.001 }, /500 choices/],
  [
    'a column of many choices',
    { type: 'matrixdynamic', name: 'a', columns: [{ name: 'c', choicesMin: 1, choicesMax: 9e5 }] },
    /500 choices/,
  ],
  ['nested panels', panels([{ ...panels(texts(1)), name: 'b' }]), /1000 questions/],
  ['countless panels', panels(texts(2), { maxPanelCount: 1e9 }), /1000 questions/],
  [
    'rows of panels',
    { type: 'matrixdropdown', name: 'a', rows: [1, 2], columns: [], detailElements: [panels(texts(9))] },
    /1000 questions/,
  ],
])('QUIZ-17 %s are refused before survey-core creates them', async (_name, element, words) => {
  const answer = await ana.call('POST', '/quizzes/import', { surveyjs: page(element) });
  expect(answer).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'surveyjs', message: expect.stringMatching(words) }] },
  });
});

test('QUIZ-17 usual repetitions fit, and a lower limit is possible', async () => {
  await imported(page(panels(texts(9))));
  await imported(
    page(panels([{ ...panels(texts(3), { maxPanelCount: 10 }), name: 'b' }], { maxPanelCount: 20 })),
  );
  await imported(page({ type: 'dropdown', name: 'a', choicesMin: 1, choicesMax: 100 }));
});

test('QUIZ-4 a known question only gets its title; another is added; each change is a version', async () => {
  const quiz = await imported();
  const { quizid } = quiz;
  const known = { vendor_question_uid: 'lock', title: 'Whose lock is it?', type: 'comment', choices: ['x'] };
  const added = { vendor_question_uid: 'key', title: 'Where is the key?', correct_answer: 'pocket' };
  const change = { quizid, questions: [known, added] };
  const changed = (await ana.call('POST', '/quizzes/questions', change)).body as Quiz;
  expect(changed.question_count).toBe(4);
  expect(changed.quiz_revisionid).toBeGreaterThan(quiz.quiz_revisionid);
  const { body } = await ana.call('GET', `/quizzes/${quizid}`);
  expect(body).toMatchObject({
    pages: [
      { elements: [{}, { type: 'radiogroup', title: 'Whose lock is it?', choices: ['own', 'any'] }] },
      {
        elements: [
          {},
          {},
          { type: 'text', name: 'key', title: 'Where is the key?', correctAnswer: 'pocket' },
        ],
      },
    ],
  });
  const again = (await ana.call('POST', '/quizzes/questions', change)).body as Quiz;
  expect(again.quiz_revisionid).toBe(changed.quiz_revisionid);
  const old = await ana.call('GET', `/quizzes/${quizid}?quiz_revisionid=${quiz.quiz_revisionid}`);
  expect(old.body).toEqual(survey);
  const twice = await ana.call('POST', '/quizzes/questions', { quizid, questions: [added, added] });
  expect(twice).toMatchObject({ status: 422, body: { errors: [{ field: 'questions', index: 1 }] } });
  const unknown = await ana.call('POST', '/quizzes/questions', { quizid: 999_999, questions: [added] });
  expect(unknown).toMatchObject({ status: 422, body: { errors: [{ field: 'quizid' }] } });
});

test('QUIZ-4 a quiz is created with questions, or empty and filled later', async () => {
  const question = {
    vendor_question_uid: 'a',
    title: 'A?',
    type: 'radiogroup',
    choices: [1, 2],
    correct_answer: 2,
  };
  const made = await ana.call('POST', '/quizzes', { title: 'Filled', questions: [question] });
  expect(made).toMatchObject({ status: 201, body: { question_count: 1, passing_score: 0 } });
  const empty = (await ana.call('POST', '/quizzes', { title: 'Empty' })).body as Quiz;
  expect(empty.question_count).toBe(0);
  const filled = await ana.call('POST', '/quizzes/questions', {
    quizid: empty.quizid,
    questions: [question],
  });
  expect(filled).toMatchObject({ status: 200, body: { question_count: 1 } });
});

test('QUIZ-6 quizzes are searched, filtered, sorted and paged', async () => {
  const first = await imported(survey, { title: 'Ärmel B' });
  const second = await imported(survey, { title: 'ärmel a' });
  const both = await search({ query: 'ÄRMEL', sort: 'title' });
  expect(both.quizzes.map((one) => one.quizid)).toEqual([second.quizid, first.quizid]);
  const down = await search({ query: 'ärmel', order: 'DESC', limit: 1 });
  expect(down).toMatchObject({ totalResults: 2, limit: 1, offset: 0, quizzes: [{ quizid: second.quizid }] });
  const next = await search({ query: 'ärmel', order: 'DESC', limit: 1, offset: 1 });
  expect(next.quizzes).toMatchObject([{ quizid: first.quizid }]);
  expect((await search({ query: '%' })).quizzes).toEqual([]);
  expect((await search({ filters: { userid: ben.userid } })).quizzes).toEqual([]);
  await ana.call('POST', '/quizzes/associations', { guideid, quizids: [first.quizid] });
  expect((await search({ filters: { guideid } })).quizzes).toMatchObject([
    { quizid: first.quizid, associations: [guideid] },
  ]);
  const odd = await ana.call('POST', '/quizzes/getQuizzes', { sort: 'luck' });
  expect(odd).toMatchObject({ status: 422, body: { errors: [{ field: 'sort' }] } });
});

test('QUIZ-6 a guide that the caller cannot see is not named', async () => {
  const { quizid } = await imported();
  const body = { category: 'Bench Grinder', type: 'repair', title: 'Secret' };
  const hidden = (await ana.call('POST', '/guides', body)).body as { guideid: number };
  const pair = { guideid: hidden.guideid, quizids: [quizid] };
  expect((await ana.call('POST', '/quizzes/associations', pair)).status).toBe(200);
  const filters = { quizids: [quizid] };
  expect((await search({ filters })).quizzes).toMatchObject([{ associations: [hidden.guideid] }]);
  expect((await search({ filters }, ben)).quizzes).toMatchObject([{ associations: [] }]);
  expect((await search({ filters: { guideid: hidden.guideid } }, ben)).quizzes).toEqual([]);
  expect((await ben.call('GET', `/quizzes/associations/${hidden.guideid}`)).status).toBe(404);
});

test('QUIZ-7 deleting removes quizzes; used ones and unknown ids stay', async () => {
  const free = await imported();
  const used = await imported();
  const stages = [{ doctype: 'quiz', docid: used.quizid }];
  expect((await ana.call('POST', '/courses', { title: 'Safety', stages })).status).toBe(201);
  await ben.call('POST', '/quizzes/sessions/save', { quizid: free.quizid, response_json: {} });
  const quizids = [free.quizid, used.quizid, 999_999];
  const answer = await ana.call('POST', '/quizzes/delete', { quizids });
  expect(answer).toMatchObject({
    status: 200,
    body: { deleted: [free.quizid], kept: [used.quizid, 999_999] },
  });
  expect((await ana.call('GET', `/quizzes/${free.quizid}`)).status).toBe(404);
  expect((await ana.call('GET', `/quizzes/${used.quizid}`)).status).toBe(200);
  const { body } = await ben.call('GET', `/quizzes/sessions?quizid=${free.quizid}`);
  expect(body).toMatchObject({ quizSessions: [{ status: 'cancelled' }] });
});
