import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { GuideSummary } from '#shared/model/guide-record.ts';
import type { Quiz, QuizAttachment } from '#shared/model/quiz.ts';
import { findDocument } from '#server/storage/feed.ts';
import { makeGuide } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let guideid: number;

beforeAll(async () => {
  server = await startServer();
  ana = await server.person('Anna', ['User', 'Author']);
  ben = await server.person('Benno', ['User']);
  await server.category('Bench Grinder');
});
beforeEach(async () => {
  guideid = (await makeGuide(ana)).guideid;
});
afterAll(async () => server[Symbol.asyncDispose]());

const question = { vendor_question_uid: 'lock', title: 'Whose lock?', correct_answer: 'own' };

async function made(): Promise<Quiz> {
  const { status, body } = await ana.call('POST', '/quizzes', { title: 'Lockout', questions: [question] });
  expect(status).toBe(201);
  return body;
}

const revision = async (): Promise<number> =>
  ((await ana.call('GET', `/guides/${guideid}`)).body as { revisionid: number }).revisionid;

const attach = (quizid: number | null, revisionid: number, person = ana): ReturnType<TestPerson['call']> =>
  person.call('POST', `/quizzes/attach/guide?revisionid=${revisionid}`, { guideid, quizid });

async function summary(): Promise<GuideSummary | undefined> {
  const list = (await ana.call('GET', '/guides?limit=200')).body as GuideSummary[];
  return list.find((one) => one.guideid === guideid);
}

test('QUIZ-13 a quiz is attached as a new revision, paired with its current version', async () => {
  const quiz = await made();
  const before = await revision();
  const { status, body } = await attach(quiz.quizid, before);
  expect(status).toBe(200);
  const attached = body as QuizAttachment;
  expect(attached).toMatchObject({ guideid, quizid: quiz.quizid, quiz_revisionid: quiz.quiz_revisionid });
  expect(attached.revisionid).toBeGreaterThan(before);
  const { quizid, quiz_revisionid } = quiz;
  const carried = { quizid, quiz_revisionid, title: 'Lockout' };
  expect((await summary())?.attachedQuiz).toEqual(carried);
  expect((await ana.call('GET', `/guides/${guideid}`)).body).toMatchObject({ attachedQuiz: carried });
  const page = await fetch(`${server.url}/api/2.0/guides/${guideid}?type=HTML`, {
    headers: { Authorization: `api ${ana.token}` },
  });
  expect(await page.text()).toContain('<h2>Quiz</h2><ul class="plain"><li>Lockout</li>');
  const questions = [{ vendor_question_uid: 'key', title: 'Key?' }];
  await ana.call('POST', '/quizzes/questions', { quizid, questions });
  expect((await summary())?.attachedQuiz).toMatchObject({ quiz_revisionid });
  const pairs = await server.services.storage.reader
    .selectFrom('guide_quiz_revisions')
    .selectAll()
    .where('guideid', '=', guideid)
    .execute();
  expect(pairs).toEqual([{ guideid, guide_revisionid: attached.guide_revisionid, quiz_revisionid }]);
  expect((await ana.call('POST', '/quizzes/delete', { quizids: [quizid] })).body).toMatchObject({
    kept: [quizid],
  });
});

test('QUIZ-13 the guide carries the quiz to devices without correct answers, and edits keep it', async () => {
  const { quizid } = await made();
  await attach(quizid, await revision());
  const path = `/guides/${guideid}?revisionid=${await revision()}`;
  expect((await ana.call('PATCH', path, { summary: 'Mind the lock' })).status).toBe(200);
  const facts = await findDocument(server.services.storage.reader, 'guides', guideid);
  expect(facts).toMatchObject({ summary: 'Mind the lock', attached_quiz: { quizid, title: 'Lockout' } });
  expect(JSON.stringify(facts?.attached_quiz)).toContain('Whose lock?');
  expect(JSON.stringify(facts?.attached_quiz)).not.toContain('correctAnswer');
});

test('QUIZ-13 a stale revision is 409 with the guide; null removes the quiz', async () => {
  const { quizid } = await made();
  const before = await revision();
  expect((await attach(quizid, before)).status).toBe(200);
  expect(await attach(null, before)).toMatchObject({
    status: 409,
    body: { guideid, revisionid: await revision() },
  });
  expect(await attach(null, await revision())).toMatchObject({
    status: 200,
    body: { quizid: null, quiz_revisionid: null },
  });
  expect((await summary())?.attachedQuiz).toBeNull();
  expect((await attach(quizid, await revision(), ben)).status).toBe(403);
  expect(await attach(999_999, await revision())).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'quizid' }] },
  });
});

test('QUIZ-13 guides are associated with quizzes and removed again', async () => {
  const { quizid } = await made();
  const body = { guideid, quizids: [quizid] };
  const list = async (): Promise<number[]> =>
    ((await ben.call('GET', `/quizzes/associations/${guideid}`)).body as { quizid: number }[]).map(
      (one) => one.quizid,
    );
  expect((await ana.call('POST', '/quizzes/associations', body)).status).toBe(200);
  expect((await ana.call('POST', '/quizzes/associations', body)).status).toBe(200);
  expect((await list()).filter((one) => one === quizid)).toEqual([quizid]);
  expect((await ben.call('DELETE', '/quizzes/associations', body)).status).toBe(403);
  expect((await ana.call('DELETE', '/quizzes/associations', body)).status).toBe(204);
  expect(await list()).not.toContain(quizid);
  expect(await ana.call('POST', '/quizzes/associations', { guideid, quizids: [999_999] })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'quizids', index: 0 }] },
  });
});
