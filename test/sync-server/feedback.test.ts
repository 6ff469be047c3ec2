import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { feedbackReasons, feedbackWords, type Comment } from '#shared/model/comment.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import * as first from '#server/storage/migrations/001-first.ts';
import * as stations from '#server/storage/migrations/061-stations.ts';
import * as feedback from '#server/storage/migrations/065-feedback.ts';
import type { Tables } from '#server/storage/tables.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';

let server: TestServer;
/** The author. */
let ana: TestPerson;
/** Reads only. */
let ben: TestPerson;
/** Edits guides of others. */
let edda: TestPerson;
let guide: Guide;
let now = Date.UTC(2026, 2, 2, 8);

beforeAll(async () => {
  server = await startServer({ now: () => now });
  await server.category('Bench Grinder');
  ana = await server.person('Ana', ['User']);
  ben = await server.person('Ben', ['User']);
  edda = await server.person('Edda', ['User', 'Author']);
  guide = await makeGuide(ana);
});
afterAll(() => server[Symbol.asyncDispose]());

async function give(person: TestPerson, body: object = {}): Promise<Comment> {
  const sent = { text: feedbackWords.unsafe, feedback: 'unsafe', ...body };
  const answer = await person.call('POST', `/comments/step/${stepAt(guide, 0)}`, sent);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function read(commentid: number): Promise<Comment> {
  return (await ben.call('GET', `/comments/${commentid}`)).body;
}

/** The document of a comment as a device of the protocol loads it. */
async function seen(commentid: number, protocol: string): Promise<unknown> {
  const response = await fetch(`${server.url}/sync/1/bootstrap?protocol=${protocol}`, {
    headers: { Authorization: `api ${ben.token}` },
  });
  const lines = (await response.text()).trim().split('\n').slice(1, -1);
  const rows = lines.map((line) => JSON.parse(line) as FeedRow);
  return rows.find(({ c, id }) => c === 'comments' && id === String(commentid))?.doc;
}

test('FEEDBACK-1 feedback is an open comment on a step with a reason, which guides and feed contain', async () => {
  for (const reason of feedbackReasons)
    expect(await give(ben, { text: feedbackWords[reason], feedback: reason })).toMatchObject({
      feedback: { reason },
      status: 'public',
    });
  const made = await give(ben);
  expect(made.feedback).toEqual({ reason: 'unsafe' });
  const whole = await ana.client.guides.read({ params: { guideid: guide.guideid } });
  expect(whole.steps[0]?.comments).toContainEqual(made);
  expect(await seen(made.commentid, '6-6')).toMatchObject({ feedback: { reason: 'unsafe' } });
});

test('FEEDBACK-1 only a top-level comment on a step is feedback, with a known reason', async () => {
  const { commentid } = await give(ben);
  const step = `step/${stepAt(guide, 0)}`;
  const refused: [string, object][] = [
    [`guide/${guide.guideid}`, {}],
    [step, { parentid: commentid }],
    [step, { feedback: 'ugly' }],
  ];
  for (const [place, body] of refused) {
    const sent = { text: 'Hm', feedback: 'unsafe', ...body };
    const answer = await ben.call('POST', `/comments/${place}`, sent);
    expect([answer.status, answer.body]).toMatchObject([422, { errors: [{ field: 'feedback' }] }]);
  }
});

test('FEEDBACK-2 the author and whoever else may edit the guide closes and reopens feedback; others get 403', async () => {
  const { commentid } = await give(ben);
  const path = `/comments/${commentid}/done`;
  for (const person of [ana, edda]) {
    expect((await person.call('PUT', path)).status).toBe(204);
    expect((await read(commentid)).feedback).toEqual({
      reason: 'unsafe',
      done: { userid: person.userid, date: now / 1000 },
    });
    expect((await person.call('DELETE', path)).status).toBe(204);
    expect((await read(commentid)).feedback).toEqual({ reason: 'unsafe' });
  }
  expect((await ben.call('PUT', path)).status).toBe(403);
  expect((await ben.call('DELETE', path)).status).toBe(403);
  expect((await ben.call('DELETE', `/comments/${commentid}`)).status).toBe(204);
  expect((await ana.call('PUT', path)).status).toBe(404);
});

test('FEEDBACK-2 a comment that is no feedback cannot be closed', async () => {
  const made = await ben.call('POST', `/comments/step/${stepAt(guide, 0)}`, { text: 'Good' });
  const { commentid } = made.body as Comment;
  expect((await ana.call('PUT', `/comments/${commentid}/done`)).status).toBe(404);
});

test('FEEDBACK-3 feedback that is closed keeps its first person and time', async () => {
  const { commentid } = await give(ben);
  await ana.call('PUT', `/comments/${commentid}/done`);
  const closed = await read(commentid);
  now += 60_000;
  expect((await edda.call('PUT', `/comments/${commentid}/done`)).status).toBe(204);
  expect((await read(commentid)).feedback).toEqual(closed.feedback);
});

test('FEEDBACK-3 a reply, and an edit of the text, leave feedback as it is', async () => {
  const { commentid } = await give(ben);
  await ben.call('PATCH', `/comments/${commentid}`, { text: 'Unsafe: no guard' });
  await ana.call('PUT', `/comments/${commentid}/done`);
  const { feedback: closed } = await read(commentid);
  const place = `/comments/step/${stepAt(guide, 0)}`;
  await ana.call('POST', place, { text: 'There is one now', parentid: commentid });
  expect(await read(commentid)).toMatchObject({
    text_raw: 'Unsafe: no guard',
    feedback: closed,
    replies: [{ text_raw: 'There is one now' }],
  });
  expect(await seen(commentid, '6-6')).toMatchObject({ feedback: closed });
});

test('FEEDBACK-1 PROTOCOL-5 devices of protocol 5 get feedback as a comment with its words', async () => {
  const { commentid } = await give(ben);
  const facts = await seen(commentid, '5-5');
  expect(facts).toMatchObject({ commentid, text_raw: 'Unsafe', status: 'public' });
  expect(facts).not.toHaveProperty('feedback');
});

test('FEEDBACK-1 comments from before there was feedback are none', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-migration-'));
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new BetterSqlite3(join(dir, 'old.sqlite')) }),
  });
  try {
    await first.up(db);
    await sql`INSERT INTO users (userid, username, privileges, join_date, reputation, about_raw, langid, enabled)
      VALUES (1, 'Ana', '["User"]', 5, 1, '', 'en', 1)`.execute(db);
    await sql`INSERT INTO comments (context, contextid, userid, text_raw, date, modified_date, replied_date, rating, status)
      VALUES ('step', 61, 1, 'Torn belt', 5, 0, 0, 0, 'public')`.execute(db);
    await stations.up(db);
    await feedback.up(db);
    expect(await db.selectFrom('comments').select(['text_raw', 'feedback_reason']).execute()).toEqual([
      { text_raw: 'Torn belt', feedback_reason: null },
    ]);
  } finally {
    await db.destroy();
    rmSync(dir, { recursive: true });
  }
});
