import { afterEach, beforeEach, expect, test } from 'vitest';

import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

let server: TestServer;
let world: BenchGrinderWorld;
let now: number;

beforeEach(async () => {
  now = 1_800_000_000_000;
  server = await startServer({ now: () => now });
  world = await benchGrinderWorld(server);
});
afterEach(async () => server[Symbol.asyncDispose]());

const say = (person: Pick<TestPerson, 'call'>, open: boolean) =>
  person.call('POST', `/guides/${world.belt.guideid}/editors`, { open });

test('PRESENCE-1 people who edit a guide see who else has it open; others are refused', async () => {
  expect(await say(world.ana, true)).toMatchObject({ status: 200, body: [] });
  now += 5000;
  const seen = await say(world.mira, true);
  expect(seen.body).toEqual([
    { userid: world.ana.userid, username: expect.any(String), since: now / 1000 - 5 },
  ]);
  expect((await say(world.ana, true)).body).toMatchObject([{ userid: world.mira.userid }]);
  expect((await say(world.maria, true)).status).toBe(403);
});

test('PRESENCE-2 who closes the guide is gone, and who is silent for 50 seconds, too', async () => {
  await say(world.ana, true);
  expect((await say(world.mira, true)).body).toHaveLength(1);
  expect((await say(world.ana, false)).body).toMatchObject([{ userid: world.mira.userid }]);
  expect((await say(world.mira, true)).body).toEqual([]);
  now += 51_000;
  expect((await say(world.ana, true)).body).toEqual([]);
});

test('PRESENCE-2 who closes the guide on one of two devices still has it open on the other', async () => {
  const session = await server.session(world.mira);
  const tablet = (open: boolean) => say({ call: session }, open);
  await say(world.mira, true);
  now += 5000;
  expect((await tablet(true)).body).toEqual([]);
  expect((await say(world.ana, true)).body).toEqual([
    expect.objectContaining({ userid: world.mira.userid, since: now / 1000 - 5 }),
  ]);
  await tablet(false);
  expect((await say(world.ana, true)).body).toMatchObject([{ userid: world.mira.userid }]);
  await say(world.mira, false);
  expect((await say(world.ana, true)).body).toEqual([]);
});

test('GUIDE-REVISION-11 the text of a version has the identities of its lines, and no prerequisites', async () => {
  const { guideid, guide_revisionid } = world.belt;
  const { body } = await world.ana.call('GET', `/guides/${guideid}/revisions/${guide_revisionid}`);
  expect(body).toMatchObject({ guideid, guide_revisionid, title: world.belt.title });
  expect(body).not.toHaveProperty('prerequisites');
  const { steps } = body as { steps: { key: string; lines: { id: string }[] }[] };
  expect(steps.flatMap(({ lines }) => lines.map(({ id }) => id)).every((id) => id !== '')).toBe(true);
  expect((await world.ana.call('GET', `/guides/${guideid}/revisions/987654321`)).status).toBe(404);
});
