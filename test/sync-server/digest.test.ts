import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import type { DigestLine } from '#shared/sync/wire.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';

const newGuide = { category: 'Bench Grinder', type: 'repair', title: 'Belt' } as const;

async function linesOf(server: TestServer, person: TestPerson, path: string, init?: RequestInit) {
  const response = await fetch(`${server.url}/sync/1/${path}`, {
    ...init,
    headers: { Authorization: `api ${person.token}`, 'Content-Type': 'application/json' },
  });
  const lines = (await response.text()).trim().split('\n');
  return { status: response.status, lines: lines.map((line): unknown => JSON.parse(line)) };
}

test('DIGEST-1 the digest covers exactly what an initial load would bring its reader', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  const secret = await ana.client.guides.create({ body: newGuide });
  await ana.client.guides.create({ body: { ...newGuide, public: true, prerequisites: [secret.guideid] } });
  for (const person of [ana, ben]) {
    const { rows } = await sync(server, person, 'bootstrap?protocol=5-6');
    const { lines } = await linesOf(server, person, 'digest?protocol=5-6');
    const [head, ...rest] = lines as [object, ...DigestLine[]];
    expect(head).toMatchObject({ protocol: 6 });
    expect(rest.pop()).toMatchObject({ more: false });
    const expected = rows.map(({ c, id, seq, doc }) => ({
      c,
      id,
      seq,
      hash: createHash('sha256').update(JSON.stringify(doc)).digest('hex').slice(0, 16),
    }));
    expect(rest).toEqual(expected);
    expect(rest.some(({ c, id }) => c === 'guides' && id === String(secret.guideid))).toBe(person === ana);
  }
});

test('DIGEST-2 records are read as the feed carries them; hidden and deleted ones appear as removed', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  const ben = await server.person('Ben');
  const open = await ana.client.guides.create({ body: { ...newGuide, public: true } });
  const secret = await ana.client.guides.create({ body: newGuide });
  const ids = [String(open.guideid), String(secret.guideid), '987654'];
  const body = JSON.stringify({ records: ids.map((id) => ({ c: 'guides', id })) });
  const { lines } = await linesOf(server, ben, 'records?protocol=5-6', { method: 'POST', body });
  expect(lines.slice(1, -1)).toEqual([
    { c: 'guides', id: ids[0], seq: expect.any(Number), doc: expect.objectContaining({ title: 'Belt' }) },
    { c: 'guides', id: ids[1], seq: expect.any(Number), removed: true },
    { c: 'guides', id: ids[2], seq: expect.any(Number), removed: true },
  ]);
  const unknown = JSON.stringify({ records: [{ c: 'passwords', id: '1' }] });
  expect((await linesOf(server, ben, 'records', { method: 'POST', body: unknown })).status).toBe(422);
  expect((await fetch(`${server.url}/sync/1/digest`)).status).toBe(401);
});
