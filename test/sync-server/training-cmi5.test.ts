import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Json } from '#server/features/training/player/json.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { cmi5, type Files } from '#test/support/training-packages.ts';
import { page, played, type Started } from '#test/support/training-world.ts';
import { jsonOf } from '#test/support/answer.ts';

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
const adl = 'http://adlnet.gov/expapi/verbs/';
const ofLms = 'https://w3id.org/xapi/adl/verbs/';
const extension = 'https://w3id.org/xapi/cmi5/context/extensions/';
const defined = [{ objectType: 'Activity', id: 'https://w3id.org/xapi/cmi5/context/categories/cmi5' }];
let server: TestServer;
let author: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer({ now: () => clock.now });
  author = await server.person('Ana', ['User', 'Author']);
  ben = await server.person('Ben', ['User']);
});
afterAll(async () => server[Symbol.asyncDispose]());

/** A course of units with `moveOn` by id; `first` and `second` are in a nested block. */
function course(...units: [id: string, moveOn: string, more?: string][]): Files {
  const files = cmi5();
  const au = ([id, moveOn, more = '']: (typeof units)[number]): string =>
    `<au id="urn:${id}" moveOn="${moveOn}" ${more}><title><langstring lang="en">${id}</langstring></title><url>content/index.html</url></au>`;
  const inner = units.filter(([id]) => id !== 'last').map(au);
  const last = units.filter(([id]) => id === 'last').map(au);
  const title = '<title><langstring lang="en">B</langstring></title>';
  const body = `<block id="urn:outer">${title}<block id="urn:inner">${title}${inner.join('')}</block></block>${last.join('')}`;
  const manifest = files['cmi5.xml'] ?? '';
  return { ...files, 'cmi5.xml': manifest.replace(/<block[\s\S]*<\/block>/, body) };
}

interface Unit {
  query: URLSearchParams;
  launchData: {
    contextTemplate: { contextActivities: object; extensions: Record<string, string> };
    launchMode: string;
  };
  lrs: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;
  /** Sends a statement with a verb of cmi5; returns the status. */
  say: (verb: string, more?: object) => Promise<number>;
  /** Sends a verb without the category of cmi5: it is recorded without effect (cmi5 7.1.3). */
  mention: (verb: string, more?: object) => Promise<number>;
}

/** Starts a unit like its content: fetches its credentials and its launch data. */
async function begun({ url }: Started): Promise<Unit> {
  const query = new URL(url).searchParams;
  const answer = await fetch(query.get('fetch') ?? '', { method: 'POST' });
  const token = ((await answer.json()) as Record<string, string>)['auth-token'] ?? '';
  const lrs: Unit['lrs'] = async (method, path, body) => {
    const response = await fetch((query.get('endpoint') ?? '') + path, {
      method,
      headers: { Authorization: `Basic ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await jsonOf(response) };
  };
  const launchData = (await lrs('GET', stateOf(query))).body as Unit['launchData'];
  const { contextTemplate } = launchData;
  const statement = (verb: string, context: object, more: object) => ({
    actor: JSON.parse(query.get('actor') ?? '{}') as object,
    verb: { id: adl + verb },
    object: { objectType: 'Activity', id: query.get('activityId') },
    context: { ...contextTemplate, registration: query.get('registration'), ...context },
    ...more,
  });
  const post = async (body: object): Promise<number> => (await lrs('POST', 'statements', body)).status;
  const contextActivities = { ...contextTemplate.contextActivities, category: defined };
  return {
    query,
    launchData,
    lrs,
    say: (verb, more = {}) => post(statement(verb, { contextActivities }, more)),
    mention: (verb, more = {}) => post(statement(verb, {}, more)),
  };
}

const stateOf = (query: URLSearchParams, stateId = 'LMS.LaunchData'): string =>
  `activities/state?activityId=${encodeURIComponent(query.get('activityId') ?? '')}&agent=%7B%7D&registration=${query.get('registration')}&stateId=${stateId}`;

async function open(files: Files) {
  const world = await played({ server, author, learner: ben }, files);
  const launch = async (index = 0): Promise<Unit> =>
    begun((await page<Started>(world.address, `activities/${index}/launch`, { method: 'POST' })).body);
  return { ...world, launch };
}

interface Told {
  verb: { id: string };
  object: { id: string; definition?: { type: string } };
  result?: Json;
  context: { extensions: Record<string, Json>; contextActivities: { grouping: { id: string }[] } };
}

async function told({ lrs }: Unit, verb: string): Promise<Told[]> {
  const { body } = await lrs('GET', `statements?ascending=true&verb=${encodeURIComponent(verb)}`);
  return (body as { statements: Told[] }).statements;
}

const score = (scaled: number): object => ({ result: { score: { scaled } } });

test('TRAINING-14 a cmi5 unit fetches its credentials once, and is satisfied by its moveOn rule', async () => {
  const { launch, result } = await open(cmi5());
  const unit = await launch();
  const { query, lrs, say } = unit;
  const again = await fetch(query.get('fetch') ?? '', { method: 'POST' });
  expect([again.status, await again.json()]).toMatchObject([200, { 'error-code': '1' }]);
  expect(unit.launchData).toMatchObject({
    launchMode: 'Normal',
    moveOn: 'CompletedAndPassed',
    masteryScore: 0.6,
    launchParameters: 'mode=workshop',
    contextTemplate: { registration: query.get('registration') },
  });
  expect(await say('initialized')).toBe(200);
  expect(await say('completed')).toBe(200);
  expect(await result()).toMatchObject({ completion: 'incomplete' });
  expect(await say('passed', score(0.9))).toBe(200);
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed', score: 90 });
  expect(await say('terminated')).toBe(200);
  for (const method of ['PUT', 'POST', 'DELETE'])
    expect((await lrs(method, stateOf(query), method === 'DELETE' ? undefined : {})).status).toBe(403);
  expect((await lrs('PUT', stateOf(query, 'own'), { page: 1 })).status).toBe(204);
  expect((await lrs('DELETE', stateOf(query).replace('&stateId=LMS.LaunchData', ''))).status).toBe(204);
  expect((await lrs('GET', stateOf(query, 'own'))).status).toBe(404);
  expect((await lrs('GET', stateOf(query))).body).toEqual(unit.launchData);
});

test('TRAINING-14 a launch is recorded with its mode, its address and its mastery criteria', async () => {
  const { launch } = await open(cmi5());
  const unit = await launch();
  const [launched] = await told(unit, `${adl}launched`);
  const address = launched?.context.extensions[`${extension}launchurl`];
  expect(launched).toMatchObject({
    object: { id: unit.query.get('activityId') },
    context: {
      registration: unit.query.get('registration'),
      contextActivities: { category: defined, grouping: [{ id: 'https://example.org/unit' }] },
      extensions: {
        ...unit.launchData.contextTemplate.extensions,
        [`${extension}launchmode`]: 'Normal',
        [`${extension}moveon`]: 'CompletedAndPassed',
        [`${extension}masteryscore`]: 0.6,
        [`${extension}launchparameters`]: 'mode=workshop',
      },
    },
  });
  expect(address).toMatch(/\/content\/index\.html$/);
});

test('TRAINING-14 statements that cmi5 does not allow, or not now, are refused and not recorded', async () => {
  const { launch, result } = await open(cmi5());
  const { say, mention, query, lrs } = await launch();
  expect(await say('completed')).toBe(403);
  expect(await say('initialized')).toBe(200);
  for (const [verb, more] of [
    ['initialized', {}],
    ['satisfied', {}],
    ['launched', {}],
    ['completed', score(1)],
    ['passed', score(0.59)],
    ['passed', score(-0.5)],
    ['failed', score(0.6)],
    ['passed', { object: { id: 'https://example.org/unit' } }],
    ['passed', { actor: { account: { homePage: 'https://example.org', name: '1' } } }],
    ['voided', { object: { objectType: 'StatementRef', id: '0190c0de-0000-4000-8000-000000000003' } }],
  ] as const)
    expect([verb, await say(verb, more)]).toEqual([verb, 403]);
  const reference = { objectType: 'StatementRef', id: '0190c0de-0000-4000-8000-000000000003' };
  expect(await mention('voided', { object: reference })).toBe(403);
  const elsewhere = { extensions: { [`${extension}sessionid`]: 'another' } };
  expect(await mention('experienced', { context: elsewhere })).toBe(403);
  const { body } = await lrs('GET', 'statements');
  expect((body as { statements: object[] }).statements).toHaveLength(2);
  expect(await say('failed', score(0.2))).toBe(200);
  expect(await say('passed', score(0.9))).toBe(403);
  expect(await result()).toMatchObject({ completion: 'incomplete', success: 'failed', score: 20 });
  expect(query.get('registration')).not.toBeNull();
});

test('TRAINING-14 a cmi5 "allowed" statement is recorded without deciding anything', async () => {
  const { launch, result } = await open(course(['first', 'Passed']));
  const { say, mention } = await launch();
  await say('initialized');
  expect(await mention('passed', score(1))).toBe(200);
  expect(await mention('answered', { object: { id: 'urn:question' } })).toBe(200);
  expect(await result()).toMatchObject({ completion: 'incomplete', success: 'unknown' });
  expect(await say('passed', score(1))).toBe(200);
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed' });
});

test("TRAINING-14 a session ends by the unit's statement, or is abandoned by the next launch, and then accepts nothing", async () => {
  const { launch } = await open(course(['first', 'Completed'], ['last', 'Completed']));
  const gone = await launch();
  await gone.say('initialized');
  clock.now += 90_000;
  expect(await gone.mention('experienced')).toBe(200);
  clock.now += 60_000;
  const next = await launch(1);
  const [abandoned, ...others] = await told(next, `${ofLms}abandoned`);
  expect(others).toEqual([]);
  expect(abandoned).toMatchObject({
    object: { id: gone.query.get('activityId') },
    result: { duration: 'PT90S' },
    context: { extensions: gone.launchData.contextTemplate.extensions },
  });
  for (const late of [gone.say('completed'), gone.mention('experienced')]) expect(await late).toBe(403);
  await next.say('initialized');
  await next.say('terminated');
  clock.now += 9_000;
  expect(await next.mention('experienced')).toBe(200);
  expect(await next.say('completed')).toBe(403);
  clock.now += 1_000;
  expect(await next.mention('experienced')).toBe(403);
  expect(await told(await launch(1), `${ofLms}abandoned`)).toHaveLength(1);
});

test('TRAINING-14 a unit reports completed and passed once per registration, and never failed after passed', async () => {
  const { launch } = await open(course(['first', 'CompletedAndPassed']));
  const first = await launch();
  for (const verb of ['initialized', 'completed', 'failed', 'terminated'])
    expect(await first.say(verb)).toBe(200);
  const second = await launch();
  expect(await second.say('initialized')).toBe(200);
  expect(await second.say('completed')).toBe(403);
  expect(await second.say('passed')).toBe(200);
  const third = await launch();
  expect(await third.say('initialized')).toBe(200);
  expect(await third.say('passed')).toBe(403);
  expect(await third.say('failed')).toBe(403);
});

test('TRAINING-14 blocks and the course are reported satisfied once each, innermost first', async () => {
  const { launch, result, version } = await open(
    course(['first', 'Passed'], ['second', 'NotApplicable'], ['last', 'CompletedOrPassed']),
  );
  const first = await launch();
  await first.say('initialized');
  expect(await told(first, `${ofLms}satisfied`)).toEqual([]);
  await first.say('passed');
  const type = (name: string) => ({ type: `https://w3id.org/xapi/cmi5/activitytype/${name}` });
  const base = `urn:benchbook:import:${version.importid}`;
  const blocks = [
    { id: `${base}:block:urn%3Ainner`, definition: type('block') },
    { id: `${base}:block:urn%3Aouter`, definition: type('block') },
  ];
  expect((await told(first, `${ofLms}satisfied`)).map(({ object }) => object)).toMatchObject(blocks);
  expect(await result()).toMatchObject({ completion: 'incomplete' });
  const last = await launch(2);
  await last.say('initialized');
  await last.say('completed');
  await last.say('passed');
  const satisfied = await told(last, `${ofLms}satisfied`);
  expect(satisfied.map(({ object }) => object)).toMatchObject([
    ...blocks,
    { id: base, definition: type('course') },
  ]);
  expect(satisfied.at(-1)?.context).toMatchObject({
    extensions: last.launchData.contextTemplate.extensions,
    contextActivities: { grouping: [{ id: 'https://example.org/course' }] },
  });
  expect(await result()).toMatchObject({ completion: 'completed', success: 'passed' });
});
