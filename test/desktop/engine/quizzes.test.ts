import { afterEach, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import type { Quiz } from '#shared/model/quiz.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

interface Hall {
  server: TestServer;
  ana: TestPerson;
  ben: TestPerson;
  quizid: number;
  /** Whether there is a network. */
  net: { isOn: boolean };
  device: WholeDevice;
  /** Opens the device again with the content of its disk. */
  open: () => Promise<WholeDevice>;
}

async function hall(): Promise<Hall> {
  const disk = newDisk();
  const server = await startServer();
  closing.push(server);
  const ana = await server.person('Anna', ['User', 'Author']);
  const ben = await server.person('Benno', ['User']);
  const elements = [
    { type: 'radiogroup', name: 'lock', title: 'Whose?', choices: ['own', 'any'], correctAnswer: 'own' },
    { type: 'boolean', name: 'tag', title: 'Is a tag enough?', correctAnswer: false },
  ];
  const surveyjs = { pages: [{ name: 'p', elements }] };
  const { body } = await ana.call('POST', '/quizzes/import', {
    title: 'Lockout',
    passing_score: 80,
    surveyjs,
  });
  const { quizid } = body as Quiz;
  const net = { isOn: true };
  const open = async (): Promise<WholeDevice> => {
    const device = await startWholeDevice(() => (net.isOn ? server.url : null), disk);
    closing.push(device);
    return device;
  };
  const device = await open();
  await device.signIn('Benno');
  await device.inSync();
  return { server, ana, ben, quizid, net, device, open };
}

const sessionsOf = async (
  person: TestPerson,
): Promise<{ sessionid: number; status: string; score: number }[]> =>
  ((await person.call('GET', '/quizzes/sessions')).body as { quizSessions: never[] }).quizSessions;

test('OUTBOX-18 a quiz is started, answered and submitted offline, and scored later', async () => {
  const { net, device, quizid, ben } = await hall();
  net.isOn = false;
  const quiz = must(await device.look('quiz', { quizid }), 'the quiz');
  expect(JSON.stringify(quiz.survey)).not.toContain('correctAnswer');
  const sessionid = await device.actions.beginQuiz({ quizid });
  await device.actions.saveAnswers(sessionid, { lock: 'any' });
  await device.actions.saveAnswers(sessionid, { lock: 'own' });
  expect(await device.look('attempt', sessionid)).toMatchObject({
    state: 'open',
    answers: { lock: 'own' },
    pending: true,
  });
  await device.actions.submitAnswers(sessionid, { lock: 'own', tag: false });
  expect(await device.look('attempt', sessionid)).toMatchObject({ state: 'waiting', score: null });
  expect((await device.look('activity')).map(({ detail }) => detail)).toEqual(['submit', 'begin']);
  net.isOn = true;
  device.actions.syncNow();
  const scored = await device.shows((attempt) => attempt?.state === 'passed', 'attempt', sessionid);
  expect(scored).toMatchObject({
    score: 100,
    pending: false,
    results: [{ correct: true }, { correct: true }],
  });
  expect(await sessionsOf(ben)).toMatchObject([{ status: 'completed', score: 100 }]);
  expect((await device.look('quizzes')).quizzes).toMatchObject([{ quizid, latest: { state: 'passed' } }]);
});

test('OUTBOX-18 an attempt that ended elsewhere keeps its answers here, and is submitted as another attempt', async () => {
  const { net, device, quizid, ben } = await hall();
  const sessionid = await device.actions.beginQuiz({ quizid });
  await device.actions.saveAnswers(sessionid, { lock: 'own' });
  await device.inSync();
  net.isOn = false;
  await device.actions.submitAnswers(sessionid, { lock: 'own', tag: true });
  await ben.call('POST', '/quizzes/sessions/submit', { quizid, response_json: {} });
  net.isOn = true;
  device.actions.syncNow();
  const refused = await device.shows((attempt) => attempt?.state === 'refused', 'attempt', sessionid);
  const { callid, message } = must(must(refused, 'the attempt').refusal, 'the refusal');
  expect(message).toContain('was submitted on');
  expect(refused).toMatchObject({ answers: { lock: 'own', tag: true } });
  await expect(device.actions.beginQuiz({ quizid })).rejects.toThrow('Decide what to do with it first');
  const again = await device.actions.handInAnew(callid);
  expect(await device.shows((attempt) => attempt?.state === 'failed', 'attempt', again)).toMatchObject({
    score: 50,
  });
  expect(await sessionsOf(ben)).toMatchObject([{ score: 0 }, { score: 50 }]);
});

test('OUTBOX-18 answers survive a restart of the device and can be continued', async () => {
  const { net, quizid, open, device: before } = await hall();
  net.isOn = false;
  const sessionid = await before.actions.beginQuiz({ quizid });
  await before.actions.saveAnswers(sessionid, { lock: 'own' });
  await before[Symbol.asyncDispose]();
  const after = await open();
  const quiz = await after.shows((value) => value?.latest !== null, 'quiz', { quizid });
  expect(quiz?.latest).toMatchObject({ state: 'open', sessionid });
  expect(await after.look('attempt', sessionid)).toMatchObject({ answers: { lock: 'own' } });
});

test('COURSE-8 a course has its stages, and a submitted quiz completes one', async () => {
  const { device, quizid, ana, ben } = await hall();
  const stages = [{ doctype: 'quiz', docid: quizid, passing_score: 50 }];
  const { body } = await ana.call('POST', '/courses', { title: 'Safety', stages });
  const { courseid } = body as { courseid: number };
  await ana.call('POST', `/courses/${courseid}/assignments`, { userid: ben.userid, due_date: 2_000_000_000 });
  const [course] = await device.shows((courses) => courses.length === 1, 'courses');
  expect(course).toMatchObject({ title: 'Safety', dueAt: 2_000_000_000_000, completedAt: null });
  const sessionid = await device.actions.beginQuiz({
    quizid,
    courseStageid: course?.stages[0]?.course_stageid ?? 0,
  });
  await device.actions.submitAnswers(sessionid, { lock: 'own', tag: true });
  const [done] = await device.shows((courses) => courses[0]?.completedAt !== null, 'courses');
  expect(done?.stages).toMatchObject([{ score: 50, doneAt: expect.any(Number) }]);
});
