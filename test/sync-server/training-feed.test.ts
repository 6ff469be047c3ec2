import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import type { Course } from '#shared/model/course.ts';
import type { Quiz, QuizSession } from '#shared/model/quiz.ts';
import type { TrainingFacts } from '#shared/model/training-facts.ts';
import type { BatchCall, FeedRow } from '#shared/sync/wire.ts';
import { contextForJob } from '#server/core/job.ts';
import { publishTraining } from '#server/features/training/publish-job.ts';
import { importQuiz, lockQuestion } from '#test/support/quizzes.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { batch, sync } from '#test/support/sync-calls.ts';
import { benchGrinderWorld } from '#test/support/world.ts';

let server: TestServer;
let admin: TestPerson;
let ana: TestPerson;
let ben: TestPerson;
let kiosk: TestPerson;
let beltid: number;
let lockoutid: number;

beforeAll(async () => {
  server = await startServer();
  const world = await benchGrinderWorld(server);
  [beltid, lockoutid] = [world.belt.guideid, world.lockout.guideid];
  ana = world.ana;
  admin = world.mira;
  ben = await server.person('Benno', ['User']);
  kiosk = await server.person('Hall', ['User', 'Kiosk']);
});
afterAll(async () => server[Symbol.asyncDispose]());

function imported(title = 'Lockout'): Promise<Quiz> {
  return importQuiz(ana, [lockQuestion], { title, passing_score: 50 });
}

async function rowsOf(person: TestPerson, since?: string): Promise<FeedRow[]> {
  const { rows } = await sync(server, person, since === undefined ? 'bootstrap' : `pull?since=${since}`);
  return rows.filter(({ c }) => c === 'training');
}

async function factsOf(person: TestPerson): Promise<TrainingFacts[]> {
  return (await rowsOf(person)).map(({ doc }) => doc as TrainingFacts);
}

function of<K extends TrainingFacts['kind']>(
  facts: TrainingFacts[],
  kind: K,
): Extract<TrainingFacts, { kind: K }>[] {
  return facts.filter((one): one is Extract<TrainingFacts, { kind: K }> => one.kind === kind);
}

test('QUIZ-15 a quiz reaches people who take quizzes, without correct answers, and is removed when deleted', async () => {
  const { quizid } = await imported();
  const ids = async (person: TestPerson): Promise<number[]> =>
    of(await factsOf(person), 'quiz').map((quiz) => quiz.quizid);
  for (const person of [admin, ana, ben]) {
    expect(await ids(person)).toContain(quizid);
    expect(JSON.stringify(await factsOf(person))).not.toContain('correctAnswer');
  }
  expect(await ids(kiosk)).toEqual([]);
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  await ana.call('POST', '/quizzes/questions', {
    quizid,
    questions: [{ vendor_question_uid: 'lock', title: 'Whose lock?' }],
  });
  expect(await rowsOf(ben, checkpoint)).toMatchObject([{ id: `quiz:${quizid}`, doc: { quizid } }]);
  await ana.call('POST', '/quizzes/delete', { quizids: [quizid] });
  expect(await rowsOf(ben, checkpoint)).toMatchObject([{ id: `quiz:${quizid}`, removed: true }]);
});

test('QUIZ-15 an account that becomes a kiosk loses the quizzes, and gets them back afterwards', async () => {
  await imported();
  const hall = await server.person('Bay', ['User', 'Kiosk']);
  const { checkpoint } = await sync(server, hall, 'bootstrap');
  const become = async (privileges: string[]): Promise<void> =>
    expect(
      await admin.call('PATCH', `/users/${hall.userid}`, {
        privileges,
        current_password: 'a long password',
      }),
    ).toMatchObject({ status: 200 });
  await become(['User']);
  const gained = await rowsOf(hall, checkpoint);
  expect(gained.length).toBeGreaterThan(0);
  expect(gained.every(({ doc }) => doc !== undefined)).toBe(true);
  await become(['User', 'Kiosk']);
  expect(of(await factsOf(hall), 'quiz')).toEqual([]);
});

test('QUIZ-15 the quizzes of a guide are sent to everyone who sees the guide', async () => {
  const { quizid } = await imported();
  for (const guideid of [beltid, lockoutid])
    expect((await ana.call('POST', '/quizzes/associations', { guideid, quizids: [quizid] })).status).toBe(
      200,
    );
  const guidesOf = async (person: TestPerson): Promise<number[]> =>
    of(await factsOf(person), 'guideQuizzes').map(({ guideid }) => guideid);
  expect(await guidesOf(ana)).toEqual(expect.arrayContaining([beltid, lockoutid]));
  expect(await guidesOf(ben)).toEqual([beltid]);
  await ana.call('DELETE', '/quizzes/associations', { guideid: beltid, quizids: [quizid] });
  expect(await guidesOf(ben)).toEqual([]);
});

test('QUIZ-15 sessions reach their own person: answers while open, each result once scored', async () => {
  const { quizid } = await imported();
  await ben.call('POST', '/quizzes/sessions/save', { quizid, response_json: { lock: 'any' } });
  const mine = async (person: TestPerson): Promise<unknown> =>
    of(await factsOf(person), 'session').find((one) => one.quizid === quizid);
  expect(await mine(ben)).toMatchObject({ status: 'in_progress', answers: { lock: 'any' }, score: null });
  expect(await mine(admin)).toBeUndefined();
  await ben.call('POST', '/quizzes/sessions/submit', { quizid, response_json: { lock: 'own' } });
  const done = await mine(ben);
  expect(done).toMatchObject({
    status: 'completed',
    score: 100,
    passed: true,
    results: [{ title: 'Whose?', answer: 'own', is_correct: true }],
  });
  expect(done).not.toHaveProperty('answers');
});

test('QUIZ-14 a named session must be open and belong to the caller; the refusal says what became of it', async () => {
  const { quizid } = await imported();
  const { body: begun } = await ben.call('POST', '/quizzes/attempt', { quizid });
  const { sessionid } = begun as { sessionid: number };
  const send = (verb: string, person = ben): ReturnType<TestPerson['call']> =>
    person.call('POST', `/quizzes/sessions/${verb}`, { quizid, sessionid, response_json: { lock: 'own' } });
  expect(await send('save', ana)).toMatchObject({ status: 422, body: { errors: [{ field: 'sessionid' }] } });
  expect(await send('submit')).toMatchObject({ status: 200, body: { sessionid, score: 100 } });
  for (const verb of ['save', 'submit'])
    expect(await send(verb)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'sessionid', message: expect.stringContaining('was submitted on') }] },
    });
  const next = (await ben.call('POST', '/quizzes/attempt', { quizid })).body as { sessionid: number };
  await ben.call('POST', '/quizzes/sessions/cancel', { quizid, sessionid });
  const saved = (await ben.call('POST', '/quizzes/sessions/save', { quizid, response_json: {} }))
    .body as QuizSession;
  expect(saved.sessionid).toBe(next.sessionid);
  await ben.call('POST', '/quizzes/sessions/cancel', { quizid, sessionid: next.sessionid });
  expect(
    await ben.call('POST', '/quizzes/sessions/submit', {
      quizid,
      sessionid: next.sessionid,
      response_json: {},
    }),
  ).toMatchObject({
    status: 422,
    body: { errors: [{ message: expect.stringContaining('was ended on') }] },
  });
});

test('QUIZ-14 an attempt, its saves and its submission can be sent in one batch with a temporary id', async () => {
  const { quizid, quiz_revisionid } = await imported();
  const key = '0198c0de-0000-7000-8000-00000000quiz';
  const call = (id: string, path: string, body: object): BatchCall => ({
    id,
    lane: `quiz:${quizid}`,
    method: 'POST',
    path: `/quizzes/${path}`,
    body: { quizid, ...body },
  });
  const sessionid = `tmp:${key}`;
  const calls = [
    call(key, 'attempt', { quiz_revisionid }),
    call('quiz-save-1', 'sessions/save', { sessionid, response_json: { lock: 'any' } }),
    call('quiz-submit-1', 'sessions/submit', { sessionid, response_json: { lock: 'own' } }),
  ];
  const first = await batch(server, ben, calls);
  expect(first.map(({ status }) => status)).toEqual([201, 200, 200]);
  const row = must(
    first[2]?.rows.find(({ c }) => c === 'training'),
    'the row of the session',
  );
  expect(row).toMatchObject({ doc: { kind: 'session', key, status: 'completed', score: 100 } });
  expect(first[0]?.created).toEqual({ [sessionid]: Number(row.id) });
  const again = await batch(server, ben, calls);
  expect(again.map(({ status, replayed }) => [status, replayed])).toEqual([
    [201, true],
    [200, true],
    [200, true],
  ]);
  const sessions = of(await factsOf(ben), 'session').filter((one) => one.quizid === quizid);
  expect(sessions).toHaveLength(1);
});

test('COURSE-8 a course reaches the people assigned to it, with due date and progress', async () => {
  const { quizid } = await imported();
  const stages = [{ doctype: 'quiz', docid: quizid }];
  const { courseid, stages: made } = (await ana.call('POST', '/courses', { title: 'Safety', stages }))
    .body as Course;
  const seen = async (person: TestPerson): Promise<TrainingFacts[]> =>
    (await factsOf(person)).filter((one) => 'courseid' in one && one.courseid === courseid);
  expect(await seen(ben)).toEqual([]);
  await ana.call('POST', `/courses/${courseid}/assignments`, { userid: ben.userid, due_date: 2_000_000_000 });
  expect(await seen(ben)).toMatchObject([
    { kind: 'course', title: 'Safety', stages: made },
    { kind: 'assignment', due_date: 2_000_000_000 },
  ]);
  expect(await seen(ana)).toEqual([]);
  await ben.call('POST', '/quizzes/sessions/submit', { quizid, response_json: { lock: 'own' } });
  expect(of(await seen(ben), 'progress')).toMatchObject([
    { completed_date: expect.any(Number), stages: [{ course_stageid: made[0]?.course_stageid, score: 100 }] },
  ]);
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  expect((await ana.call('DELETE', `/courses/${courseid}`)).status).toBe(204);
  const gone = await rowsOf(ben, checkpoint);
  expect(gone).toHaveLength(3);
  expect(gone.every(({ removed }) => removed === true)).toBe(true);
});

test('QUIZ-15 records stored before devices received them are published once, at the next start', async () => {
  const { quizid } = await imported('Old');
  await ben.call('POST', '/quizzes/sessions/submit', { quizid, response_json: { lock: 'own' } });
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  await contextForJob(server.services, null, async ({ db }) => {
    await db.deleteFrom('documents').where('collection', '=', 'training').execute();
    await db.deleteFrom('meta').where('name', '=', 'training_published').execute();
  });
  expect(await rowsOf(ben, checkpoint)).toEqual([]);
  await (
    await publishTraining(server.services)
  ).over;
  const told = await rowsOf(ben, checkpoint);
  expect(told.map(({ id }) => id)).toContain(`quiz:${quizid}`);
  expect(told.some(({ doc }) => (doc as TrainingFacts).kind === 'session')).toBe(true);
  const after = (await sync(server, ben, 'bootstrap')).checkpoint;
  await (
    await publishTraining(server.services)
  ).over;
  expect(await rowsOf(ben, after)).toEqual([]);
});
