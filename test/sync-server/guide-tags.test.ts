import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

import { callsTo } from './guide-calls.ts';

let server: TestServer;
let world: BenchGrinderWorld;

beforeEach(async () => {
  server = await startServer();
  world = await benchGrinderWorld(server);
});
afterEach(async () => server[Symbol.asyncDispose]());

const { call, readGuide } = callsTo(() => server);

describe('tags, favourites and completions', () => {
  it('GUIDE-TAG-1 a tag is added once, listed alphabetically and removed; removing a missing one is 404', async () => {
    const path = `/guides/${world.belt.guideid}`;
    for (const tag of ['belt', 'alpha', ' belt '])
      expect((await call(world.ana, 'PUT', `${path}/tag`, { tag })).status).toBe(200);
    expect((await call(null, 'GET', `${path}/tags`)).body).toEqual(['alpha', 'belt']);
    expect((await call<Guide[]>(null, 'GET', '/guides')).body).toMatchObject([{ tags: ['alpha', 'belt'] }]);
    expect((await call(world.ana, 'DELETE', `${path}/tag`, { tag: 'alpha' })).status).toBe(200);
    expect((await call(world.ana, 'DELETE', `${path}/tag`, { tag: 'alpha' })).status).toBe(404);
    expect((await call(world.ana, 'PUT', `${path}/tag`, { tag: '' })).status).toBe(422);
    expect((await call(world.ana, 'PUT', `${path}/tag`, { tag: 'x'.repeat(33) })).status).toBe(422);
    expect((await call(world.ana, 'PUT', `${path}/tag`, {})).status).toBe(422);
    expect((await call(world.maria, 'PUT', `${path}/tag`, { tag: 'x' })).status).toBe(403);
    expect((await call(world.otto, 'PUT', `${path}/tag`, { tag: 'x' })).status).toBe(200);
  });

  it('GUIDE-TAG-2 a favourite and a completion can be set and removed repeatedly', async () => {
    const { guideid } = world.belt;
    for (const path of [`/user/favorites/guides/${guideid}`, `/guides/${guideid}/completed`]) {
      for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE', 'PUT'])
        expect(await call(world.maria, method, path)).toMatchObject({ status: 204, body: undefined });
    }
    expect(await readGuide(world.maria, guideid)).toMatchObject({ favorited: true, completed: true });
    expect(await readGuide(world.ben, guideid)).toMatchObject({ favorited: false, completed: false });
    expect((await call(world.maria, 'GET', '/user/favorites/guides')).body).toMatchObject([
      { guide: { guideid } },
    ]);
    expect((await call(world.maria, 'GET', '/user/completions')).body).toMatchObject([{ guideid }]);
  });
});
