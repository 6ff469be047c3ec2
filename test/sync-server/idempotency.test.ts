import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { get, isRemembered, post } from '#shared/api/endpoint.ts';
import { webhooks } from '#shared/api/webhooks.ts';
import { checkReplays } from '#server/http/check-answers.ts';
import { handle } from '#server/http/handle.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

import { endpoints } from './routes.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let admin: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder', undefined, 'A double grinder.');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
  admin = await server.person('Ada', ['User', 'Author', 'Moderator', 'Admin']);
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Twice {
  statuses: number[];
  replayed: (string | null)[];
  first: Record<string, unknown>;
  again: Record<string, unknown>;
}

/** Sends one call twice with one key. */
async function twice(person: TestPerson, method: string, path: string, body?: unknown): Promise<Twice> {
  const headers = { 'Idempotency-Key': `${method}-${path.replaceAll(/\W/g, '-')}`.slice(0, 64) };
  const first = await person.call(method, path, body, headers);
  const again = await person.call(method, path, body, headers);
  return {
    statuses: [first.status, again.status],
    replayed: [first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')],
    first: first.body,
    again: again.body,
  };
}

test('IDEMPOTENCY-9 a handler whose replay would have no body does not compile', () => {
  const result = z.strictObject({ ok: z.boolean() });
  const calls = {
    write: post('/things', { summary: 'Write', result }),
    search: post('/things/search', { summary: 'Search', reads: true, result }),
    read: get('/things', { summary: 'Read', result }),
  };
  const answer = (): { ok: boolean } => ({ ok: true });
  const named = handle(calls, {
    write: (_, ctx) => ctx.respondWithRecord('site', 'site', answer()),
    search: answer,
    read: answer,
  });
  // @ts-expect-error -- `write` names no record.
  const unnamed = handle(calls, { write: answer, search: answer, read: answer });
  expect([named.table, unnamed.table]).toEqual([calls, calls]);
});

test('IDEMPOTENCY-16 a call whose answer may not be stored is not recorded, and its handler names no record', () => {
  const calls = {
    obtain: post('/secret', {
      summary: 'Obtain',
      unstored: true,
      result: z.strictObject({ secret: z.string() }),
    }),
  };
  const { table } = handle(calls, { obtain: () => ({ secret: 's3cret' }) });
  expect(Object.values(table).map(isRemembered)).toEqual([false]);
});

test('IDEMPOTENCY-10 a repeated removal from an allow-list always answers the remaining people', async () => {
  const guide = await makeGuide(ana);
  const path = `/guides/${guide.guideid}/users/${ben.userid}`;
  expect(await twice(ana, 'PUT', path)).toMatchObject({
    statuses: [201, 201],
    again: [{ userid: ben.userid }],
  });
  expect(await twice(ana, 'DELETE', path)).toEqual({
    statuses: [200, 200],
    replayed: [null, 'true'],
    first: { users: [] },
    again: { users: [] },
  });
});

test('IDEMPOTENCY-10 a replay of step data that changed nothing answers the work order', async () => {
  const guide = await makeGuide(ana);
  await makeForm(ana, guide);
  const order = await ben.call('POST', '/work_log', { guideid: guide.guideid, workorderid: 'WO-1' });
  const { entryid } = order.body as { entryid: number };
  expect(await twice(ben, 'PUT', `/work_log/${entryid}/stepData`, { fields: {} })).toMatchObject({
    statuses: [200, 200],
    replayed: [null, 'true'],
    first: { entryid },
    again: { entryid },
  });
});

test('IDEMPOTENCY-10 the server reports a write whose replay gives another answer', async () => {
  const flaws: string[] = [];
  const check = checkReplays((flaw) => flaws.push(flaw));
  const endpoint = webhooks.create;
  await check(endpoint, { webhookid: 1, secret: 'bbwh_x' }, async () => ({ webhookid: 1 }));
  expect(flaws).toEqual([]);
  await check(endpoint, { webhookid: 1 }, async () => undefined);
  await check(endpoint, { webhookid: 1 }, async () => [{ webhookid: 1 }]);
  await check(endpoint, { webhookid: 1 }, () => Promise.reject(new Error('Nothing represents it')));
  expect(flaws).toEqual([
    expect.stringContaining('POST /webhooks answered {"webhookid":1}; a replay gives undefined'),
    expect.stringContaining('[{"webhookid":1}]'),
    expect.stringContaining('Nothing represents it'),
  ]);
});

test('IDEMPOTENCY-11 a read by POST is executed each time, whatever its key', async () => {
  const forgotten = endpoints.filter(([, endpoint]) => endpoint.method !== 'GET' && !isRemembered(endpoint));
  const ofPeople = forgotten.filter(([, { access }]) => access !== 'public');
  const [secrets = [], reads = []] = [true, false].map((isSecret) =>
    ofPeople.flatMap(([route, { unstored = false }]) => (unstored === isSecret ? [route] : [])),
  );
  expect(reads.toSorted()).toEqual([
    'POST /external_training_modules/drafts',
    'POST /guides/{guideid}/editors',
    'POST /quizzes/getQuizzes',
  ]);
  // Each of them needs a test of IDEMPOTENCY-16.
  expect(secrets.toSorted()).toEqual([
    'POST /accounts/{userid}/invitation',
    'POST /site/test_mail',
    'POST /stations/{stationid}/code',
    'POST /user/device_secret',
  ]);
  const headers = { 'Idempotency-Key': 'quizzes-of-now' };
  const search = () => admin.call('POST', '/quizzes/getQuizzes', {}, headers);
  expect((await search()).body).toMatchObject({ totalResults: 0 });
  expect((await admin.call('POST', '/quizzes', { title: 'Belts' })).status).toBe(201);
  const later = await search();
  expect(later.body).toMatchObject({ totalResults: 1, quizzes: [{ title: 'Belts' }] });
  expect(later.headers.get('idempotency-replayed')).toBeNull();
  const drafts = await twice(admin, 'POST', '/external_training_modules/drafts', {});
  expect(drafts).toMatchObject({ statuses: [200, 200], replayed: [null, null], again: [] });
});

test('IDEMPOTENCY-12 signing in twice with one key gives two tokens', async () => {
  const credentials = { email: 'ana@example.com', password: 'a long password' };
  const { statuses, replayed, first, again } = await twice(ana, 'POST', '/user/token', credentials);
  expect([statuses, replayed]).toEqual([
    [201, 201],
    [null, null],
  ]);
  expect(again['authToken']).toMatch(/^bb_/);
  expect(again['authToken']).not.toBe(first['authToken']);
});

test('IDEMPOTENCY-13 a replay of acting as another person names that person and contains no token', async () => {
  const body = { userid: ben.userid };
  const { statuses, replayed, first, again } = await twice(admin, 'POST', '/user/token/impersonate', body);
  expect([statuses, replayed]).toEqual([
    [201, 201],
    [null, 'true'],
  ]);
  const { authToken, ...record } = first;
  expect(authToken).toMatch(/^bb_/);
  expect(again).toEqual(record);
  const kept = await server.services.storage.reader.selectFrom('idempotency').selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain(String(authToken));
});

test('IDEMPOTENCY-14 a change of settings, which has its own transaction, is remembered', async () => {
  expect(await twice(admin, 'PATCH', '/site', { title: 'Repair' })).toMatchObject({
    statuses: [200, 200],
    replayed: [null, 'true'],
    first: { title: 'Repair' },
    again: { title: 'Repair' },
  });
});

test('IDEMPOTENCY-10 the counters of a running work order may differ between a call and its replay', async () => {
  let now = Date.UTC(2026, 4, 4, 8);
  const flaws: string[] = [];
  // A second passes at each reading of the clock.
  const own = await startServer({ now: () => (now += 1000), onBrokenAnswer: (flaw) => flaws.push(flaw) });
  await own.category('Bench Grinder');
  const author = await own.person('Ana');
  const { guideid } = await makeGuide(author);
  const started = await author.call('POST', '/work_log', { guideid, workorderid: 'WO-7' });
  const { entryid } = started.body as { entryid: number };
  const paused = await author.call('POST', `/work_log/${entryid}/pause`);
  expect([started.status, paused.status, flaws]).toEqual([201, 200, []]);
  await own[Symbol.asyncDispose]();
});
