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

describe('private guides', () => {
  it('GUIDE-PRIVATE-1 no list reveals that a private guide exists', async () => {
    const { guideid } = world.lockout;
    await call(world.ana, 'PUT', `/user/favorites/guides/${guideid}`);
    await call(world.ana, 'PUT', `/guides/${guideid}/completed`);
    const lists = [
      '/guides',
      `/guides?guideids=${guideid}`,
      '/guides/featured',
      '/collections',
      `/users/${world.ana.userid}/guides`,
      `/users/${world.ana.userid}/favorites/guides`,
      `/users/${world.ana.userid}/completions`,
      '/categories/Bench%20Grinder',
      '/wikis/CATEGORY/Bench%20Grinder',
    ];
    for (const path of lists) {
      for (const person of [null, world.ben, world.otto]) {
        const answer = await call(person, 'GET', path);
        expect([path, answer.status]).toEqual([path, 200]);
        expect(JSON.stringify(answer.body)).not.toContain('Secret lockout');
      }
    }
    expect(JSON.stringify((await call(world.ana, 'GET', '/user/guides')).body)).toContain('Secret lockout');
    expect(JSON.stringify((await call(world.mira, 'GET', `/guides?guideids=${guideid}`)).body)).toContain(
      'Secret lockout',
    );
  });

  it('GUIDE-PRIVATE-2 guides that refer to a private guide show neither its title, steps, date nor count', async () => {
    for (const person of [null, world.ben, world.otto]) {
      const { body } = await call<Guide>(person, 'GET', `/guides/${world.belt.guideid}`);
      expect(body).toMatchObject({ prerequisites: [], prereq_modified_date: 0 });
      expect(body.steps).toHaveLength(2);
      expect(body.introduction_rendered).toContain('[invalid guide link]');
      expect(JSON.stringify(body)).not.toContain('Secret lockout');
    }
    const made = await call<Guide>(world.ben, 'POST', '/guides', {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Private dependent',
      prerequisites: [world.belt.guideid],
    });
    expect((await readGuide(world.ana, world.belt.guideid)).number_of_dependent_guides).toBe(0);
    expect((await readGuide(world.ben, world.belt.guideid)).number_of_dependent_guides).toBe(1);
    expect(made.status).toBe(201);
  });

  it('GUIDE-PRIVATE-3 every request of a stranger for a private guide is 404, and it cannot be made a prerequisite', async () => {
    const { guideid } = world.lockout;
    for (const [method, path, body] of [
      ['GET', `/guides/${guideid}`],
      ['GET', `/guides/${guideid}/tags`],
      ['PUT', `/guides/${guideid}/tag`, { tag: 'x' }],
      ['PUT', `/guides/${guideid}/completed`],
      ['DELETE', `/guides/${guideid}/completed`],
      ['PUT', `/user/favorites/guides/${guideid}`],
      ['DELETE', `/user/favorites/guides/${guideid}`],
    ] as const) {
      const hidden = await call(world.ben, method, path, body);
      const missing = await call(world.ben, method, path.replace(String(guideid), '999999'), body);
      expect([path, hidden.status, hidden.body]).toEqual([path, 404, missing.body]);
    }
    const path = `/guides/${world.belt.guideid}?revisionid=${world.belt.revisionid}`;
    const other = await call<Guide>(world.ana, 'POST', '/guides', {
      category: 'Bench Grinder',
      type: 'repair',
    });
    const hidden = await call(world.ben, 'PATCH', path, { prerequisites: [other.body.guideid] });
    const missing = await call(world.ben, 'PATCH', path, { prerequisites: [999999] });
    expect(hidden.status).toBe(422);
    expect(hidden.body.message).toBe(missing.body.message.replace('999999', String(other.body.guideid)));
  });

  it('GUIDE-PRIVATE-4 administrators can list private guides', async () => {
    const all = await call<Guide[]>(world.mira, 'GET', '/guides?includePrivate=true');
    expect(all.body.map((one) => one.guideid)).toEqual([world.lockout.guideid, world.belt.guideid]);
    expect((await call(world.otto, 'GET', '/guides?includePrivate=true')).status).toBe(403);
    expect((await call(null, 'GET', '/guides?includePrivate=true')).status).toBe(401);
    expect((await call<Guide[]>(world.mira, 'GET', '/guides')).body).toHaveLength(1);
  });
});
