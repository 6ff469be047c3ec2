import { afterAll, beforeAll, expect, test } from 'vitest';

import { schemaErrors } from '#test/shared/formats/omanual/schemas.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld } from '#test/support/world.ts';

let server: TestServer;
let world: Awaited<ReturnType<typeof benchGrinderWorld>>;

beforeAll(async () => {
  server = await startServer();
  world = await benchGrinderWorld(server);
});
afterAll(async () => server[Symbol.asyncDispose]());

async function read(path: string, token?: string): Promise<{ status: number; body: unknown }> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `api ${token}` };
  const response = await fetch(`${server.url}/omanual/1.0${path}`, { headers });
  return { status: response.status, body: (await response.json()) as unknown };
}

test('OMANUAL-VARIANT-1 guides are listed as the standard says, private ones only to their readers', async () => {
  const { guideid, title, category, type } = world.belt;
  expect(await read('/guides?filter=replacement&order=DESC')).toMatchObject({
    status: 200,
    body: [{ guideid, title, category, type, subject: 'Drive Belt', public: true, username: 'Ana' }],
  });
  expect((await read('/guides?filter=technique')).body).toStrictEqual([]);
  expect((await read('/guides?limit=0')).status).toBe(422);
});

test('OMANUAL-VARIANT-2 a guide has its steps and those of the prerequisites that the viewer may see', async () => {
  const path = `/guides/${world.belt.guideid}`;
  const anybody = await read(path);
  expect(anybody).toMatchObject({
    status: 200,
    body: {
      guideid: world.belt.guideid,
      canEdit: false,
      url: world.belt.url,
      guide: {
        author: { text: 'Ana', userid: world.ana.userid },
        categories: ['Bench Grinder'],
        prereqs: [],
        steps: [
          {
            title: 'Open the cover',
            orderby: 1,
            lines: [{ bullet: 'red', level: 0, text: 'Three screws.' }, {}],
          },
          { title: 'Take the belt off', orderby: 2 },
        ],
      },
    },
  });
  expect(JSON.stringify(anybody.body)).not.toContain('Secret lockout');
  const own = (await read(path, world.ana.token)).body as { guide: { steps: { title: string }[] } };
  expect(own.guide.steps.map((step) => step.title)).toStrictEqual([
    'Pull the plug',
    'Open the cover',
    'Take the belt off',
  ]);
  expect((await read(`/guides/${world.lockout.guideid}`)).status).toBe(404);
});

test('OMANUAL-VARIANT-3 categories are a list of titles; one has its text and guides', async () => {
  expect((await read('/categories')).body).toStrictEqual(['Bench Grinder', 'Workshop']);
  expect(await read('/categories/Bench%20Grinder')).toMatchObject({
    status: 200,
    body: {
      title: 'Bench Grinder',
      locale: 'en',
      category_info: { name: 'Bench Grinder', manufacturer: '' },
      categories: ['Workshop'],
      solutions: { count: 0 },
      guides: [{ dataType: 'guide', guideid: world.belt.guideid, prereq_modified_date: false }],
    },
  });
  expect((await read('/categories/Nothing')).status).toBe(404);
});

test('OMANUAL-VARIANT-4 the two single objects exist as documents too; nothing can be written', async () => {
  const base = `${server.url}/omanual/1.0`;
  const guide = await (await fetch(`${base}/guides/${world.belt.guideid}?type=XML`)).text();
  const category = await (await fetch(`${base}/categories/Workshop?type=XML`)).text();
  const documents = [
    { name: 'guide.xml', xml: guide },
    { name: 'category.xml', xml: category },
  ];
  expect(await schemaErrors(documents)).toStrictEqual([]);
  expect(guide).toContain('<guide');
  const written = await fetch(`${base}/guides`, { method: 'POST', body: '{}' });
  expect([written.status, written.headers.get('allow')]).toStrictEqual([405, 'GET, HEAD, OPTIONS']);
});
