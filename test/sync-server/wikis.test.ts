import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { contextForJob } from '#server/core/job.ts';
import { saveWiki, stubOf, type WikiContent } from '#server/features/wikis/store.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { written } from '#test/support/written.ts';
import { jsonOf } from '#test/support/answer.ts';

async function write(server: TestServer, wiki: Partial<WikiContent> & { title: string }): Promise<void> {
  await contextForJob(server.services, null, async (ctx) => {
    const stub = stubOf({
      namespace: wiki.namespace ?? 'WIKI',
      title: wiki.title,
      langid: wiki.langid ?? 'en',
      parent: null,
      userid: 0,
    });
    await saveWiki(ctx, { ...stub, ...wiki });
  });
}

/** Workshop > Bench Grinder > Wheel Guard, and a stub that only a private guide is in. */
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
      solutions_url: '',
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

describe('wikis', () => {
  it('are light in lists, by title or latest change, in pages', async () => {
    let now = 1_800_000_000;
    await using server = await startServer({ now: () => now * 1000 });
    await write(server, { title: 'Torque table', contents_raw: "Use '''5 Nm'''.", description: 'Torques' });
    now += 100;
    await write(server, { title: 'Bolts', contents_raw: 'Metric.' });
    now += 100;
    await write(server, { title: 'Adhesives', contents_raw: 'Clean first.' });
    const list = await server.anonymous.wikis.list({ params: { namespace: 'WIKI' } });
    expect(titles(list)).toEqual(['Adhesives', 'Bolts', 'Torque table']);
    expect((list as unknown[])[2]).toMatchObject({
      dataType: 'wiki',
      namespace: 'WIKI',
      display_title: 'Torque table',
      summary: 'Torques',
      text: 'Use 5 Nm.',
      url: `${server.url}/Wiki/Torque+table`,
      image: null,
      modified_date: 1_800_000_000,
    });
    const page = await server.anonymous.wikis.list({
      params: { namespace: 'WIKI' },
      query: { offset: 1, limit: 1 },
    });
    expect(titles(page)).toEqual(['Bolts']);
    const recent = await server.anonymous.wikis.list({
      params: { namespace: 'WIKI' },
      query: { modifiedSince: 1_800_000_100 },
    });
    expect(titles(recent)).toEqual(['Bolts', 'Adhesives']);
    expect(await server.anonymous.wikis.list({ params: { namespace: 'ITEM' } })).toEqual([]);
  });

  it('are found with underscores and plus signs for spaces, and by their exact title first', async () => {
    await using server = await startServer();
    await write(server, { title: 'Torque table', contents_raw: 'Spaces' });
    await write(server, { title: 'A_B', contents_raw: 'Underscore' });
    const textOf = async (path: string): Promise<string> => {
      const response = await fetch(`${server.url}/api/2.0/wikis/WIKI/${path}`);
      return ((await response.json()) as { contents_raw: string }).contents_raw;
    };
    expect(await textOf('Torque%20table')).toBe('Spaces');
    expect(await textOf('Torque_table')).toBe('Spaces');
    expect(await textOf('Torque+table')).toBe('Spaces');
    expect(await textOf('A_B')).toBe('Underscore');
  });

  it('WIKI-1 are found in any letter case, and by their exact title first', async () => {
    await using server = await startServer();
    await write(server, { title: 'Torque table', contents_raw: 'Table' });
    await write(server, { title: 'TORQUE TABLE', contents_raw: 'Shouted' });
    await write(server, { title: 'Ölpumpe 3 (alt)', contents_raw: 'Pump' });
    await server.category('Bench Grinder', undefined, 'A double grinder.');
    const textOf = async (path: string): Promise<unknown> => {
      const response = await fetch(`${server.url}/api/2.0/wikis/${path}`);
      return response.status === 200
        ? ((await response.json()) as { contents_raw: string }).contents_raw
        : response.status;
    };
    expect(await textOf('WIKI/Torque_table')).toBe('Table');
    expect(await textOf('WIKI/TORQUE_TABLE')).toBe('Shouted');
    expect(await textOf(encodeURI('WIKI/ölpumpe_3_(alt)'))).toBe('Pump');
    expect(await textOf('CATEGORY/bench_grinder?langid=jp')).toBe('A double grinder.');
    expect(await textOf('WIKI/torque')).toBe(404);
    expect(await textOf('ITEM/bench_grinder')).toBe(404);
    expect((await fetch(`${server.url}/api/2.0/categories/bench%20grinder`)).status).toBe(200);
  });

  it('have the fields of their namespace', async () => {
    await using server = await startServer();
    for (const namespace of ['CATEGORY', 'ITEM', 'TEAM', 'USER', 'INFO', 'WIKI'] as const) {
      await write(server, { namespace, title: '7', contents_raw: 'Text' });
      const wiki = await server.anonymous.wikis.read({ params: { namespace, title: '7' } });
      expect(wiki).toMatchObject({ namespace, title: '7', contents_rendered: '<p>Text</p>' });
      expect('guides' in wiki).toBe(namespace === 'CATEGORY');
      expect('suppliers' in wiki).toBe(namespace === 'ITEM');
    }
  });

  it('are shown in the requested language if translated, else as written', async () => {
    await using server = await startServer();
    await write(server, {
      namespace: 'CATEGORY',
      title: 'Grinder',
      contents_raw: 'Text',
      display_title: 'Grinder',
    });
    await write(server, {
      namespace: 'CATEGORY',
      title: 'Grinder',
      langid: 'de',
      contents_raw: 'Text',
      display_title: 'Schleifbock',
      source_revisionid: 1,
    });
    const params = { namespace: 'CATEGORY', title: 'Grinder' } as const;
    const german = await server.anonymous.wikis.read({ params, query: { langid: 'de' } });
    expect(german).toMatchObject({
      langid: 'de',
      display_title: 'Schleifbock',
      available_langids: ['de', 'en'],
    });
    const french = await server.anonymous.wikis.read({ params, query: { langid: 'fr' } });
    expect(french).toMatchObject({ langid: 'en' });
    const tree = await server.anonymous.wikis.list({
      params: { namespace: 'CATEGORY' },
      query: { display: 'hierarchy', langid: 'de' },
    });
    expect(tree).toEqual({ hierarchy: { Grinder: null }, display_titles: { Grinder: 'Schleifbock' } });
    const translated = await server.anonymous.wikis.list({
      params: { namespace: 'CATEGORY' },
      query: { display: 'hierarchy', machineTranslateLangid: 'fr' },
    });
    expect(translated).toEqual({ hierarchy: { Grinder: null }, display_titles: { Grinder: 'Grinder' } });
  });

  it('keep their revision when nothing changes', async () => {
    await using server = await startServer();
    await write(server, { title: 'Bolts', contents_raw: 'Metric.' });
    const params = { namespace: 'WIKI', title: 'Bolts' } as const;
    const first = await server.anonymous.wikis.read({ params });
    await write(server, { title: 'Bolts', contents_raw: 'Metric.' });
    expect(await server.anonymous.wikis.read({ params })).toEqual(first);
    await write(server, { title: 'Bolts', contents_raw: 'Imperial.' });
    expect((await server.anonymous.wikis.read({ params })).revisionid).toBeGreaterThan(first.revisionid);
  });

  it('are refused as XML outside CATEGORY', async () => {
    await using server = await startServer();
    await write(server, { title: 'Bolts', contents_raw: 'Metric.' });
    const response = await fetch(`${server.url}/api/2.0/wikis/WIKI/Bolts?type=XML`);
    expect(response.status).toBe(422);
  });

  it('a tree of 5,000 categories is answered without reading a document, until one is written', async () => {
    await using server = await startServer();
    const rows = Array.from({ length: 5000 }, (_, index) => ({
      namespace: 'CATEGORY',
      title: `Category ${index}`,
      langid: 'en',
      revisionid: index + 1,
      parent: index === 0 ? null : `Category ${Math.floor((index - 1) / 8)}`,
      deleted: 0,
      modified_date: 1,
      display_title: `Shown ${index}`,
    }));
    for (let from = 0; from < rows.length; from += 500)
      await written(server.services, (tx) =>
        tx
          .insertInto('wikis')
          .values(rows.slice(from, from + 500))
          .execute(),
      );
    const read = async (query = ''): Promise<Record<string, string>> => {
      const response = await fetch(`${server.url}/api/2.0/wikis/CATEGORY?display=hierarchy${query}`);
      return ((await response.json()) as { display_titles: Record<string, string> }).display_titles;
    };
    expect(Object.keys(await read())).toHaveLength(5000);
    expect((await read())['Category 4999']).toBe('Shown 4999');
    expect(Object.keys(await read('&requireGuides=True'))).toHaveLength(0);
    expect(Object.keys(await read('&requireGuides=False'))).toHaveLength(5000);
    await server.category('Category 5000', 'Category 1', 'Text');
    expect(Object.keys(await read())).toHaveLength(5001);
  });

  it('tolerate a circle of parents and a missing parent', async () => {
    await using server = await startServer();
    await server.category('A', 'B', 'Text');
    await server.category('B', 'A', 'Text');
    await server.category('C', 'Gone', 'Text');
    const tree = await server.anonymous.wikis.list({
      params: { namespace: 'CATEGORY' },
      query: { display: 'hierarchy' },
    });
    expect(tree).toMatchObject({ hierarchy: { A: { B: null }, C: null } });
    const wiki = await server.anonymous.wikis.read({ params: { namespace: 'CATEGORY', title: 'A' } });
    expect(wiki).toMatchObject({ ancestors: [{ title: 'B' }] });
  });

  it('have no hierarchy outside CATEGORY', async () => {
    await using server = await startServer();
    const response = await fetch(`${server.url}/api/2.0/wikis/ITEM?display=hierarchy`);
    expect(response.status).toBe(422);
  });

  it('need a sign-in on a private site', async () => {
    await using server = await startServer({ site: { private: true } });
    await server.category('Workshop', undefined, 'Text');
    for (const path of ['/wikis/CATEGORY', '/wikis/CATEGORY/Workshop', '/categories', '/categories/all'])
      expect((await fetch(`${server.url}/api/2.0${path}`)).status).toBe(401);
  });
});

function titles(list: unknown): string[] {
  return (list as { title: string }[]).map((one) => one.title);
}
