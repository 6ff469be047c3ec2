import { afterAll, beforeAll, expect, test } from 'vitest';

import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { aicc, xapi, type Files } from '#test/support/training-packages.ts';
import { page, played as playedBy } from '#test/support/training-world.ts';
import { jsonOf } from '#test/support/answer.ts';

let server: TestServer;
let author: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer();
  author = await server.person('Ana', ['User', 'Author']);
  ben = await server.person('Ben', ['User']);
});
afterAll(async () => server[Symbol.asyncDispose]());

const played = (files: Files) => playedBy({ server, author, learner: ben }, files);

/** A client of the LRS, like the content. */
function lrsOf(query: URLSearchParams, auth: string) {
  const endpoint = query.get('endpoint') ?? '';
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(endpoint + path, {
      method,
      headers: { Authorization: auth, 'X-Experience-API-Version': '1.0.3', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await jsonOf(response) };
  };
}

const statement = (query: URLSearchParams, verb: string, more: object = {}) => ({
  actor: JSON.parse(query.get('actor') ?? '{}') as object,
  verb: { id: `http://adlnet.gov/expapi/verbs/${verb}` },
  object: { objectType: 'Activity', id: query.get('activity_id') ?? query.get('activityId') },
  ...more,
});

test('TRAINING-13 statements of an xAPI module are recorded once and determine what was achieved', async () => {
  const { launch, result, own } = await played(xapi());
  const query = new URL((await launch()).url).searchParams;
  expect(JSON.parse(query.get('actor') ?? '')).toMatchObject({
    name: 'Ben',
    account: { name: String(ben.userid) },
  });
  const lrs = lrsOf(query, query.get('auth') ?? '');
  const id = '0190c0de-0000-4000-8000-000000000001';
  const passed = statement(query, 'passed', { id, result: { success: true, score: { scaled: 0.85 } } });
  expect((await lrs('POST', 'statements', statement(query, 'initialized'))).status).toBe(200);
  expect(await result()).toMatchObject({ completion: 'incomplete' });
  for (let time = 0; time < 2; time += 1)
    expect(await lrs('PUT', `statements?statementId=${id}`, passed)).toMatchObject({ status: 204 });
  expect((await lrs('POST', 'statements', { ...passed, verb: statement(query, 'failed').verb })).status).toBe(
    409,
  );
  const { body } = await lrs('GET', 'statements');
  expect((body as { statements: { verb: { id: string } }[] }).statements.map(({ verb }) => verb.id)).toEqual([
    'http://adlnet.gov/expapi/verbs/passed',
    'http://adlnet.gov/expapi/verbs/initialized',
  ]);
  expect((await lrs('GET', `statements?statementId=${id}`)).body).toMatchObject({
    ...passed,
    stored: expect.any(String),
  });
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed', score: 85 });
  expect((await own())?.progress.completed_date).not.toBeNull();
  for (const wrong of [
    {},
    [],
    [1],
    { ...passed, id: 'x' },
    { ...passed, verb: {} },
    { ...passed, actor: 'Ben' },
  ]) {
    const refused = await lrs('POST', 'statements', wrong);
    expect([JSON.stringify(wrong), refused.status]).toEqual([
      JSON.stringify(wrong),
      Array.isArray(wrong) && wrong.length === 0 ? 200 : 400,
    ]);
  }
  expect((await lrsOf(query, 'Basic eDp5')('GET', 'statements')).status).toBe(401);
});

test('TRAINING-13 documents of an xAPI module are stored, merged, guarded and removed', async () => {
  const { launch } = await played(xapi());
  const query = new URL((await launch()).url).searchParams;
  const lrs = lrsOf(query, query.get('auth') ?? '');
  const json = { 'Content-Type': 'application/json' };
  const state = 'activities/state?activityId=https%3A%2F%2Fexample.org%2Flockout&agent=%7B%7D&stateId=place';
  expect((await lrs('GET', state)).status).toBe(404);
  expect((await lrs('PUT', state, { place: 'slide', page: 1 }, json)).status).toBe(204);
  expect((await lrs('POST', state, { place: 'question' }, json)).status).toBe(204);
  const read = await lrs('GET', state);
  expect(read.body).toEqual({ place: 'question', page: 1 });
  const etag = read.headers.get('etag') ?? '';
  expect((await lrs('PUT', state, {}, { ...json, 'If-Match': '"other"' })).status).toBe(412);
  expect((await lrs('PUT', state, { page: 2 }, { ...json, 'If-Match': etag })).status).toBe(204);
  const list = 'activities/state?activityId=https%3A%2F%2Fexample.org%2Flockout&agent=%7B%7D';
  expect((await lrs('GET', list)).body).toEqual(['place']);
  expect((await lrs('DELETE', state)).status).toBe(204);
  expect((await lrs('GET', list)).body).toEqual([]);
  expect((await lrs('PUT', 'agents/profile?agent=%7B%7D&profileId=p', { a: 1 }, json)).status).toBe(204);
  expect((await lrs('GET', 'agents/profile?agent=%7B%7D&profileId=p')).body).toEqual({ a: 1 });
  expect((await lrs('PUT', 'activities/state?stateId=x', {}, json)).status).toBe(400);
  const other = await played(xapi());
  const others = new URL((await other.launch()).url).searchParams;
  expect(
    (await lrsOf(others, others.get('auth') ?? '')('GET', 'agents/profile?agent=%7B%7D&profileId=p')).status,
  ).toBe(404);
});

test('TRAINING-13 of two concurrent writers of a profile the one with the newest document succeeds', async () => {
  const { launch } = await played(xapi());
  const query = new URL((await launch()).url).searchParams;
  const lrs = lrsOf(query, query.get('auth') ?? '');
  const json = { 'Content-Type': 'application/json' };
  for (const profile of [
    'agents/profile?agent=%7B%7D&profileId=p',
    'activities/profile?activityId=a&profileId=p',
  ]) {
    const put = (value: object, headers: Record<string, string> = {}) =>
      lrs('PUT', profile, value, { ...json, ...headers });
    const first = await Promise.all([1, 2, 3].map((from) => put({ from }, { 'If-None-Match': '*' })));
    expect(first.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 412, 412]);
    expect(await put({ from: 4 })).toMatchObject({ status: 409 });
    const etag = (await lrs('GET', profile)).headers.get('etag') ?? '';
    const next = await Promise.all([5, 6, 7].map((from) => put({ from }, { 'If-Match': etag })));
    expect(next.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 412, 412]);
    const merged = await Promise.all(
      ['a', 'b', 'c'].map((name) => lrs('POST', profile, { [name]: 1 }, json)),
    );
    expect(merged.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect((await lrs('GET', profile)).body).toMatchObject({ a: 1, b: 1, c: 1 });
    expect(await lrs('DELETE', profile, undefined, { 'If-Match': etag })).toMatchObject({ status: 412 });
    expect(await lrs('DELETE', profile)).toMatchObject({ status: 204 });
  }
});

test('TRAINING-13 a voided statement is found only by request, and no longer counts', async () => {
  const { launch, result, own } = await played(xapi());
  const query = new URL((await launch()).url).searchParams;
  const lrs = lrsOf(query, query.get('auth') ?? '');
  const id = '0190c0de-0000-4000-8000-000000000002';
  const passed = statement(query, 'passed', { id, result: { score: { scaled: 0.9 } } });
  await lrs('POST', 'statements', [statement(query, 'initialized'), passed]);
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed', score: 90 });
  const voids = (reference: object) => statement(query, 'voided', { object: reference });
  expect((await lrs('POST', 'statements', voids({ objectType: 'Activity', id }))).status).toBe(400);
  const [voiding] = (await lrs('POST', 'statements', voids({ objectType: 'StatementRef', id })))
    .body as string[];
  expect(await result()).toMatchObject({ completion: 'incomplete', success: 'unknown', score: null });
  expect((await own())?.progress.completed_date).not.toBeNull();
  expect((await lrs('GET', `statements?statementId=${id}`)).status).toBe(404);
  expect((await lrs('GET', `statements?voidedStatementId=${id}`)).body).toMatchObject({ id });
  expect((await lrs('GET', `statements?voidedStatementId=${voiding}`)).status).toBe(404);
  expect((await lrs('GET', `statements?voidedStatementId=${id}&statementId=${id}`)).status).toBe(400);
  const { statements } = (await lrs('GET', 'statements')).body as { statements: { id: string }[] };
  expect(statements.map((one) => one.id)).not.toContain(id);
  expect(statements).toHaveLength(2);
  const again = voids({ objectType: 'StatementRef', id: voiding });
  expect((await lrs('POST', 'statements', again)).status).toBe(400);
});

test('TRAINING-13 statements are listed by verb, part, time and registration, and a list can be continued', async () => {
  const { launch } = await played(xapi());
  const query = new URL((await launch()).url).searchParams;
  const lrs = lrsOf(query, query.get('auth') ?? '');
  const verbs = ['initialized', 'progressed', 'progressed', 'progressed', 'completed'];
  await lrs(
    'POST',
    'statements',
    verbs.map((verb) => statement(query, verb)),
  );
  const list = async (more: string) =>
    (await lrs('GET', `statements?${more}`)).body as { statements: { stored: string }[]; more: string };
  const verb = encodeURIComponent('http://adlnet.gov/expapi/verbs/progressed');
  expect((await list(`verb=${verb}`)).statements).toHaveLength(3);
  const pages = [await list(`verb=${verb}&limit=2`)];
  expect(pages[0]?.more).toMatch(/^\/lrs\/statements\?/);
  pages.push(await list((pages[0]?.more ?? '').replace('/lrs/statements?', '')));
  expect(pages.map(({ statements }) => statements.length)).toEqual([2, 1]);
  expect(pages[1]?.more).toBe('');
  expect(
    (await list(`activity=${encodeURIComponent(query.get('activity_id') ?? '')}`)).statements,
  ).toHaveLength(5);
  expect((await list('activity=urn%3Aother')).statements).toEqual([]);
  expect((await list(`registration=${query.get('registration')}`)).statements).toHaveLength(5);
  expect((await list('registration=0190c0de-0000-4000-8000-000000000009')).statements).toEqual([]);
  const { stored = '' } = (await list('')).statements[0] ?? {};
  expect((await list(`since=${stored}`)).statements).toEqual([]);
  expect((await list(`until=${stored}`)).statements).toHaveLength(5);
  expect((await lrs('GET', 'statements?since=yesterday')).status).toBe(400);
  const id = '0190c0de-0000-4000-8000-00000000000a';
  const other = { ...statement(query, 'progressed'), id: id.replace('a', 'b') };
  expect((await lrs('PUT', `statements?statementId=${id}`, other)).status).toBe(400);
});

test.each([
  ['line ends', '\n'],
  ['spaces', ' '],
])('TRAINING-15 an AICC unit that puts nothing but %s costs no more than its length', async (_, blank) => {
  const { launch } = await played(aicc());
  const { searchParams } = new URL((await launch()).url);
  // Each blank scanned all that follow it: minutes.
  const body = `command=PutParam&session_id=${searchParams.get('AICC_SID')}&aicc_data=[Core_Lesson]\nx${blank.repeat(250_000)}x`;
  const answer = await fetch(searchParams.get('AICC_URL') ?? '', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
  });
  expect(await answer.text()).toContain('error=0');
});

test('TRAINING-15 an AICC unit uses HACP: it gets its data back, and its status counts', async () => {
  const { launch, result, address } = await played(aicc());
  const url = new URL((await launch()).url);
  expect(url.searchParams.get('from')).toBe('menu');
  const hacp = async (command: string, data = '', session = url.searchParams.get('AICC_SID') ?? '') => {
    const body = new URLSearchParams({ command, version: '4.0', session_id: session, aicc_data: data });
    return (
      await (await fetch(url.searchParams.get('AICC_URL') ?? '', { method: 'POST', body })).text()
    ).split('\r\n');
  };
  expect(await hacp('GetParam')).toEqual(
    expect.arrayContaining([
      'error=0',
      'Student_Name=Ben',
      'Lesson_Status=not attempted, ab-initio',
      'Mastery_Score=60',
    ]),
  );
  expect(await hacp('GetParam', '', 'other')).toContain('error=3');
  expect(await hacp('Dance')).toContain('error=1');
  const core = (status: string, score: string) =>
    `[Core]\r\nLesson_Location=question\r\nLesson_Status=${status}\r\nScore=${score}\r\nTime=00:01:30\r\n[Core_Lesson]\r\nanswer=plug`;
  expect(await hacp('PutParam', core('i', ''))).toContain('error=0');
  expect(await hacp('GetParam')).toEqual(
    expect.arrayContaining([
      'Lesson_Location=question',
      'Time=00:01:30',
      'answer=plug',
      'Lesson_Status=i, resume',
    ]),
  );
  expect(await result()).toMatchObject({ completion: 'incomplete' });
  await hacp('PutParam', core('completed', '55,100,0'));
  expect(await result()).toMatchObject({ completion: 'completed', success: 'failed', score: 55 });
  await hacp('PutParam', core('p', '80'));
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed', score: 80 });
  const more =
    '\r\n[Objectives_Status]\r\nJ_ID.1=lock\r\nJ_Status.1=Passed\r\n[Comments]\r\n<1>Too fast<e.1>\r\n[Student_Preferences]\r\nAudio=-1';
  await hacp('PutParam', core('p', '80') + more);
  for (const text of ['"1","Where is the key?"', '"2","Thanks"']) await hacp('PutComments', text);
  await hacp('PutInteractions', '"q1","c","plug"');
  expect(await hacp('GetParam')).toEqual(
    expect.arrayContaining(['[objectives_status]', 'J_Status.1=Passed', '[student_preferences]', 'Audio=-1']),
  );
  const kept = await server.services.storage.reader
    .selectFrom('training_activities')
    .select('data')
    .where('data', 'like', '%J_Status.1%')
    .execute();
  expect(kept.map(({ data }) => JSON.parse(data) as object)).toMatchObject([
    {
      comments: '<1>Too fast<e.1>\r\n"1","Where is the key?"\r\n"2","Thanks"',
      interactions: '"q1","c","plug"',
    },
  ]);
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed', score: 80 });
  expect(await hacp('ExitAU')).toContain('error=0');
  expect((await page(address, 'hacp/4', { method: 'POST', body: '' })).status).toBe(404);
});
