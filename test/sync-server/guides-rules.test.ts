import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Guide, Step } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

let server: TestServer;
let world: BenchGrinderWorld;

beforeEach(async () => {
  server = await startServer();
  world = await benchGrinderWorld(server);
});
afterEach(async () => server[Symbol.asyncDispose]());

type Answer<T> = { status: number; body: T; headers: Headers };

async function call<T = { message: string; errors?: { field: string; message: string; index?: number }[] }>(
  person: TestPerson | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  if (person !== null) return person.call(method, path, body, headers);
  const response = await fetch(`${server.url}/api/2.0${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as T,
  };
}

async function readGuide(person: TestPerson | null, guideid: number): Promise<Guide> {
  const answer = await call<Guide>(person, 'GET', `/guides/${guideid}?excludePrerequisiteSteps`);
  expect(answer.status).toBe(200);
  return answer.body;
}

function ownSteps(guide: Guide): Step[] {
  return guide.steps.filter((step) => step.guideid === guide.guideid);
}

function stepAt(guide: Guide, index: number): Step {
  return must(ownSteps(guide)[index], `step ${index + 1}`);
}

/** Every edit of a guide: verb, path with the current revision in place of `REV`, and a body that would do. */
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

describe('guide limits', () => {
  const patchBelt = (
    body: unknown,
    revisionid = world.belt.revisionid,
  ): Promise<Answer<Guide & { errors?: { field: string; index?: number }[] }>> =>
    call(world.ana, 'PATCH', `/guides/${world.belt.guideid}?revisionid=${revisionid}`, body);

  it('GUIDE-LIMIT-1 a summary has at most 155 characters and an introduction 49 lines', async () => {
    expect((await patchBelt({ summary: 'x'.repeat(156) })).body.errors).toMatchObject([{ field: 'summary' }]);
    expect((await patchBelt({ introduction: 'x\n'.repeat(49) })).body.errors).toMatchObject([
      { field: 'introduction' },
    ]);
    const fits = await patchBelt({ summary: 'ü'.repeat(155), introduction: Array(49).fill('x').join('\n') });
    expect(fits.status).toBe(200);
  });

  it('GUIDE-LIMIT-14 a guide has at most a thousand steps, and at most a hundred flaws are named', async () => {
    const body = (steps: object[]): object => ({ category: 'Bench Grinder', type: 'technique', steps });
    const many = Array.from({ length: 1001 }, () => ({ lines: [{ text: 'Turn.' }] }));
    const refused = await call(world.ana, 'POST', '/guides', body(many));
    expect(refused).toMatchObject({
      status: 422,
      body: { message: 'The guide has more than 1000 steps', errors: [{ field: 'steps' }] },
    });
    const flawed = await call(
      world.ana,
      'POST',
      '/guides',
      body(Array.from({ length: 1000 }, () => ({ lines: [{ text: 'Turn.', level: 2 }] }))),
    );
    expect(flawed.status).toBe(422);
    expect(flawed.body.errors).toHaveLength(100);
  });

  it('GUIDE-LIMIT-14 a line replaced by one of a megabyte is refused without comparing them', async () => {
    const step = stepAt(await readGuide(world.ana, world.belt.guideid), 0);
    const words = Array.from({ length: 60_000 }, (_, n) => `w${n}`).join(' ');
    const path = `/guides/${world.belt.guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`;
    const lines = [{ text: words }, { text: `${words} more` }];
    expect(await call(world.ana, 'PATCH', path, { lines })).toMatchObject({
      status: 422,
      body: { message: 'The line has more than 350 characters' },
    });
  });

  it('GUIDE-LIMIT-2 lines start at level 0, go up one level at a time, and are neither empty nor too long; the error names the line', async () => {
    const step = stepAt(world.belt, 0);
    const patchLines = (
      lines: unknown[],
    ): Promise<Answer<{ errors?: { field: string; index?: number }[] }>> =>
      call(
        world.ana,
        'PATCH',
        `/guides/${world.belt.guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`,
        { lines },
      );
    expect((await patchLines([{ text: 'a', level: 1 }])).body.errors).toMatchObject([
      { field: 'lines', index: 0 },
    ]);
    expect((await patchLines([{ text: 'a' }, { text: 'b', level: 2 }])).body.errors).toMatchObject([
      { field: 'lines', index: 1 },
    ]);
    expect((await patchLines([{ text: 'a' }, { text: '  ' }])).body.errors).toMatchObject([
      { field: 'lines', index: 1 },
    ]);
    expect((await patchLines([{ text: 'x'.repeat(351) }])).status).toBe(422);
    expect((await patchLines(Array(9).fill({ text: 'x' }))).status).toBe(422);
    expect((await patchLines([{ text: 'x', bullet: 'pink' }])).status).toBe(422);
    expect((await patchLines([{ text: 'a' }, { text: 'b', level: 1 }, { text: 'c', level: 2 }])).status).toBe(
      200,
    );
  });

  it('GUIDE-LIMIT-3 only existing categories, types, difficulties, flags, pictures and documents are accepted', async () => {
    for (const body of [
      { category: 'bench grinder' },
      { type: 'cooking' },
      { difficulty: 'Hard' },
      { flags: ['GUIDE_NOTHING'] },
      { image: 999999 },
      { documents: [999999] },
      { featured_documentid: 999999 },
      { prerequisites: [999999] },
      { prerequisites: [world.belt.guideid] },
      { author: 999999 },
      { prerequisite_releases: [{ guideid: 1, releaseid: null }] },
      { time_required_min: -1 },
      { time_required_min: 900, time_required_max: 600 },
      { parts: [{ quantity: 1 }] },
      { parts: [{ name: 'Belt', quantity: 0 }] },
    ]) {
      expect([body, (await patchBelt(body)).status]).toEqual([body, 422]);
    }
  });

  it('GUIDE-LIMIT-4 prerequisites must not form a circle', async () => {
    const answer = await call(
      world.ana,
      'PATCH',
      `/guides/${world.lockout.guideid}?revisionid=${world.lockout.revisionid}`,
      {
        prerequisites: [world.belt.guideid],
      },
    );
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'prerequisites' }] } });
  });

  it('GUIDE-LIMIT-5 a caller may set only the flags that GET /user/flags lists', async () => {
    const mine = await call<{ guide: Record<string, object> }>(world.ana, 'GET', '/user/flags');
    expect(Object.keys(mine.body.guide)).not.toContain('GUIDE_STARRED');
    expect((await patchBelt({ flags: [...(world.belt.flags as string[]), 'GUIDE_STARRED'] })).status).toBe(
      422,
    );
    const starred = await call<Guide>(
      world.otto,
      'PATCH',
      `/guides/${world.belt.guideid}?revisionid=${world.belt.revisionid}`,
      {
        flags: [...(world.belt.flags as string[]), 'GUIDE_STARRED'],
      },
    );
    expect(starred.status).toBe(200);
    const kept = await patchBelt(
      { summary: 'By somebody who may not set the star' },
      starred.body.revisionid,
    );
    expect(kept.body.flags).toContain('GUIDE_STARRED');
    expect((await call<Guide[]>(null, 'GET', '/guides/featured')).body).toMatchObject([
      { guideid: world.belt.guideid },
    ]);
  });

  it('GUIDE-LIMIT-5 a guide by a person who is not an author is user-contributed until a moderator changes that', async () => {
    const body = { category: 'Bench Grinder', type: 'repair', title: 'Contributed', public: true };
    const flagsOf = async (person: TestPerson, more: object): Promise<unknown> => {
      const made = await call<Guide>(person, 'POST', '/guides', { ...body, ...more });
      expect(made.status).toBe(201);
      return made.body.flags;
    };
    const contributed = ['GUIDE_IN_PROGRESS', 'GUIDE_USER_CONTRIBUTED'];
    expect(await flagsOf(world.maria, {})).toEqual(contributed);
    expect(await flagsOf(world.maria, { flags: [] })).toEqual(contributed);
    expect(await flagsOf(world.maria, { flags: ['GUIDE_USER_CONTRIBUTED'] })).toEqual(contributed);
    expect(await flagsOf(world.maria, { flags: ['GUIDE_PREREQ_ONLY'] })).toEqual([
      ...contributed,
      'GUIDE_PREREQ_ONLY',
    ]);
    for (const person of [world.ana, world.otto, world.mira])
      expect(await flagsOf(person, {})).toEqual(['GUIDE_IN_PROGRESS']);
    expect(
      (await call(world.ana, 'POST', '/guides', { ...body, flags: ['GUIDE_USER_CONTRIBUTED'] })).status,
    ).toBe(422);
    const made = (await call<Guide>(world.maria, 'POST', '/guides', body)).body;
    const path = `/guides/${made.guideid}?revisionid=${made.revisionid}`;
    const refused = await call(world.maria, 'PATCH', path, { flags: [] });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'flags' }] } });
    expect((await call<Guide>(world.otto, 'PATCH', path, { flags: [] })).body.flags).toEqual([]);
  });

  it('GUIDE-LIMIT-5 the featured guides form a collection, which does not exist without any', async () => {
    const collections = async (query = ''): Promise<unknown> =>
      (await call(null, 'GET', `/collections${query}`)).body;
    expect(await collections()).toEqual([]);
    const { guideid, revisionid, flags } = world.belt;
    const starred = { flags: [...(flags as string[]), 'GUIDE_STARRED'] };
    await call(world.otto, 'PATCH', `/guides/${guideid}?revisionid=${revisionid}`, starred);
    const { modified_date: date, image } = await readGuide(null, guideid);
    expect(await collections()).toMatchObject([
      { collectionid: 1, title: 'Featured guides', date, image, guides: [{ guideid, dataType: 'guide' }] },
    ]);
    expect(await collections('?offset=1')).toEqual([]);
  });

  it('GUIDE-LIMIT-6 the title of a guide created without one is derived from type, category and subject', () => {
    expect(world.belt.title).toBe('Bench Grinder Drive Belt Replacement');
  });

  it('GUIDE-LIMIT-6 a cleared title is derived too', async () => {
    const body = { category: 'Bench Grinder', type: 'repair', subject: 'Guard', title: ' ' };
    const made = await call<Guide>(world.ana, 'POST', '/guides', body);
    expect(made).toMatchObject({ status: 201, body: { title: 'Repairing Bench Grinder Guard' } });
    const named = (await patchBelt({ title: 'Named' })).body;
    expect((await patchBelt({ title: '' }, named.revisionid)).body).toMatchObject({
      title: world.belt.title,
    });
  });

  it('GUIDE-LIMIT-9 only languages of the site are accepted', async () => {
    const body = { category: 'Bench Grinder', type: 'repair', langid: 'xx' };
    for (const answer of [await call(world.ana, 'POST', '/guides', body), await patchBelt({ langid: 'xx' })])
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'langid' }] } });
  });

  it('GUIDE-LIMIT-9 a guide lists the languages in which it can be read', async () => {
    await using bilingual = await startServer({ site: { languages: ['en', 'de'] } });
    await bilingual.category('Bench Grinder');
    const ana = await bilingual.person('Ana');
    const body = { category: 'Bench Grinder', type: 'repair' };
    const made = await call<Guide>(ana, 'POST', '/guides', { ...body, langid: 'de' });
    expect(made.body).toMatchObject({ langid: 'de', available_langids: ['de'] });
    expect((await call<Guide>(ana, 'POST', '/guides', body)).body.available_langids).toEqual(['en']);
  });

  it('GUIDE-LIMIT-10 a step without a picture has no picture address', async () => {
    const body = { category: 'Bench Grinder', type: 'repair', steps: [{ lines: [] }] };
    const made = await call<Guide>(world.ana, 'POST', '/guides', body);
    expect(made).toMatchObject({ status: 201, body: { steps: [{ imageURL: '' }] } });
  });

  it('GUIDE-LIMIT-7 only administrators create guides in the name of others, and only for existing people', async () => {
    const body = { category: 'Bench Grinder', type: 'repair', title: 'Theirs' };
    expect((await call(world.ben, 'POST', '/guides', { ...body, author: world.ana.userid })).status).toBe(
      403,
    );
    expect((await call(world.mira, 'POST', '/guides', { ...body, author: 999999 })).status).toBe(422);
    const made = await call<Guide>(world.mira, 'POST', '/guides', { ...body, author: world.ana.userid });
    expect(made).toMatchObject({ status: 201, body: { author: { userid: world.ana.userid } } });
    expect((await patchBelt({ author: world.ben.userid })).body).toMatchObject({
      author: { userid: world.ben.userid },
    });
  });

  it('GUIDE-LIMIT-11 a described part without a page gets one, if the caller may create it', async () => {
    const described = (name: string) => ({
      parts: [
        { name, summary: 'Runs between the pulleys', url: 'https://parts.example.org/belt' },
        { name: 'Screw M4', url: 'https://parts.example.org/screw' },
      ],
      tools: [{ name: 'Belt gauge', summary: 'Measures tension' }],
    });
    const made = await call<Guide>(world.ana, 'POST', '/guides', {
      category: 'Bench Grinder',
      type: 'repair',
      subject: 'Belt',
      ...described('V-belt Z 31'),
    });
    expect(made.status).toBe(201);
    const page = await call(world.ana, 'GET', '/wikis/ITEM/V-belt Z 31');
    expect(page).toMatchObject({
      status: 200,
      body: {
        description: 'Runs between the pulleys',
        suppliers: [{ supplier: 'parts.example.org', url: 'https://parts.example.org/belt' }],
      },
    });
    expect((await call(world.ana, 'GET', '/wikis/ITEM/Belt gauge')).status).toBe(200);
    expect((await call(world.ana, 'GET', '/wikis/ITEM/Screw M4')).status).toBe(404);
    const { guideid, revisionid } = made.body;
    const again = await call(world.ana, 'PATCH', `/guides/${guideid}?revisionid=${revisionid}`, {
      parts: [{ name: 'V-belt Z 31', summary: 'Another description' }],
    });
    expect(again.status).toBe(200);
    expect((await call(world.ana, 'GET', '/wikis/ITEM/V-belt Z 31')).body).toMatchObject({
      description: 'Runs between the pulleys',
    });
  });

  it('GUIDE-LIMIT-12 only the first listed part or tool can be featured', async () => {
    const body = { category: 'Bench Grinder', type: 'repair', subject: 'Belt' };
    const listed = (list: 'parts' | 'tools', at: number): object => ({
      ...body,
      [list]: ['Belt', 'Screw', 'Washer'].map((name, index) =>
        index === at ? { name, featured: true } : { name },
      ),
    });
    for (const list of ['parts', 'tools'] as const) {
      const refused = await call(world.ana, 'POST', '/guides', listed(list, 2));
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: list, index: 2 }] } });
    }
    const made = await call<Guide>(world.ana, 'POST', '/guides', listed('parts', 0));
    expect(made.body.parts.map((part) => part.featured)).toEqual([true, undefined, undefined]);
    const { guideid, revisionid } = made.body;
    const moved = await call<Guide>(world.ana, 'PATCH', `/guides/${guideid}?revisionid=${revisionid}`, {
      parts: [{ name: 'Screw' }, { name: 'Belt', featured: true }],
    });
    expect(moved).toMatchObject({ status: 200, body: { parts: [{ text: 'Screw' }, { featured: true }] } });
    const other = await call(world.ana, 'PATCH', `/guides/${guideid}?revisionid=${moved.body.revisionid}`, {
      parts: [
        { name: 'Belt', featured: true },
        { name: 'Screw', featured: true },
      ],
    });
    expect(other.status).toBe(422);
  });

  it('GUIDE-LIMIT-8 a new guide is private and in progress, and needs a category and a type', async () => {
    expect((await call(world.maria, 'POST', '/guides', {})).body.errors?.map((one) => one.field)).toEqual([
      'category',
      'type',
    ]);
    const made = await call<Guide>(world.maria, 'POST', '/guides', {
      category: 'Bench Grinder',
      type: 'repair',
    });
    expect(made).toMatchObject({
      status: 201,
      body: { public: false, flags: ['GUIDE_IN_PROGRESS', 'GUIDE_USER_CONTRIBUTED'], steps: [] },
    });
  });
});

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
