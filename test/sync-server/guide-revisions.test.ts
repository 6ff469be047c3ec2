import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Guide, Step } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

import { type Answer, callsTo, ownSteps, stepAt } from './guide-calls.ts';

let server: TestServer;
let world: BenchGrinderWorld;

beforeEach(async () => {
  server = await startServer();
  world = await benchGrinderWorld(server);
});
afterEach(async () => server[Symbol.asyncDispose]());

const { call, readGuide } = callsTo(() => server);

describe('revisions', () => {
  it('GUIDE-REVISION-1 patching a guide increments the revision of the guide and only of changed steps', async () => {
    const [first, second] = ownSteps(world.belt);
    const answer = await call<Guide>(
      world.ana,
      'PATCH',
      `/guides/${world.belt.guideid}?revisionid=${world.belt.revisionid}`,
      {
        steps: [
          { stepid: first?.stepid, revisionid: first?.revisionid, title: 'Changed' },
          { stepid: second?.stepid, revisionid: second?.revisionid },
        ],
      },
    );
    expect(answer.status).toBe(200);
    expect(answer.body.revisionid).toBeGreaterThan(world.belt.revisionid);
    expect(stepAt(answer.body, 0).revisionid).toBeGreaterThan(must(first, 'a step').revisionid);
    expect(stepAt(answer.body, 1).revisionid).toBe(second?.revisionid);
  });

  it('GUIDE-REVISION-2 a step edit increments the revision of the step and not of the guide', async () => {
    const step = stepAt(world.belt, 0);
    const answer = await call<Step>(
      world.ana,
      'PATCH',
      `/guides/${world.belt.guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`,
      { title: 'New' },
    );
    expect(answer).toMatchObject({ status: 200, body: { stepid: step.stepid, title: 'New', orderby: 1 } });
    expect(answer.body.revisionid).toBeGreaterThan(step.revisionid);
    expect((await readGuide(world.ana, world.belt.guideid)).revisionid).toBe(world.belt.revisionid);
  });

  it('GUIDE-REVISION-3 adding, deleting and ordering steps increments the revision of the guide', async () => {
    const { guideid } = world.belt;
    const added = await call<Guide>(
      world.ana,
      'POST',
      `/guides/${guideid}/steps?revisionid=${world.belt.revisionid}`,
      {
        lines: [{ text: 'Between' }],
        orderby: 2,
      },
    );
    expect(added.status).toBe(201);
    expect(ownSteps(added.body).map((step) => step.title)).toEqual([
      'Open the cover',
      '',
      'Take the belt off',
    ]);
    expect(added.body.revisionid).toBeGreaterThan(world.belt.revisionid);
    const stepids = ownSteps(added.body)
      .map((step) => step.stepid)
      .toReversed();
    const ordered = await call<Guide>(
      world.ana,
      'PUT',
      `/guides/${guideid}/steporder?revisionid=${added.body.revisionid}`,
      { stepids },
    );
    expect(ownSteps(ordered.body).map((step) => [step.stepid, step.orderby])).toEqual(
      stepids.map((id, index) => [id, index + 1]),
    );
    expect(ordered.body.revisionid).toBeGreaterThan(added.body.revisionid);
    const step = stepAt(ordered.body, 0);
    const removed = await call<Guide>(
      world.ana,
      'DELETE',
      `/guides/${guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`,
    );
    expect(removed).toMatchObject({ status: 200 });
    expect(ownSteps(removed.body)).toHaveLength(2);
    expect(removed.body.revisionid).toBeGreaterThan(ordered.body.revisionid);
  });

  it('GUIDE-REVISION-4 the order names every step exactly once', async () => {
    const [first, second] = ownSteps(world.belt).map((step) => step.stepid);
    for (const stepids of [[first], [first, first], [first, second, 999999], []]) {
      const answer = await call(
        world.ana,
        'PUT',
        `/guides/${world.belt.guideid}/steporder?revisionid=${world.belt.revisionid}`,
        { stepids },
      );
      expect([stepids, answer.status]).toEqual([stepids, 422]);
    }
  });

  it('GUIDE-REVISION-5 tags, favourites and completions change no revision', async () => {
    const { guideid } = world.belt;
    const tagged = await call<Guide>(world.ana, 'PUT', `/guides/${guideid}/tag`, { tag: 'belt' });
    await call(world.maria, 'PUT', `/user/favorites/guides/${guideid}`);
    await call(world.maria, 'PUT', `/guides/${guideid}/completed`);
    const now = await readGuide(world.ana, guideid);
    expect([tagged.body.revisionid, now.revisionid, now.guide_revisionid]).toEqual([
      world.belt.revisionid,
      world.belt.revisionid,
      world.belt.guide_revisionid,
    ]);
  });

  it('GUIDE-REVISION-6 an edit without effect keeps every revision', async () => {
    const { guideid, revisionid, summary, title } = world.belt;
    const same = await call<Guide>(world.ana, 'PATCH', `/guides/${guideid}?revisionid=${revisionid}`, {
      summary,
      title,
    });
    expect(same.body).toEqual(world.belt);
    const step = stepAt(world.belt, 0);
    const sameStep = await call<Step>(
      world.ana,
      'PATCH',
      `/guides/${guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`,
      { title: step.title },
    );
    expect(sameStep.body).toEqual(step);
    const again = await call<Guide>(world.ana, 'PUT', `/guides/${guideid}/public?revisionid=${revisionid}`);
    expect(again.body.revisionid).toBe(revisionid);
  });

  it('GUIDE-REVISION-7 a whole-guide edit conflicts on an unknown step, a newer step and a deleted step', async () => {
    const { guideid, revisionid } = world.belt;
    const [first, second] = ownSteps(world.belt).map((step) => ({
      stepid: step.stepid,
      revisionid: step.revisionid,
    }));
    const tryWith = (steps: unknown[]): Promise<Answer<Guide>> =>
      call<Guide>(world.ana, 'PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { steps });
    expect((await tryWith([first])).status).toBe(409);
    expect((await tryWith([first, { ...second, revisionid: 1 }])).status).toBe(409);
    expect((await tryWith([first, second, { stepid: 999999, revisionid: 1 }])).status).toBe(409);
    const remove = (step: object) =>
      call<Guide>(world.ana, 'PATCH', `/guides/${guideid}?revisionid=${revisionid}`, {
        steps: [first],
        removed_steps: [step],
      });
    expect((await remove({ ...second, revisionid: 1 })).status).toBe(409);
    const gone = await remove({ ...second });
    expect(gone.status).toBe(200);
    expect(ownSteps(gone.body)).toHaveLength(1);
  });

  it('GUIDE-REVISION-8 an earlier version can be read by its revision', async () => {
    const { guideid, revisionid } = world.belt;
    await call(world.ana, 'PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { title: 'Later' });
    expect(await call<Guide>(null, 'GET', `/guides/${guideid}?revisionid=${revisionid}`)).toMatchObject({
      status: 200,
      body: { title: world.belt.title, revisionid },
    });
    expect((await call(null, 'GET', `/guides/${guideid}?revisionid=1`)).status).toBe(404);
    expect(
      (
        await call(
          world.ben,
          'GET',
          `/guides/${world.lockout.guideid}?revisionid=${world.lockout.revisionid}`,
        )
      ).status,
    ).toBe(404);
  });

  it('GUIDE-REVISION-9 a deleted guide is gone everywhere', async () => {
    const { guideid, revisionid } = world.lockout;
    expect(await call(world.ana, 'DELETE', `/guides/${guideid}?revisionid=${revisionid}`)).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect((await call(world.ana, 'GET', `/guides/${guideid}`)).status).toBe(404);
    expect((await call<Guide>(world.ana, 'GET', `/guides/${world.belt.guideid}`)).body.prerequisites).toEqual(
      [],
    );
    expect((await call<Guide[]>(world.ana, 'GET', '/user/guides')).body.map((one) => one.guideid)).toEqual([
      world.belt.guideid,
    ]);
  });
});
