import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Course, CourseAssignment, CourseProgress, OwnCourse } from '#shared/model/course.ts';
import type { Quiz } from '#shared/model/quiz.ts';
import { contextForJob } from '#server/core/job.ts';
import { completeDocument } from '#server/features/courses/progress.ts';
import { importQuiz, lockQuestion, sendAnswers, tagQuestion } from '#test/support/quizzes.ts';
import { benchGrinderWorld } from '#test/support/world.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { scorm12 } from '#test/support/training-packages.ts';
import { imported } from '#test/support/training-world.ts';
import { hearWebhooks } from '#test/support/hear-webhooks.ts';

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let mira: TestPerson;
let guideid: number;
let moduleid: number;

beforeAll(async () => {
  server = await startServer({ now: () => clock.now });
  const world = await benchGrinderWorld(server);
  mira = world.mira;
  guideid = world.belt.guideid;
  ana = await server.person('Anna', ['User', 'Author']);
  ben = await server.person('Benno', ['User']);
  moduleid = (await imported(server, ana, scorm12())).external_training_moduleid;
});
afterAll(async () => server[Symbol.asyncDispose]());

async function make(stages: object[], title = 'Safety'): Promise<Course> {
  const { status, body } = await ana.call('POST', '/courses', { title, stages });
  expect(status).toBe(201);
  return body;
}

const guideStage = (): object => ({ doctype: 'guide', docid: guideid });
const moduleStage = (): object => ({ doctype: 'external_training_module', docid: moduleid });

async function assign(course: Course, whom: object): Promise<CourseAssignment> {
  const { status, body } = await ana.call('POST', `/courses/${course.courseid}/assignments`, whom);
  expect(status).toBe(201);
  return body;
}

const progressOf = async (person: TestPerson, { courseid }: Course): Promise<CourseProgress | undefined> =>
  ((await person.call('GET', '/user/courses')).body as OwnCourse[]).find(
    ({ course }) => course.courseid === courseid,
  )?.progress;

test('COURSE-1 authors manage courses; learners see only the courses assigned to them', async () => {
  const course = await make([guideStage()]);
  const path = `/courses/${course.courseid}`;
  const listed = async (person: TestPerson): Promise<number[]> =>
    ((await person.call('GET', '/courses?limit=200')).body as Course[]).map((one) => one.courseid);
  expect(await listed(ana)).toContain(course.courseid);
  expect(await listed(ben)).not.toContain(course.courseid);
  expect((await ben.call('GET', path)).status).toBe(404);
  expect((await ben.call('POST', '/courses', { title: 'Mine' })).status).toBe(403);
  await assign(course, { userid: ben.userid });
  expect(await ben.call('GET', path)).toMatchObject({ status: 200, body: { title: 'Safety' } });
  expect(await listed(ben)).toContain(course.courseid);
  expect((await ben.call('PATCH', path, { title: 'Mine' })).status).toBe(403);
  expect((await ben.call('GET', `${path}/assignments`)).status).toBe(403);
});

test('COURSE-2 stages refer to existing records, stay in order, and keep their ids', async () => {
  const course = await make([guideStage(), { ...moduleStage(), title: 'Lockout first', passing_score: 80 }]);
  expect(course.stages).toMatchObject([
    { orderby: 1, doctype: 'guide', docid: guideid, passing_score: null, title: expect.stringMatching(/./) },
    { orderby: 2, doctype: 'external_training_module', title: 'Lockout first', passing_score: 80 },
  ]);
  const [first, second] = course.stages;
  const path = `/courses/${course.courseid}`;
  const edit = { stages: [{ ...moduleStage(), course_stageid: second?.course_stageid }, guideStage()] };
  const edited = (await ana.call('PATCH', path, edit)).body as Course;
  expect(edited.stages[0]?.course_stageid).toBe(second?.course_stageid);
  expect(edited.stages[1]?.course_stageid).not.toBe(first?.course_stageid);
  const other = await make([guideStage()]);
  const begun = await ana.call('POST', '/external_training_modules/imports', { title: 'Nothing came' });
  const { external_training_moduleid: empty } = begun.body as { external_training_moduleid: number };
  for (const [stage, words] of [
    [{ doctype: 'guide', docid: 999_999 }, /no guide 999999/],
    [{ doctype: 'external_training_module', docid: 999_999 }, /no external training module/],
    [{ doctype: 'external_training_module', docid: empty }, /no external training module/],
    [{ ...guideStage(), course_stageid: other.stages[0]?.course_stageid }, /course has no stage/],
  ] as const) {
    const { status, body } = await ana.call('PATCH', path, { stages: [guideStage(), stage] });
    expect(status).toBe(422);
    const { errors } = body as { errors: { field: string; index: number; message: string }[] };
    expect(errors).toMatchObject([{ field: 'stages', index: 1, message: expect.stringMatching(words) }]);
  }
  expect(((await ana.call('GET', path)).body as Course).stages).toEqual(edited.stages);
  const wrong = { stages: [{ ...guideStage(), passing_score: 101 }] };
  expect((await ana.call('PATCH', path, wrong)).status).toBe(422);
});

test('COURSE-3 a course is assigned once to a team or a person; leaving the team ends the assignment', async () => {
  const course = await make([guideStage()]);
  const team = (await mira.call('POST', '/teams', { name: 'Line C' })).body as { teamid: number };
  const given = await assign(course, { teamid: team.teamid, due_date: 1_700_000_000 });
  expect(given).toMatchObject({ teamid: team.teamid, userid: null, status: 'overdue', title: 'Safety' });
  const again = await assign(course, { teamid: team.teamid });
  expect(again).toMatchObject({
    course_assignmentid: given.course_assignmentid,
    status: 'open',
    due_date: null,
  });
  expect(await progressOf(ben, course)).toBeUndefined();
  await mira.call('PUT', `/teams/${team.teamid}/users/${ben.userid}`, {});
  expect(await progressOf(ben, course)).toMatchObject({ stages: [] });
  expect((await mira.call('GET', `/teams/${team.teamid}/course_assignments`)).body).toMatchObject([
    { courseid: course.courseid },
  ]);
  await mira.call('DELETE', `/teams/${team.teamid}/users/${ben.userid}`);
  expect(await progressOf(ben, course)).toBeUndefined();
  const path = `/courses/${course.courseid}/assignments`;
  for (const [wrong, field] of [
    [{}, 'teamid'],
    [{ teamid: team.teamid, userid: ben.userid }, 'teamid'],
    [{ teamid: 999_999 }, 'teamid'],
    [{ userid: 999_999 }, 'userid'],
  ] as const)
    expect(await ana.call('POST', path, wrong)).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  const one = `${path}/${given.course_assignmentid}`;
  expect((await ana.call('DELETE', one)).status).toBe(204);
  expect((await ana.call('DELETE', one)).status).toBe(404);
});

test('COURSE-4 a guide stage is done when the guide is, and the course when its last stage is', async () => {
  // Completed before the assignment: only completing it again counts.
  await ben.call('PUT', `/guides/${guideid}/completed`);
  const course = await make([guideStage(), moduleStage()], 'Both');
  const assignment = await assign(course, { userid: ben.userid });
  expect(await progressOf(ben, course)).toMatchObject({ stages: [] });
  await ben.call('PUT', `/guides/${guideid}/completed`);
  expect(await progressOf(ben, course)).toMatchObject({
    completed_date: null,
    stages: [{ course_stageid: course.stages[0]?.course_stageid, score: null }],
  });
  const done = (score: number) =>
    contextForJob(server.services, ben.userid, (ctx) =>
      completeDocument(ctx, {
        userid: ben.userid,
        doctype: 'external_training_module',
        docid: moduleid,
        score,
      }),
    );
  await done(70);
  const completed_date = Math.floor(clock.now / 1000);
  expect(await progressOf(ben, course)).toMatchObject({ completed_date, stages: [{}, { score: 70 }] });
  clock.now += 60_000;
  await done(90);
  await done(50);
  expect(await progressOf(ben, course)).toMatchObject({ completed_date, stages: [{}, { score: 90 }] });
  const path = `/courses/${course.courseid}`;
  expect((await ana.call('GET', `${path}/assignments`)).body).toMatchObject([
    { course_assignmentid: assignment.course_assignmentid, status: 'complete' },
  ]);
  const people = await ana.call('GET', `${path}/completions`);
  expect(people.headers.get('x-total-count')).toBe('1');
  expect(people.body).toMatchObject([{ userid: ben.userid, completed_date }]);
  expect((await ana.call('DELETE', path)).status).toBe(204);
  expect((await ana.call('GET', path)).status).toBe(404);
});

test('COURSE-5 webhooks report each assignment, finished stage and completion once', async () => {
  const hook = await hearWebhooks(server, mira, [
    'course.assigned',
    'course.stage_completed',
    'course.completed',
  ]);
  const cleo = await server.person('Cleo', ['User']);
  const course = await make([guideStage()], 'Told');
  await assign(course, { userid: cleo.userid });
  await assign(course, { userid: cleo.userid });
  await cleo.call('PUT', `/guides/${guideid}/completed`);
  const told = await hook.told();
  expect(told.map(({ event }) => event)).toEqual([
    'course.assigned',
    'course.stage_completed',
    'course.completed',
  ]);
  const [, stage, whole] = told.map(({ data }) => data);
  expect(stage).toMatchObject({
    userid: cleo.userid,
    doctype: 'guide',
    docid: guideid,
    course_stageid: course.stages[0]?.course_stageid,
  });
  expect(whole).toEqual({
    courseid: course.courseid,
    title: 'Told',
    userid: cleo.userid,
    date: expect.any(Number),
  });
  await hook.end();
});

test('COURSE-6 a module lists the courses that use it and how many people must take it', async () => {
  const course = await make([moduleStage()], 'Uses it');
  await assign(course, { userid: ben.userid });
  const { body } = await ana.call('GET', `/external_training_modules/${moduleid}/usage`);
  const found = (body as { courseid: number }[]).find(({ courseid }) => courseid === course.courseid);
  expect(found).toEqual({
    courseid: course.courseid,
    title: 'Uses it',
    course_stageid: course.stages[0]?.course_stageid,
    stage_title: 'Lockout',
    assignments: 1,
  });
});

test('COURSE-7 a repeated call creates one course and one assignment', async () => {
  const headers = { 'Idempotency-Key': 'one-course-only' };
  const first = await ana.call('POST', '/courses', { title: 'Once' }, headers);
  const second = await ana.call('POST', '/courses', { title: 'Once' }, headers);
  expect(second.body).toEqual(first.body);
  const { courseid } = first.body as Course;
  const given = { 'Idempotency-Key': 'one-assignment' };
  const body = { userid: ben.userid };
  const one = await ana.call('POST', `/courses/${courseid}/assignments`, body, given);
  const two = await ana.call('POST', `/courses/${courseid}/assignments`, body, given);
  expect([one.status, two.body]).toEqual([201, one.body]);
  const drafts = { 'Idempotency-Key': 'the-drafts' };
  const filter = { query: 'lock', limit: 5 };
  const list = await ana.call('POST', '/external_training_modules/drafts', filter, drafts);
  expect((list.body as object[]).length).toBeGreaterThan(0);
  expect((await ana.call('POST', '/external_training_modules/drafts', filter, drafts)).body).toEqual(
    list.body,
  );
});

/** A course of one quiz for Benno. */
async function quizCourse({ quizid }: Quiz, passing_score: number | null): Promise<Course> {
  const course = await make([{ doctype: 'quiz', docid: quizid, passing_score }]);
  await assign(course, { userid: ben.userid });
  return course;
}

const isDone = async (course: Course): Promise<boolean> =>
  (await progressOf(ben, course))?.completed_date !== null;

test('QUIZ-10 the pass mark is that of the course stage, or else of the quiz', async () => {
  const quiz = await importQuiz(ana, [lockQuestion, tagQuestion], { passing_score: 100 });
  const [lenient, silent] = [await quizCourse(quiz, 50), await quizCourse(quiz, null)];
  const stageOf = ({ stages }: Course): number => stages[0]?.course_stageid ?? 0;
  const scoreOf = async (course: Course, { quizid }: Quiz): Promise<{ status: number; body: unknown }> =>
    ben.call('GET', `/quizzes/passingScore/${stageOf(course)}/${quizid}`);
  expect((await scoreOf(lenient, quiz)).body).toEqual({ passing_score: 50 });
  expect((await scoreOf(silent, quiz)).body).toEqual({ passing_score: 100 });
  expect((await scoreOf(lenient, await importQuiz(ana, [lockQuestion]))).status).toBe(404);
  const course_stageid = stageOf(lenient);
  expect(await sendAnswers('submit', ben, quiz, { lock: 'own' }, { course_stageid })).toMatchObject({
    score: 50,
    passing_score: 50,
    passed: true,
    course_stageid,
  });
  expect(await isDone(lenient)).toBe(true);
  expect(await isDone(silent)).toBe(false);
  expect(await sendAnswers('submit', ben, quiz, { lock: 'own', tag: false })).toMatchObject({
    passing_score: 100,
    passed: true,
  });
  expect(await isDone(silent)).toBe(true);
});

test('QUIZ-10 people who must take a course with the quiz are listed; without any the list is empty', async () => {
  const quiz = await importQuiz(ana, [lockQuestion]);
  const path = `/quizzes/courseAssignments/${quiz.quizid}`;
  expect(await ana.call('GET', path)).toMatchObject({ status: 200, body: [] });
  const { courseid } = await quizCourse(quiz, null);
  expect((await ana.call('GET', path)).body).toMatchObject([{ courseid, userid: ben.userid }]);
});
