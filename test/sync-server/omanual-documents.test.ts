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

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, { headers });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    etag: response.headers.get('etag'),
    text: await response.text(),
  };
}

test('OMANUAL-DOCUMENT-1 A guide exists as a document that is valid by the schema, with absolute addresses', async () => {
  const answer = await read(`/api/2.0/guides/${world.belt.guideid}?type=XML`);
  expect([answer.status, answer.type]).toStrictEqual([200, 'application/xml; charset=utf-8']);
  expect(await schemaErrors([{ name: 'guide.xml', xml: answer.text }])).toStrictEqual([]);
  expect(answer.text).toContain(`<title`);
  expect(answer.text).toContain(world.belt.title);
  expect(answer.text).not.toMatch(/(?:href|large|path)="\/(?!\/)/);
  const again = await read(`/api/2.0/guides/${world.belt.guideid}?type=XML`, {
    'If-None-Match': answer.etag ?? '',
  });
  expect([again.status, again.text]).toStrictEqual([304, '']);
  const asJson = await read(`/api/2.0/guides/${world.belt.guideid}`);
  expect(asJson.type).toBe('application/json; charset=utf-8');
  expect(asJson.etag).not.toBe(answer.etag);
});

test('OMANUAL-DOCUMENT-1 A category exists as a document with its guides, under both of its paths', async () => {
  const category = encodeURIComponent(world.belt.category);
  const answer = await read(`/api/2.0/wikis/CATEGORY/${category}?type=XML`);
  expect([answer.status, answer.type]).toStrictEqual([200, 'application/xml; charset=utf-8']);
  expect(await schemaErrors([{ name: 'category.xml', xml: answer.text }])).toStrictEqual([]);
  expect(answer.text).toContain(`<path>${server.url}/api/2.0/guides/${world.belt.guideid}?type=XML</path>`);
  expect((await read(`/api/2.0/categories/${category}?type=XML`)).text).toBe(answer.text);
});

test('OMANUAL-DOCUMENT-1 Documents show what the viewer may see, and nothing of a private guide to others', async () => {
  const draft = await world.ana.call('POST', '/guides', {
    category: world.belt.category,
    type: 'repair',
    title: 'Secret belt',
    public: false,
  });
  const { guideid } = draft.body as { guideid: number };
  const path = `/api/2.0/guides/${guideid}?type=XML`;
  expect((await read(path)).status).toBe(404);
  const own = await read(path, { Authorization: `api ${world.ana.token}` });
  expect(own.status).toBe(200);
  expect(await schemaErrors([{ name: 'guide.xml', xml: own.text }])).toStrictEqual([]);
  const category = `/api/2.0/wikis/CATEGORY/${encodeURIComponent(world.belt.category)}?type=XML`;
  expect((await read(category)).text).not.toContain('Secret belt');
  expect((await read(category, { Authorization: `api ${world.ana.token}` })).text).toContain('Secret belt');
});

test('OMANUAL-DOCUMENT-2 Refusals are small documents with the same status', async () => {
  const missing = await read('/api/2.0/guides/987654321?type=XML');
  expect([missing.status, missing.type]).toStrictEqual([404, 'application/xml; charset=utf-8']);
  expect(missing.text).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<error><message>Guide not found</message></error>\n',
  );
  const stranger = await read(`/api/2.0/guides/${world.belt.guideid}?type=XML`, {
    Authorization: 'api nobody',
  });
  expect([stranger.status, stranger.type]).toStrictEqual([401, 'application/xml; charset=utf-8']);
  const odd = await read(`/api/2.0/guides/${world.belt.guideid}?type=XML&revisionid=x`);
  expect([odd.status, odd.type]).toStrictEqual([422, 'application/xml; charset=utf-8']);
  expect(odd.text).toContain('<field name="revisionid">');
});

test('OMANUAL-DOCUMENT-3 Wikis of other namespaces are no oManual documents', async () => {
  await world.mira.call('POST', '/wikis', { namespace: 'WIKI', title: 'Bolts', contents: 'Metric' });
  const answer = await read('/api/2.0/wikis/WIKI/Bolts?type=XML');
  expect([answer.status, answer.type]).toStrictEqual([422, 'application/xml; charset=utf-8']);
});
