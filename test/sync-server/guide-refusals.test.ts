import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Guide, Step } from '#shared/model/guide-record.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

import { callsTo, ownSteps, stepAt } from './guide-calls.ts';

let server: TestServer;
let world: BenchGrinderWorld;

beforeEach(async () => {
  server = await startServer();
  world = await benchGrinderWorld(server);
});
afterEach(async () => server[Symbol.asyncDispose]());

const { call, readGuide } = callsTo(() => server);

/** Every edit of a guide: verb, path with `REV` for the current revision, and a valid body. */
function edits(
  guide: Guide,
): { name: string; method: string; path: string; body?: unknown; bad?: unknown }[] {
  const at = `/guides/${guide.guideid}`;
  const step = `${at}/steps/${stepAt(guide, 0).stepid}`;
  const stepids = ownSteps(guide).map((one) => one.stepid);
  return [
    {
      name: 'patch',
      method: 'PATCH',
      path: `${at}?revisionid=REV`,
      body: { summary: 'New' },
      bad: { nonsense: 1 },
    },
    {
      name: 'add step',
      method: 'POST',
      path: `${at}/steps?revisionid=REV`,
      body: { lines: [{ text: 'x' }], orderby: 1 },
      bad: { lines: 7 },
    },
    {
      name: 'order',
      method: 'PUT',
      path: `${at}/steporder?revisionid=REV`,
      body: { stepids: stepids.toReversed() },
      bad: {},
    },
    { name: 'unpublish', method: 'DELETE', path: `${at}/public?revisionid=REV` },
    { name: 'publish', method: 'PUT', path: `${at}/public?revisionid=REV` },
    {
      name: 'unpublish as the specification spells it',
      method: 'DELETE',
      path: `/guide/${guide.guideid}/public?revisionid=REV`,
    },
    { name: 'delete', method: 'DELETE', path: `${at}?revisionid=REV` },
    {
      name: 'patch step',
      method: 'PATCH',
      path: `${step}?revisionid=STEPREV`,
      body: { title: 'New' },
      bad: { nonsense: 1 },
    },
    { name: 'delete step', method: 'DELETE', path: `${step}?revisionid=STEPREV` },
  ];
}

describe('the order of refusals', () => {
  it('GUIDE-REFUSAL-2 400 for a body that is not JSON, whatever it is for', async () => {
    const broken = { method: 'PATCH', body: '{"title": ' };
    const response = await fetch(`${server.url}/api/2.0/guides/999999`, {
      ...broken,
      headers: { Authorization: `api ${world.ben.token}` },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: true, message: expect.any(String) as string });
    expect((await fetch(`${server.url}/api/2.0/guides/999999`, broken)).status).toBe(401);
  });

  it('GUIDE-REFUSAL-1 401 first for anonymous callers, also for missing or wrong input', async () => {
    for (const { method, path, bad } of edits(world.belt)) {
      const answer = await call(null, method, path.replace(/REV|STEPREV/, '1'), bad);
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
    expect((await call(null, 'PUT', '/guides/999999/tag', {})).status).toBe(401);
    expect((await call(null, 'PUT', '/user/favorites/guides/999999')).status).toBe(401);
  });

  it('GUIDE-REFUSAL-3 then 404, the same for missing and invisible records, before anything else is checked', async () => {
    for (const { method, path, bad } of edits(world.lockout)) {
      const hidden = await call(world.ben, method, path.replace(/REV|STEPREV/, 'x'), bad);
      const missing = await call(
        world.ben,
        method,
        path.replace(/REV|STEPREV/, 'x').replace(/\d+/, '999999'),
        bad,
      );
      expect([method, path, hidden.status, hidden.body]).toEqual([method, path, 404, missing.body]);
    }
  });

  it('GUIDE-REFUSAL-4 then 403 for readers without the right, before the body is checked', async () => {
    for (const { method, path, bad } of edits(world.belt)) {
      const answer = await call<{ requiredPrivileges?: string[] }>(
        world.maria,
        method,
        path.replace(/REV|STEPREV/, 'x'),
        bad,
      );
      expect([method, path, answer.status]).toEqual([method, path, 403]);
      expect(answer.body.requiredPrivileges).toContain('Moderator');
    }
    expect((await call(world.ben, 'DELETE', `/guides/${world.belt.guideid}?revisionid=x`)).status).toBe(403);
  });

  it('GUIDE-REFUSAL-5 then 422 for a missing revision, unknown fields and wrong values, even on a stale revision', async () => {
    for (const { name, method, path, body, bad } of edits(world.belt)) {
      if (name !== 'add step') {
        const without = await call(world.ana, method, path.split('?')[0] ?? '', body);
        expect([method, path, without.status, without.body.errors?.[0]?.field]).toEqual([
          method,
          path,
          422,
          'revisionid',
        ]);
      }
      if (bad === undefined) continue;
      expect([path, (await call(world.ana, method, path.replace(/REV|STEPREV/, '1'), bad)).status]).toEqual([
        path,
        422,
      ]);
    }
  });

  it('GUIDE-REFUSAL-6 and 409 last, with the current record as its body', async () => {
    for (const { name, method, path, body } of edits(world.belt)) {
      const current = await readGuide(world.ana, world.belt.guideid);
      const stale = await call<Guide | Step>(world.ana, method, path.replace(/STEPREV|REV/, '1'), body);
      expect([name, stale.status]).toEqual([name, 409]);
      const isStep = name.endsWith('step') && name !== 'add step';
      expect(stale.body).toEqual(isStep ? stepAt(current, 0) : current);
    }
  });

  it('GUIDE-REFUSAL-7 a conflict never shows the steps of prerequisites', async () => {
    const stale = await call<Guide>(world.ana, 'PATCH', `/guides/${world.belt.guideid}?revisionid=1`, {
      title: 'x',
    });
    expect(stale.body.steps.map((step) => step.guideid)).toEqual([world.belt.guideid, world.belt.guideid]);
    const read = await call<Guide>(world.ana, 'GET', `/guides/${world.belt.guideid}`);
    expect(read.body.steps.map((step) => step.guideid)).toContain(world.lockout.guideid);
  });

  it('GUIDE-REFUSAL-8 a revision may also be sent in If-Match or, by older clients, in the body', async () => {
    const { guideid, revisionid } = world.belt;
    const first = await call<Guide>(
      world.ana,
      'PATCH',
      `/guides/${guideid}`,
      { summary: 'One' },
      { 'If-Match': `"${revisionid}"` },
    );
    expect(first.status).toBe(200);
    const second = await call<Guide>(world.ana, 'PATCH', `/guides/${guideid}`, {
      summary: 'Two',
      revisionid: first.body.revisionid,
    });
    expect(second).toMatchObject({ status: 200, body: { summary: 'Two' } });
    expect(
      (await call(world.ana, 'PATCH', `/guides/${guideid}`, { summary: 'Three' }, { 'If-Match': '"1"' }))
        .status,
    ).toBe(409);
  });

  it('GUIDE-REFUSAL-9 a step must belong to the guide in the path', async () => {
    const foreign = stepAt(world.lockout, 0);
    const path = `/guides/${world.belt.guideid}/steps/${foreign.stepid}?revisionid=${foreign.revisionid}`;
    expect((await call(world.ana, 'PATCH', path, { title: 'x' })).status).toBe(404);
    expect((await call(world.ana, 'DELETE', path)).status).toBe(404);
  });

  it('GUIDE-REFUSAL-10 adding a step against an older guide revision conflicts, even if its position is gone; without a revision it does not', async () => {
    const { guideid, revisionid } = world.belt;
    const step = stepAt(world.belt, 1);
    await call(world.ana, 'DELETE', `/guides/${guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`);
    const late = { lines: [{ text: 'x' }], orderby: 3 };
    expect(
      (await call(world.ana, 'POST', `/guides/${guideid}/steps?revisionid=${revisionid}`, late)).status,
    ).toBe(409);
    const current = await readGuide(world.ana, guideid);
    const refused = await call(
      world.ana,
      'POST',
      `/guides/${guideid}/steps?revisionid=${current.revisionid}`,
      late,
    );
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'orderby' }] } });
    const fits = { ...late, orderby: 2 };
    const added = await call<Guide>(world.ana, 'POST', `/guides/${guideid}/steps`, fits);
    expect(added).toMatchObject({ status: 201, body: { guideid } });
    expect(ownSteps(added.body)).toHaveLength(2);
    expect(added.body.revisionid).toBeGreaterThan(current.revisionid);
    expect(await call(world.ana, 'POST', `/guides/${guideid}/steps`, { ...late, orderby: 4 })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'orderby' }] },
    });
  });
});
