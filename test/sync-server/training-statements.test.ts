import { afterAll, beforeAll, expect, test } from 'vitest';

import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { aicc, cmi5, xapi, type Files } from '#test/support/training-packages.ts';
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

/** A client of the LRS as content is one. */
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

test('TR13 statements of an xAPI module are recorded once, and say what was achieved', async () => {
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

test('TR13 documents of an xAPI module are kept, merged, guarded and removed', async () => {
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
  expect((await lrs('PUT', state, {}, { ...json, 'If-Match': '"other"' })).status).toBe(409);
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

test('TR14 a cmi5 unit fetches its credentials once, and is satisfied by its own rule', async () => {
  const { launch, result } = await played(cmi5());
  const query = new URL((await launch()).url).searchParams;
  const fetchToken = async (): Promise<Record<string, string>> =>
    (await (await fetch(query.get('fetch') ?? '', { method: 'POST' })).json()) as Record<string, string>;
  const token = (await fetchToken())['auth-token'] ?? '';
  expect(await fetchToken()).toMatchObject({ 'error-code': '1' });
  const lrs = lrsOf(query, `Basic ${token}`);
  const launchData = `activities/state?activityId=${encodeURIComponent(query.get('activityId') ?? '')}&agent=%7B%7D&registration=${query.get('registration')}&stateId=LMS.LaunchData`;
  expect((await lrs('GET', launchData)).body).toMatchObject({
    launchMode: 'Normal',
    moveOn: 'CompletedAndPassed',
    masteryScore: 0.6,
    launchParameters: 'mode=workshop',
    contextTemplate: { registration: query.get('registration') },
  });
  const { body } = await lrs('GET', 'statements');
  expect(body).toMatchObject({ statements: [{ verb: { id: 'http://adlnet.gov/expapi/verbs/launched' } }] });
  await lrs('POST', 'statements', statement(query, 'completed'));
  expect(await result()).toMatchObject({ completion: 'incomplete' });
  const low = { result: { success: true, score: { scaled: 0.5 } } };
  await lrs('POST', 'statements', statement(query, 'passed', low));
  expect(await result()).toMatchObject({ completion: 'incomplete', success: 'failed', score: 50 });
  await lrs(
    'POST',
    'statements',
    statement(query, 'passed', { result: { success: true, score: { scaled: 0.9 } } }),
  );
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed', score: 90 });
  const satisfied = encodeURIComponent('https://w3id.org/xapi/adl/verbs/satisfied');
  const told = (await lrs('GET', `statements?verb=${satisfied}`)).body as { statements: object[] };
  expect(told.statements).toMatchObject([{ object: { id: query.get('activityId') } }]);
});

test('TR15 an AICC unit speaks HACP: it gets its data back, and its status counts', async () => {
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
