import { describe, expect, it } from 'vitest';

import { contextForJob } from '#server/core/job.ts';
import { saveWiki, stubOf, type WikiContent } from '#server/features/wikis/store.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { written } from '#test/support/written.ts';

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
