import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { jsonOf } from '#test/support/answer.ts';

/** Workshop > Bench Grinder > Wheel Guard, and a stub that only a private guide uses. */
async function workshop(): Promise<{ server: TestServer; ana: TestPerson; publicId: number }> {
  const server = await startServer();
  const ana = await server.person('Ana');
  await server.category('Workshop', undefined, 'All machines.');
  await server.category('Bench Grinder', 'Workshop', "Sharpens ''everything''.\n\n== Data ==\n\n* 200 mm");
  await server.category('Wheel Guard', 'Bench Grinder');
  await server.category('Drill Press', 'Workshop', 'Drills.');
  await server.category('Secret', 'Drill Press');
  const made = await ana.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'replacement',
      subject: 'Belt',
      public: true,
      parts: [{ name: 'Drive belt' }],
      tools: [{ name: 'Spanner' }],
    },
  });
  await ana.client.guides.create({ body: { category: 'Secret', type: 'repair', title: 'Hidden title' } });
  return { server, ana, publicId: made.guideid };
}

describe('categories', () => {
  let server: TestServer;
  let ana: TestPerson;
  let publicId: number;
  beforeAll(async () => ({ server, ana, publicId } = await workshop()));
  afterAll(async () => server[Symbol.asyncDispose]());

  async function read(path: string, token?: string): Promise<{ status: number; body: never }> {
    const headers = token === undefined ? {} : { Authorization: `api ${token}` };
    const response = await fetch(`${server.url}/api/2.0${path}`, { headers });
    return { status: response.status, body: await jsonOf(response) };
  }

  it('are a hierarchy of nested objects with null at the leaves, without stubs', async () => {
    expect((await read('/wikis/CATEGORY?display=hierarchy')).body).toEqual({
      hierarchy: { Workshop: { 'Bench Grinder': null, 'Drill Press': null } },
      display_titles: {
        Workshop: 'Workshop',
        'Bench Grinder': 'Bench Grinder',
        'Drill Press': 'Drill Press',
      },
    });
  });

  it('show stubs on request, and the ancestors of categories with published guides', async () => {
    expect((await read('/wikis/CATEGORY?display=hierarchy&includeStubs=true')).body).toMatchObject({
      hierarchy: { Workshop: { 'Bench Grinder': { 'Wheel Guard': null }, 'Drill Press': { Secret: null } } },
    });
    expect(
      (await read('/wikis/CATEGORY?display=hierarchy&requireGuides=true&includeStubs=true')).body,
    ).toEqual({
      hierarchy: { Workshop: { 'Bench Grinder': null } },
      display_titles: { Workshop: 'Workshop', 'Bench Grinder': 'Bench Grinder' },
    });
  });

  it('do not count private guides as published, not even for their author', async () => {
    const tree = await read(
      '/wikis/CATEGORY?display=hierarchy&requireGuides=true&includeStubs=true',
      ana.token,
    );
    expect(JSON.stringify(tree.body)).not.toContain('Secret');
  });

  it('are a tree of lists without children at the leaves', async () => {
    expect((await read('/wikis/CATEGORY?display=hierarchyOrder')).body).toEqual([
      {
        title: 'Workshop',
        display_title: 'Workshop',
        children: [
          { title: 'Bench Grinder', display_title: 'Bench Grinder' },
          { title: 'Drill Press', display_title: 'Drill Press' },
        ],
      },
    ]);
  });

  it('have leaves, listed as light wikis', async () => {
    const leaves = (await read('/wikis/CATEGORY?display=leaves')).body as { title: string }[];
    expect(leaves.map((one) => one.title)).toEqual(['Bench Grinder', 'Drill Press']);
  });

  it('are nested objects with {} at the leaves under /categories', async () => {
    expect((await read('/categories')).body).toEqual({
      Workshop: { 'Bench Grinder': {}, 'Drill Press': {} },
    });
    expect((await read('/categories?withDisplayTitles')).body).toMatchObject({
      hierarchy: { Workshop: { 'Bench Grinder': {}, 'Drill Press': {} } },
      display_titles: { Workshop: 'Workshop' },
    });
  });

  it('are a flat list including the stubs that can hold guides', async () => {
    const all = ['Bench Grinder', 'Drill Press', 'Secret', 'Wheel Guard', 'Workshop'];
    expect((await read('/categories/all?limit=100000')).body).toEqual(all);
    expect((await read('/categories/all?offset=1&limit=2')).body).toEqual(all.slice(1, 3));
  });

  it('contain text, guides, parts, tools and relatives in their full record', async () => {
    const { body } = await read('/wikis/CATEGORY/Bench%20Grinder');
    expect(body).toMatchObject({
      namespace: 'CATEGORY',
      title: 'Bench Grinder',
      contents_raw: "Sharpens ''everything''.\n\n== Data ==\n\n* 200 mm",
      contents_rendered: expect.stringContaining('<em>everything</em>') as string,
      contents_json: { type: 'doc' },
      guides: [{ guideid: publicId }],
      featured_guides: [],
      children: [{ title: 'Wheel Guard' }],
      ancestors: [{ title: 'Workshop' }],
      related_wikis: [{ title: 'Drill Press' }],
      parent: 'Workshop',
      parts: { total: 1, categories: [{ tag: 'Drive belt', count: 1 }] },
      tools: [{ title: 'Spanner' }],
      flags: [],
      solutions_url: `${server.url}/c/Bench+Grinder`,
      repairability_score: null,
      can_edit: false,
    });
  });

  it('list ancestors from the closest up', async () => {
    const { body } = await read('/wikis/CATEGORY/Wheel_Guard');
    expect((body as { ancestors: { title: string }[] }).ancestors.map((one) => one.title)).toEqual([
      'Bench Grinder',
      'Workshop',
    ]);
  });

  it('list only guides that the viewer may see', async () => {
    expect((await read('/wikis/CATEGORY/Secret')).body).toMatchObject({ guides: [] });
    expect((await read('/categories/Secret')).body).toMatchObject({ guides: [] });
    expect((await read('/wikis/CATEGORY/Secret', ana.token)).body).toMatchObject({
      guides: [{ title: 'Hidden title' }],
    });
    const ben = await server.person('Ben', ['User', 'Author', 'Moderator']);
    expect((await read('/wikis/CATEGORY/Secret', ben.token)).body).toMatchObject({ guides: [] });
  });

  it('have an older record under /categories/{name}', async () => {
    expect((await read('/categories/Bench+Grinder')).body).toMatchObject({
      wiki_title: 'Bench Grinder',
      locale: 'en',
      topic_info: { name: 'Bench Grinder', manufacturer: null },
      ancestors: ['Workshop'],
      children: ['Wheel Guard'],
      guides: [{ guideid: publicId }],
      tools: [{ text: 'Spanner' }],
      solutions: { count: 0 },
    });
  });

  it('do not exist under an unknown name', async () => {
    expect((await read('/wikis/CATEGORY/workshops')).status).toBe(404);
    expect((await read('/categories/Nothing')).status).toBe(404);
    expect((await read('/wikis/NOWHERE/Workshop')).status).toBe(404);
  });
});
