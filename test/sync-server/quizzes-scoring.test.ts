import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Marks } from '#server/features/quizzes/survey-model.ts';
import type { Quiz } from '#shared/model/quiz.ts';
import { contextForJob } from '#server/core/job.ts';
import { publishTraining } from '#server/features/training/publish-job.ts';
import { Scoring } from '#server/features/quizzes/scoring.ts';
import { importQuiz, lockQuestion } from '#test/support/quizzes.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';

/** Scores like the server, with a hook before each scoring. */
class WatchedScoring extends Scoring {
  /** Simulates a concurrent change; `count` is the number of earlier calls. */
  meanwhile: (count: number) => Promise<void> = async () => undefined;
  count = 0;

  override async marks(...asked: Parameters<Scoring['marks']>): Promise<Marks> {
    await this.#before();
    return super.marks(...asked);
  }

  override async flaw(...asked: Parameters<Scoring['flaw']>): Promise<string | null> {
    await this.#before();
    return super.flaw(...asked);
  }

  async #before(): Promise<void> {
    this.count += 1;
    await this.meanwhile(this.count - 1);
  }
}

const scoring = new WatchedScoring();
let server: TestServer;
let author: TestPerson;
let learner: TestPerson;
let quiz: Quiz;

beforeAll(async () => {
  server = await startServer({ scoring });
  author = await server.person('Author');
  learner = await server.person('Learner', ['User']);
});
beforeEach(async () => {
  scoring.meanwhile = async () => undefined;
  quiz = await importQuiz(author, [lockQuestion]);
  scoring.count = 0;
});
afterAll(async () => server[Symbol.asyncDispose]());

/** Stores a new version of the quiz, like its author; waits for every earlier transaction. */
async function nextVersion(title: string): Promise<void> {
  await contextForJob(server.services, null, async ({ db }) => {
    const survey = { title: 'Lockout', pages: [{ elements: [{ ...lockQuestion, title }] }] };
    const { quiz_revisionid } = await db
      .insertInto('quiz_revisions')
      .values({ quizid: quiz.quizid, userid: author.userid, date: 0, survey: JSON.stringify(survey) })
      .returning('quiz_revisionid')
      .executeTakeFirstOrThrow();
    await db.updateTable('quizzes').set({ quiz_revisionid }).where('quizid', '=', quiz.quizid).execute();
  });
}

const submitted = (): ReturnType<TestPerson['call']> =>
  learner.call('POST', '/quizzes/sessions/submit', { quizid: quiz.quizid, response_json: { lock: 'own' } });

test('QUIZ-18 answers to a quiz that changes while they are scored are scored again, outside the transaction', async () => {
  // If the second scoring ran inside the transaction, the concurrent write would wait for it forever.
  scoring.meanwhile = (count) => (count === 0 ? nextVersion('Next?') : touch());
  const { status, body } = await submitted();
  expect({ status, count: scoring.count }).toEqual({ status: 200, count: 2 });
  expect(body).toMatchObject({ status: 'completed', score: 100 });
  const { quiz_revisionid } = await server.services.storage.reader
    .selectFrom('quizzes')
    .select('quiz_revisionid')
    .where('quizid', '=', quiz.quizid)
    .executeTakeFirstOrThrow();
  expect(body).toMatchObject({ quiz_revisionid });
});

/** A write by another person. */
async function touch(): Promise<void> {
  await contextForJob(server.services, null, async ({ db }) => {
    await db.updateTable('quizzes').set({ passing_score: 0 }).where('quizid', '=', quiz.quizid).execute();
  });
}

test('QUIZ-18 answers to a quiz that changes each time are refused with 503, and nothing is stored', async () => {
  scoring.meanwhile = (count) => nextVersion(`Version ${count}?`);
  expect(await submitted()).toMatchObject({ status: 503, body: { code: 'server-busy' } });
  expect(scoring.count).toBe(3);
  const { body } = await learner.call('GET', `/quizzes/sessions?quizid=${quiz.quizid}`);
  expect(body).toMatchObject({ quizSessions: [] });
});

test('QUIZ-18 a change of questions that another change overtakes is checked again, outside the transaction', async () => {
  scoring.meanwhile = (count) => (count === 0 ? nextVersion('Next?') : touch());
  const added = { vendor_question_uid: 'more', title: 'More?' };
  const changed = await author.call('POST', '/quizzes/questions', {
    quizid: quiz.quizid,
    questions: [added],
  });
  expect(changed).toMatchObject({ status: 200 });
  expect(scoring.count).toBe(2);
  const { body } = await author.call('GET', `/quizzes/${quiz.quizid}`);
  expect(body).toMatchObject({ pages: [{ elements: [{ title: 'Next?' }, { name: 'more' }] }] });
});

test('QUIZ-18 results unknown to devices are scored outside transactions, and nothing waits for them', async () => {
  await submitted();
  const { checkpoint } = await sync(server, learner, 'bootstrap');
  await contextForJob(server.services, null, async ({ db }) => {
    await db.deleteFrom('documents').where('collection', '=', 'training').execute();
    await db.deleteFrom('meta').where('name', '=', 'training_published').execute();
  });
  const held = Promise.withResolvers<void>();
  scoring.meanwhile = () => held.promise;
  const telling = await publishTraining(server.services);
  // The server continues meanwhile.
  await touch();
  held.resolve();
  await telling.over;
  const { rows } = await sync(server, learner, `pull?since=${checkpoint}`);
  const sessions = rows
    .map(({ doc }) => doc)
    .filter((doc) => (doc as { kind: string } | undefined)?.kind === 'session');
  expect(sessions.length).toBeGreaterThan(0);
  expect(sessions.at(-1)).toMatchObject({ status: 'completed', results: [{ is_correct: true }] });
});

test('QUIZ-18 publishing after the start stops with the server and continues at the next start', async () => {
  await submitted();
  await contextForJob(server.services, null, async ({ db }) => {
    await db.deleteFrom('meta').where('name', '=', 'training_published').execute();
  });
  const held = Promise.withResolvers<void>();
  scoring.meanwhile = () => held.promise;
  await (await publishTraining(server.services)).stop();
  held.resolve();
  const toldOf = (): Promise<unknown> =>
    server.services.storage.reader
      .selectFrom('meta')
      .selectAll()
      .where('name', '=', 'training_published')
      .executeTakeFirst();
  expect(await toldOf()).toBeUndefined();
  scoring.meanwhile = async () => undefined;
  await (
    await publishTraining(server.services)
  ).over;
  expect(await toldOf()).toBeDefined();
});
