import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { documentType, typeByName } from '#server/media/file-types.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { bulletOfMarker } from '#shared/rules/bullet-shapes.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

/** Members of JavaScript's objects: looking such a name up in an object succeeds even if it was never added. */
const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana', ['User', 'Author', 'Admin']);
});
afterAll(async () => server[Symbol.asyncDispose]());

it.each(names.filter((name) => name !== '__proto__'))('INPUT-21 a category can be named %s', async (name) => {
  expect(
    (await ana.call('POST', '/wikis', { namespace: 'CATEGORY', title: name, contents: 'Text' })).status,
  ).toBe(201);
  const guide = await ana.call('POST', '/guides', {
    category: name,
    type: 'technique',
    title: name,
    public: true,
  });
  expect(guide.status).toBe(201);
  for (const display of ['hierarchy', 'hierarchyOrder']) {
    const tree = await ana.call('GET', `/wikis/CATEGORY?display=${display}`);
    expect(tree.status).toBe(200);
    expect(JSON.stringify(tree.body)).toContain(`"${name}"`);
  }
  const tree = await ana.call('GET', '/categories?includeStubs=true');
  expect(Object.hasOwn(tree.body, name)).toBe(true);
  for (const path of [`/categories/${name}`, `/wikis/CATEGORY/${name}`, '/categories/all'])
    expect([path, (await ana.call('GET', path)).status]).toEqual([path, 200]);
});

it('INPUT-21 a category named __proto__ is refused, because category trees are keyed by title', async () => {
  const answer = await ana.call('POST', '/wikis', {
    namespace: 'CATEGORY',
    title: '__proto__',
    contents: 'Text',
  });
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ errors: [{ field: 'title' }] });
  const other = await ana.call('POST', '/wikis', { namespace: 'CATEGORY', title: 'Other', contents: 'Text' });
  const { revisionid } = other.body as { revisionid: number };
  const renamed = await ana.call('PATCH', `/wikis/CATEGORY/Other?revisionid=${revisionid}`, {
    title: '__proto__',
  });
  expect(renamed.status).toBe(422);
});

it.each(names)('INPUT-21 pages, teams, tags, fields and options can be named %s', async (name) => {
  await server.category('Grinder', undefined, 'Text');
  const calls: [string, string, unknown?][] = [
    [
      'POST',
      '/wikis',
      {
        namespace: 'WIKI',
        title: name,
        contents: `{{${name}|${name}=1}} [guidelist|${name}=1|type=${name}]`,
      },
    ],
    ['GET', `/wikis/WIKI/${name}`],
    ['PUT', `/wikis/WIKI/${name}/tag`, { tag: name }],
    ['POST', '/teams', { name }],
    ['GET', '/teams'],
    ['GET', `/tags?filter=${name}`],
    ['GET', `/search/${name}`],
    ['GET', `/suggest/${name}`],
    ['GET', `/guides?filter=${name}`],
    ['GET', `/wikis/WIKI?order=${name}`],
  ];
  for (const [method, path, body] of calls) {
    const { status } = await ana.call(method, path, body);
    expect([path, status < 500]).toEqual([path, true]);
  }
  const steps = [{ lines: [{ text: name }] }];
  const made = await ana.call('POST', '/guides', { category: 'Grinder', type: 'technique', steps });
  const { guideid, steps: stored } = made.body as Guide;
  expect((await ana.call('PUT', `/guides/${guideid}/tags`, [name])).status).toBeLessThan(500);
  const form = await ana.call('POST', `/step_forms/${stored[0]?.stepid}`, {
    fields: [{ field_type: 'Radios', label: name, options: [name, 'other'] }],
  });
  expect(form.status).toBe(200);
  expect(JSON.stringify(form.body)).toContain(name);
  // An undeclared field or setting of any name is refused.
  const unknown = `{"category":"Grinder","type":"technique","${name}":{"a":1}}`;
  expect((await ana.call('POST', '/guides', unknown)).status).toBe(422);
});

it.each(names)('INPUT-21 an extension or colour named %s is unknown', (name) => {
  expect(typeByName(`file.${name}`)).toBe('application/octet-stream');
  expect(documentType(`file.${name}`)).toBe('application/octet-stream');
  expect(bulletOfMarker(name)).toBe('red');
});

it('INPUT-20 a refusal repeats only a part of a name', async () => {
  const name = 'x'.repeat(100_000);
  const form = await fetch(`${server.url}/api/2.0/user/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: '%'.repeat(200_000),
  });
  const answers = [
    [form.status, await form.text()],
    ...[
      await ana.call('POST', '/guides', { [name]: 1 }),
      await ana.call('POST', '/guides', { category: name, type: 'technique' }),
      await ana.call('GET', `/guides?filter=${name.slice(0, 12_000)}`),
    ].map(({ status, body }) => [status, JSON.stringify(body)] as const),
  ] as [number, string][];
  for (const [status, text] of answers) {
    expect(status).toBe(422);
    expect(text.length).toBeLessThan(2500);
  }
});

it('INPUT-4 a body that is nested too deeply is refused, even with an Idempotency-Key', async () => {
  for (const body of [
    '['.repeat(100_000) + ']'.repeat(100_000),
    '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
  ]) {
    const answer = await ana.call('POST', '/guides', body, { 'Idempotency-Key': 'deep-deep-deep' });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'body' }] } });
  }
});

it('INPUT-5 half a surrogate pair becomes the replacement character, and NUL is refused, everywhere', async () => {
  const made = await ana.call(
    'POST',
    '/guides',
    '{"category":"Bench Grinder","type":"repair","title":"A\\ud800B","public":true}',
  );
  expect(made).toMatchObject({ status: 201, body: { title: 'A\ufffdB' } });
  const { guideid, revisionid } = made.body as { guideid: number; revisionid: number };
  const refusals = [
    ['POST', `/work_log?workorderid=W%00&guideid=${guideid}`, {}, 'workorderid'],
    ['PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { title: 'A\0' }, 'title'],
    [
      'PATCH',
      `/guides/${guideid}?revisionid=${revisionid}`,
      { steps: [{ lines: [{ text: '\0' }] }] },
      'steps.0.lines.0.text',
    ],
    ['PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { 'ti\0tle': 'A' }, 'body'],
  ] as const;
  for (const [method, path, body, field] of refusals)
    expect(await ana.call(method, path, body)).toMatchObject({
      status: 422,
      body: { code: 'character-not-allowed', errors: [{ field, message: expect.stringContaining('NUL') }] },
    });
  for (const path of ['/wikis/WIKI/a%00b', '/tags/a%00b', '/users/search/a%00b', '/igi/a%00b'])
    expect((await ana.call('GET', path)).status, path).toBeLessThan(500);
  expect(
    await ana.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { title: '\\u0000' }),
  ).toMatchObject({
    status: 200,
    body: { title: '\\u0000' },
  });
});

it('INPUT-6 the response to a body with countless wrong elements names only a few', async () => {
  const body = {
    category: 'Bench Grinder',
    type: 'repair',
    prerequisites: Array.from({ length: 40_000 }, () => 'x'),
  };
  const answer = await ana.call('POST', '/guides', body);
  expect(answer.status).toBe(422);
  expect((answer.body as { errors: object[] }).errors).toHaveLength(100);
});

const wide = (fields: number): object =>
  Object.fromEntries(Array.from({ length: fields }, (_, n) => [`k${n}`, n]));

it.each<[string, string, object]>([
  ['countless fields', '/guides', wide(100_000)],
  ['countless fields from an anonymous caller', '/user/token', wide(100_000)],
  ['countless nested fields', '/quizzes/sessions/save', { quizid: 1, response_json: wide(6000) }],
  ['countless values', '/guides', { steps: Array.from({ length: 400_000 }, () => 1) }],
  ['countless values in total', '/guides', { tools: Array.from({ length: 60_000 }, () => ({ a: 1 })) }],
])('INPUT-27 a body with %s is refused before validation', async (_name, path, body) => {
  const answer = await ana.call('POST', path, body);
  expect(answer).toMatchObject({
    status: 422,
    body: { code: 'body-too-large', errors: [{ field: 'body' }] },
  });
});

it('INPUT-27 of thousands of unknown fields only a hundred are named, in a batch too', async () => {
  const answer = await ana.call('POST', '/guides', wide(4000));
  expect((answer.body as { errors: object[] }).errors).toHaveLength(100);
  const batch = await fetch(`${server.url}/sync/1/batch`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ protocol: unannouncedProtocol, calls: [], ...wide(4000) }),
  });
  expect(batch.status).toBe(422);
  expect((await batch.text()).length).toBeLessThan(20_000);
});

it('INPUT-27 a form with more fields than a body may have is refused', async () => {
  const { status } = await ana.call('POST', '/guides', 'a&'.repeat(6000), {
    'Content-Type': 'application/x-www-form-urlencoded',
  });
  expect(status).toBe(422);
});

it('INPUT-16 an item named twice in a set counts once', async () => {
  const first = await makeGuide(ana);
  const made = await ana.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      prerequisites: [first.guideid, first.guideid],
      flags: ['GUIDE_IN_PROGRESS', 'GUIDE_IN_PROGRESS'],
    },
  });
  expect(made.prerequisites.map((one) => one.guideid)).toEqual([first.guideid]);
  expect(made.flags).toEqual(['GUIDE_IN_PROGRESS']);
});

it('INPUT-17 a new step or line cannot take over the identity of another', async () => {
  const guide = await ana.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Belt',
      steps: [{ key: 'first-step', title: 'Open' }],
    },
  });
  const known = guide.steps.map(({ stepid, revisionid }) => ({ stepid, revisionid }));
  const twice = {
    lines: [
      { id: 'same', text: 'a' },
      { id: 'same', text: 'b' },
    ],
  };
  for (const steps of [
    [...known, { key: 'first-step', title: 'Another' }],
    [...known, { key: 'new' }, { key: 'new' }],
    [...known, { key: 'new', ...twice }],
  ]) {
    const answer = await ana.call('PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, {
      steps,
    });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'steps' }] } });
  }
  expect(await ana.client.guides.read({ params: { guideid: guide.guideid } })).toMatchObject({
    revisionid: guide.revisionid,
  });
});
