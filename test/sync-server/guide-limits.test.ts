import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

import { type Answer, callsTo, stepAt } from './guide-calls.ts';

let server: TestServer;
let world: BenchGrinderWorld;

beforeEach(async () => {
  server = await startServer();
  world = await benchGrinderWorld(server);
});
afterEach(async () => server[Symbol.asyncDispose]());

const { call, readGuide } = callsTo(() => server);

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

  it('GUIDE-LIMIT-7 a new guide may be given to another person who exists, as any guide by its author', async () => {
    const body = { category: 'Bench Grinder', type: 'repair', title: 'Theirs' };
    for (const person of [world.ben, world.mira]) {
      expect((await call(person, 'POST', '/guides', { ...body, author: 999999 })).status).toBe(422);
      const made = await call<Guide>(person, 'POST', '/guides', { ...body, author: world.ana.userid });
      expect(made).toMatchObject({ status: 201, body: { author: { userid: world.ana.userid } } });
      const { guideid, revisionid } = made.body;
      const path = `/guides/${guideid}?revisionid=${revisionid}`;
      // It is theirs now: a person who is no author may neither edit it nor give it on.
      const isHers = person === world.ben;
      expect((await call(person, 'PATCH', path, { author: person.userid })).status).toBe(isHers ? 404 : 200);
    }
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
