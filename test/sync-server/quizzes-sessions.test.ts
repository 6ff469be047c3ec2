import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Quiz, QuizSession, QuizSubmission } from '#shared/model/quiz.ts';
import { importQuiz, lockQuestion as lock, sendAnswers, tagQuestion as tag } from '#test/support/quizzes.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { hearWebhooks } from '#test/support/hear-webhooks.ts';

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
let server: TestServer;
let admin: TestPerson;
let ana: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer({ now: () => clock.now });
  admin = await server.person('Ada', ['User', 'Admin']);
  ana = await server.person('Anna', ['User', 'Author']);
  ben = await server.person('Benno', ['User']);
});
afterAll(async () => server[Symbol.asyncDispose]());

const why = { type: 'comment', name: 'why', title: 'Why?' };

function imported(elements: object[], passing_score = 0, title = 'Lockout'): Promise<Quiz> {
  return importQuiz(ana, elements, { title, passing_score });
}

async function sessions(person: TestPerson, query: string): Promise<QuizSession[]> {
  const { status, body } = await person.call('GET', `/quizzes/sessions?limit=200&${query}`);
  expect(status).toBe(200);
  return (body as { quizSessions: QuizSession[] }).quizSessions;
}

test('QUIZ-9 save creates a session, then replaces its answers; submit completes it; the next save starts another', async () => {
  const quiz = await imported([lock, tag]);
  const begun = await sendAnswers('save', ben, quiz, { lock: 'any' });
  const { start_date } = begun;
  expect(begun).toMatchObject({ status: 'in_progress', end_date: null, score: null, passed: null });
  clock.now += 60_000;
  const saved = await sendAnswers('save', ben, quiz, { lock: 'own' });
  expect(saved).toMatchObject({ sessionid: begun.sessionid, start_date, modified_date: start_date + 60 });
  expect(saved.response_json).toEqual({ lock: 'own' });
  const done = await sendAnswers('submit', ben, quiz, { lock: 'own', tag: true });
  expect(done).toMatchObject({
    sessionid: begun.sessionid,
    status: 'completed',
    end_date: start_date + 60,
    score: 50,
    passed: true,
    response_json: { lock: 'own', tag: true },
  });
  const next = await sendAnswers('save', ben, quiz, {});
  expect(next.sessionid).not.toBe(begun.sessionid);
  const other = await sendAnswers('save', ana, quiz, {});
  expect(other.sessionid).not.toBe(next.sessionid);
});

test('QUIZ-9 cancel ends the open session and keeps its answers, and succeeds without one', async () => {
  const { quizid } = await imported([lock]);
  expect(await ben.call('POST', '/quizzes/sessions/cancel', { quizid })).toMatchObject({
    status: 200,
    body: { ok: true },
  });
  expect(await sessions(ben, `quizid=${quizid}`)).toEqual([]);
  await sendAnswers('save', ben, { quizid }, { lock: 'any' });
  expect((await ben.call('POST', '/quizzes/sessions/cancel', { quizid })).status).toBe(200);
  expect(await sessions(ben, `quizid=${quizid}`)).toMatchObject([
    { status: 'cancelled', end_date: clock.now / 1000, response_json: { lock: 'any' }, score: null },
  ]);
});

test('QUIZ-9 an attempt ends the open session and starts a new one', async () => {
  const { quizid } = await imported([lock]);
  const first = await sendAnswers('save', ben, { quizid }, { lock: 'any' });
  const { status, body } = await ben.call('POST', '/quizzes/attempt', { quizid });
  expect(status).toBe(201);
  const { sessionid } = body as { sessionid: number };
  expect(await sessions(ben, `quizid=${quizid}`)).toMatchObject([
    { sessionid: first.sessionid, status: 'cancelled', response_json: { lock: 'any' } },
    { sessionid, status: 'in_progress', response_json: {} },
  ]);
  expect((await sendAnswers('submit', ben, { quizid }, { lock: 'own' })).sessionid).toBe(sessionid);
});

test('QUIZ-9 a session stays with the version it started on, unless the call names the version that was seen', async () => {
  const quiz = await imported([lock]);
  const { quizid, quiz_revisionid } = quiz;
  await sendAnswers('save', ben, quiz, {});
  const questions = [{ vendor_question_uid: 'key', title: 'Key?', correct_answer: 'pocket' }];
  const next = (await ana.call('POST', '/quizzes/questions', { quizid, questions })).body as Quiz;
  expect(await sendAnswers('submit', ben, quiz, { lock: 'own' })).toMatchObject({
    quiz_revisionid,
    score: 100,
  });
  const current = await sendAnswers('submit', ben, quiz, { lock: 'own' });
  expect(current).toMatchObject({ quiz_revisionid: next.quiz_revisionid, score: 50 });
  expect(await sendAnswers('submit', ben, quiz, { lock: 'own' }, { quiz_revisionid })).toMatchObject({
    score: 100,
  });
  const stranger = { quizid, response_json: {}, quiz_revisionid: 999_999 };
  const refused = await ben.call('POST', '/quizzes/sessions/save', stranger);
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'quiz_revisionid' }] } });
});

test('QUIZ-9 a missing record is 422 and names the field', async () => {
  const { quizid } = await imported([lock]);
  const response_json = {};
  for (const [body, field] of [
    [{ quizid: 999_999, response_json }, 'quizid'],
    [{ quizid, response_json, guideid: 999_999 }, 'guideid'],
    [{ quizid, response_json, course_stageid: 999_999 }, 'course_stageid'],
    [{ quizid, response_json: 'own' }, 'response_json'],
    [{ quizid, response_json: { lock: 'x'.repeat(300_000) } }, 'response_json'],
    [{ quizid, response_json, score: 100 }, 'score'],
  ] as const) {
    const refused = await ben.call('POST', '/quizzes/sessions/submit', body);
    expect(refused, field).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  }
  expect(await sessions(ben, `quizid=${quizid}`)).toEqual([]);
});

/** Kinds of questions with a correct and a wrong answer, in SurveyJS's format. */
const kinds: [element: object, right: unknown, wrong: unknown][] = [
  [{ type: 'radiogroup', choices: ['a', 'b'], correctAnswer: 'a' }, 'a', 'b'],
  [{ type: 'dropdown', choices: ['a', 'b'], correctAnswer: 'a' }, 'a', 'b'],
  [{ type: 'checkbox', choices: ['a', 'b', 'c'], correctAnswer: ['a', 'b'] }, ['b', 'a'], ['a']],
  [{ type: 'tagbox', choices: ['a', 'b', 'c'], correctAnswer: ['a', 'b'] }, ['b', 'a'], ['a', 'b', 'c']],
  [{ type: 'boolean', correctAnswer: false }, false, true],
  [{ type: 'text', correctAnswer: 'Lock' }, 'lock', 'key'],
  [{ type: 'text', inputType: 'number', correctAnswer: 3 }, 3, 4],
  [{ type: 'comment', correctAnswer: 'Lock' }, 'Lock', ''],
  [{ type: 'rating', correctAnswer: 4 }, 4, 5],
  [{ type: 'ranking', choices: ['a', 'b'], correctAnswer: ['b', 'a'] }, ['b', 'a'], ['a', 'b']],
  [{ type: 'imagepicker', choices: ['a', 'b'], correctAnswer: 'b' }, 'b', 'a'],
  [
    { type: 'imagepicker', multiSelect: true, choices: ['a', 'b', 'c'], correctAnswer: ['a', 'b'] },
    ['b', 'a'],
    ['a', 'c'],
  ],
  [{ type: 'buttongroup', choices: ['a', 'b'], correctAnswer: 'b' }, 'b', 'a'],
  [
    { type: 'multipletext', items: [{ name: 'x' }, { name: 'y' }], correctAnswer: { x: '1', y: '2' } },
    { x: '1', y: '2' },
    { x: '1', y: '3' },
  ],
  [
    {
      type: 'matrixdropdown',
      columns: [{ name: 'c', cellType: 'text' }],
      rows: ['r'],
      correctAnswer: { r: { c: '1' } },
    },
    { r: { c: '1' } },
    { r: { c: '2' } },
  ],
];

test.each(kinds)('QUIZ-8 survey-core scores %j', async (element, right, wrong) => {
  const quiz = await imported([{ ...element, name: 'q' }], 100);
  expect(await sendAnswers('submit', ben, quiz, { q: right })).toMatchObject({ score: 100, passed: true });
  expect(await sendAnswers('submit', ben, quiz, { q: wrong })).toMatchObject({ score: 0, passed: false });
  expect(await sendAnswers('submit', ben, quiz, {})).toMatchObject({ score: 0, passed: false });
});

test('QUIZ-8 each row of a matrix counts, and repeated panels count each time', async () => {
  const matrix = {
    type: 'matrix',
    name: 'm',
    columns: ['a', 'b'],
    rows: ['r', 's'],
    correctAnswer: { r: 'a', s: 'b' },
  };
  const panel = {
    type: 'paneldynamic',
    name: 'p',
    templateElements: [{ type: 'text', name: 'step', correctAnswer: 'x' }],
  };
  expect(await sendAnswers('submit', ben, await imported([matrix]), { m: { r: 'a', s: 'a' } })).toMatchObject(
    {
      score: 50,
    },
  );
  const answers = { p: [{ step: 'x' }, { step: 'y' }, { step: 'x' }] };
  expect(await sendAnswers('submit', ben, await imported([panel]), answers)).toMatchObject({ score: 66 });
});

test('QUIZ-17 answers that add more than the question allows, at any depth, are refused and not stored', async () => {
  const inner = { type: 'paneldynamic', name: 'in', maxPanelCount: 2, templateElements: [lock] };
  const outer = {
    type: 'paneldynamic',
    name: 'out',
    valueName: 'kept',
    maxPanelCount: 3,
    templateElements: [inner],
  };
  const quiz = await imported([outer, { type: 'matrixdynamic', name: 'rows', columns: [{ name: 'c' }] }]);
  const of = (count: number, entry: object): object[] => Array.from({ length: count }, () => entry);
  for (const [answers, name] of [
    [{ kept: of(20_000, {}) }, 'kept takes at most 3'],
    [{ kept: [{ in: of(3, {}) }] }, 'in takes at most 2'],
    [{ rows: of(1001, {}) }, 'rows takes at most 1000'],
  ] as const) {
    const body = { quizid: quiz.quizid, response_json: answers };
    for (const verb of ['save', 'submit'])
      expect(await ben.call('POST', `/quizzes/sessions/${verb}`, body)).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'response_json', message: expect.stringContaining(name) }] },
      });
  }
  expect(await sessions(ben, `quizid=${quiz.quizid}`)).toEqual([]);
  const right = { kept: of(3, { in: of(2, { lock: 'own' }) }), rows: of(2, { c: 1 }) };
  expect(await sendAnswers('submit', ben, quiz, right)).toMatchObject({ score: 100 });
});

test('QUIZ-8 hidden questions do not count, and the score is rounded down', async () => {
  const shown = { ...tag, name: 'more', visibleIf: "{lock} = 'own'" };
  const quiz = await imported([lock, tag, shown], 67);
  expect(await sendAnswers('submit', ben, quiz, { lock: 'any', tag: false })).toMatchObject({ score: 50 });
  expect(await sendAnswers('submit', ben, quiz, { lock: 'own', tag: false })).toMatchObject({
    score: 66,
    passing_score: 67,
    passed: false,
  });
});

test('QUIZ-8 a quiz without correct answers has no score, and passes where 0 is enough', async () => {
  expect(await sendAnswers('submit', ben, await imported([why]), {})).toMatchObject({
    score: null,
    passed: true,
  });
  expect(await sendAnswers('submit', ben, await imported([why], 1), {})).toMatchObject({
    score: null,
    passed: false,
  });
});

async function submission(person: TestPerson, sessionid: number): Promise<QuizSubmission> {
  const { status, body } = await person.call('GET', `/quizzes/submissions/${sessionid}`);
  expect(status).toBe(200);
  return body;
}

test('QUIZ-5 results name each answer and whether it is correct; only authors see the correct one', async () => {
  const quiz = await imported([lock, tag, why], 50);
  const { sessionid } = await sendAnswers('submit', ana, quiz, { lock: 'any', tag: false, why: 'Ask' });
  const seen = await submission(ana, sessionid);
  expect(seen).toMatchObject({ score: 50, passing_score: 50, passed: true, correct_count: 1, quiz_count: 2 });
  expect(seen.questions).toEqual([
    { vendor_question_uid: 'lock', title: 'Whose?', answer: 'any', correct_answer: 'own', is_correct: false },
    {
      vendor_question_uid: 'tag',
      title: 'Is a tag enough?',
      answer: false,
      correct_answer: false,
      is_correct: true,
    },
    { vendor_question_uid: 'why', title: 'Why?', answer: 'Ask', correct_answer: null, is_correct: null },
  ]);
  const own = await sendAnswers('submit', ben, quiz, { lock: 'any' });
  const told = await submission(ben, own.sessionid);
  expect(told.questions).toMatchObject([{ is_correct: false }, { is_correct: false }, { is_correct: null }]);
  expect(JSON.stringify(told)).not.toContain('correct_answer');
  const open = await sendAnswers('save', ben, quiz, { lock: 'own' });
  const early = await submission(ben, open.sessionid);
  expect(early).toMatchObject({ status: 'in_progress', score: null, correct_count: 0 });
  expect(early.questions.map((one) => one.is_correct)).toEqual([null, null, null]);
});

test('QUIZ-11 administrators see all sessions, others their own and those of teams that they own', async () => {
  const quiz = await imported([lock], 0, 'Crane licence');
  const lead = await server.person('Lea', ['User']);
  const cleo = await server.person('Cleo', ['User']);
  const team = (await admin.call('POST', '/teams', { name: 'Crane', owner: lead.userid })).body as {
    teamid: number;
  };
  await admin.call('PUT', `/teams/${team.teamid}/users/${ben.userid}`, {});
  const ids = new Map<TestPerson, number>();
  for (const person of [ana, ben, lead, cleo])
    ids.set(person, (await sendAnswers('submit', person, quiz, {})).sessionid);
  const seen = async (person: TestPerson): Promise<number[]> =>
    (await sessions(person, 'query=cRANE')).map((one) => one.sessionid);
  expect(await seen(admin)).toEqual([...ids.values()]);
  expect(await seen(ana)).toEqual([ids.get(ana)]);
  expect(await seen(ben)).toEqual([ids.get(ben)]);
  expect(await seen(lead)).toEqual([ids.get(ben), ids.get(lead)]);
  expect(await sessions(admin, `query=crane&userid=${cleo.userid}`)).toMatchObject([
    { userid: cleo.userid, username: 'Cleo', title: 'Crane licence' },
  ]);
  expect((await lead.call('GET', `/quizzes/submissions/${ids.get(ben)}`)).status).toBe(200);
  expect((await lead.call('GET', `/quizzes/submissions/${ids.get(ana)}`)).status).toBe(404);
  expect((await ben.call('GET', `/quizzes/submissions/${ids.get(lead)}`)).status).toBe(404);
});

test('QUIZ-12 calls of sessions take effect once, however often they are delivered', async () => {
  const quiz = await imported([lock]);
  const { quizid } = quiz;
  const key = (number: number): Record<string, string> => ({
    'Idempotency-Key': `0192f3a1-0000-7000-8000-${String(number).padStart(12, '0')}`,
  });
  const calls: [string, object][] = [
    ['/quizzes/attempt', { quizid }],
    ['/quizzes/sessions/save', { quizid, response_json: { lock: 'any' } }],
    ['/quizzes/sessions/submit', { quizid, response_json: { lock: 'own' } }],
    ['/quizzes/sessions/cancel', { quizid }],
  ];
  for (const [index, [path, body]] of calls.entries()) {
    const first = await ben.call('POST', path, body, key(index));
    const again = await ben.call('POST', path, body, key(index));
    expect(first.status, path).toBeLessThan(300);
    expect(again, path).toMatchObject({ status: first.status, body: first.body });
  }
  const late = await ben.call(
    'POST',
    '/quizzes/sessions/submit',
    { quizid, response_json: { lock: 'own' } },
    key(2),
  );
  expect(late.status).toBe(200);
  expect(await sessions(ben, `quizid=${quizid}`)).toMatchObject([{ status: 'completed', score: 100 }]);
});

test('QUIZ-16 webhooks report each submission and whether it passed, once', async () => {
  const hook = await hearWebhooks(server, admin, ['quiz.submitted', 'quiz.passed', 'quiz.failed']);
  const quiz = await imported([lock, tag], 80, 'Told');
  const done = await sendAnswers('submit', ben, quiz, { lock: 'own', tag: false });
  await sendAnswers('submit', ben, quiz, { lock: 'own', tag: true });
  await sendAnswers('save', ben, quiz, {});
  const told = await hook.told();
  expect(told.map(({ event }) => event)).toEqual([
    'quiz.submitted',
    'quiz.passed',
    'quiz.submitted',
    'quiz.failed',
  ]);
  const [, passed] = told.map(({ data }) => data);
  expect(passed).toEqual({
    sessionid: done.sessionid,
    quizid: quiz.quizid,
    quiz_revisionid: quiz.quiz_revisionid,
    title: 'Told',
    userid: ben.userid,
    guideid: null,
    course_stageid: null,
    score: 100,
    passing_score: 80,
    passed: true,
    date: done.end_date,
  });
  await hook.end();
});
