import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { documentType, typeByName } from '#server/media/file-types.ts';
import { bulletOfMarker } from '#shared/rules/bullet-shapes.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

/** Members of JavaScript's objects: looking such a name up in an object succeeds even if it was never added. */
const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer();
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
