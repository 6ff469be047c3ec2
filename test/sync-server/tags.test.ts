import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import { seenBy } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { written } from '#test/support/written.ts';

let server: TestServer;
let ana: TestPerson;
let maria: TestPerson;
let otto: TestPerson;
let publicId: number;
let privateId: number;
const bolts = '/wikis/WIKI/Bolts';

beforeAll(async () => {
  server = await startServer();
  ana = await server.person('Ana');
  maria = await server.person('Maria', ['User']);
  otto = await server.person('Otto', ['User', 'Author', 'Moderator']);
  await server.category('Grinder', undefined, 'Text');
  const create = async (title: string, isPublic: boolean): Promise<number> => {
    const made = await ana.client.guides.create({
      body: { category: 'Grinder', type: 'repair', title, public: isPublic },
    });
    return made.guideid;
  };
  publicId = await create('Belt', true);
  privateId = await create('Secret', false);
  await ana.call('POST', '/wikis', { namespace: 'WIKI', title: 'Bolts', contents: 'Metric.' });
});
afterAll(async () => server[Symbol.asyncDispose]());

async function tag(path: string, name: string, by = ana): Promise<{ status: number; body: Wiki }> {
  return by.call('PUT', `${path}/tag`, { tag: name });
}

async function untag(path: string, name: string, by = ana): Promise<{ status: number; body: Wiki }> {
  return by.call('DELETE', `${path}/tag`, { tag: name });
}

async function list(query = '', by = ana): Promise<string[]> {
  return (await by.call('GET', `/tags${query}`)).body;
}

describe('a tag', () => {
  test('GUIDE-TAG-3 is checked against the revision if the call names one', async () => {
    const path = `/guides/${publicId}/tag`;
    const guide = (await ana.call('GET', `/guides/${publicId}`)).body as Guide;
    const page = (await ana.call('GET', bolts)).body as Wiki;
    for (const { target, current, record } of [
      { target: path, current: guide.revisionid, record: { guideid: publicId } },
      { target: `${bolts}/tag`, current: page.revisionid, record: { wikiid: page.wikiid } },
    ])
      for (const method of ['PUT', 'DELETE']) {
        const stale = [
          await ana.call(method, `${target}?revisionid=1`, { tag: 'checked' }),
          await ana.call(method, target, { tag: 'checked' }, { 'If-Match': '"1"' }),
          await ana.call(
            method,
            `${target}?revisionid=${current}`,
            { tag: 'checked' },
            { 'If-Match': '"1"' },
          ),
        ];
        for (const answer of stale) {
          expect(answer.status).toBe(409);
          expect(answer.body).toMatchObject({ ...record, revisionid: current });
        }
        expect((await ana.call(method, `${target}?revisionid=x`, { tag: 'checked' })).status).toBe(422);
        const good = await ana.call(method, `${target}?revisionid=${current}`, { tag: 'checked' });
        expect(good).toMatchObject({ status: 200, body: { revisionid: current } });
      }
    expect((await ana.call('GET', `/guides/${publicId}/tags`)).body).not.toContain('checked');
    expect((await ana.call('GET', `${bolts}/tags`)).body).not.toContain('checked');
    const matched = await ana.call('PUT', path, { tag: 'checked' }, { 'If-Match': `"${guide.revisionid}"` });
    expect(matched.status).toBe(200);
    expect((await ana.call('DELETE', path, { tag: 'checked' }, { 'If-Match': '*' })).status).toBe(200);
  });
});

describe('the list of tags', () => {
  test('is ordered by tagid, in pages, each tag once', async () => {
    await using fresh = await startServer();
    const by = await fresh.person('Ana');
    const page = async (title: string): Promise<string> => {
      await by.call('POST', '/wikis', { namespace: 'WIKI', title, contents: 'Text' });
      return `/wikis/WIKI/${title}`;
    };
    const [nuts, rivets] = [await page('Nuts'), await page('Rivets')];
    await tag(nuts, 'zinc', by);
    await tag(rivets, 'metal', by);
    await tag(rivets, 'zinc', by);
    await tag(nuts, 'abrasive', by);
    expect(await list('', by)).toEqual(['zinc', 'metal', 'abrasive']);
    expect(await list('?order=DESC', by)).toEqual(['abrasive', 'metal', 'zinc']);
    expect(await list('?offset=1&limit=1', by)).toEqual(['metal']);
    const paged = await by.call('GET', '/tags?offset=1&limit=1');
    expect(paged.headers.get('x-total-count')).toBe('3');
    expect((await by.call('GET', '/tags?limit=0')).status).toBe(422);
  });

  test('does not contain tags that only private guides have', async () => {
    await tag(`/guides/${privateId}`, 'merger');
    expect(await list()).toContain('merger');
    expect(await list('', maria)).not.toContain('merger');
    const anonymous = await fetch(`${server.url}/api/2.0/tags`);
    expect(await anonymous.json()).not.toContain('merger');
  });

  test('leaves out reserved prefixes, which nobody can assign', async () => {
    for (const name of ['device:grinder', 'Lang:de', 'system:x', 'x'.repeat(33), '  ']) {
      expect([name, (await tag(bolts, name)).status]).toEqual([name, 422]);
      expect([name, (await tag(`/guides/${publicId}`, name)).status]).toEqual([name, 422]);
    }
    await written(server.services, (tx) => tx.insertInto('tags').values({ name: 'product:belt' }).execute());
    const { tagid } = await server.services.storage.reader
      .selectFrom('tags')
      .select('tagid')
      .where('name', '=', 'product:belt')
      .executeTakeFirstOrThrow();
    await written(server.services, (tx) =>
      tx.insertInto('guide_tags').values({ guideid: publicId, tagid }).execute(),
    );
    expect(await list()).not.toContain('product:belt');
    const ofGuide = (await ana.call('GET', `/guides/${publicId}/tags`)).body as string[];
    expect(ofGuide).not.toContain('product:belt');
  });
});

describe('tags of a wiki', () => {
  test('are added and removed without a revisionid and without a new version; the response is the full wiki', async () => {
    const before = (await ana.call('GET', bolts)).body as Wiki;
    const added = await tag(bolts, ' steel ');
    expect(added).toMatchObject({ status: 200, body: { title: 'Bolts', revisionid: before.revisionid } });
    expect(added.body.tags).toContain('steel');
    expect((await tag(bolts, 'steel')).body.tags).toEqual(added.body.tags);
    expect((await ana.call('GET', `${bolts}/tags`)).body).toEqual((added.body.tags as string[]).toSorted());
    const removed = await untag(bolts, 'steel');
    expect(removed.status).toBe(200);
    expect(removed.body.tags).not.toContain('steel');
    expect((await untag(bolts, 'steel')).status).toBe(404);
  });

  test('authors change them; everyone who reads the page sees them', async () => {
    expect((await tag(bolts, 'mine', maria)).status).toBe(403);
    expect((await untag(bolts, 'mine', maria)).status).toBe(403);
    expect((await tag('/wikis/WIKI/Nothing', 'x')).status).toBe(404);
    expect((await ana.call('GET', '/wikis/WIKI/Nothing/tags')).status).toBe(404);
    expect((await ana.call('GET', '/wikis/NOWHERE/Bolts/tags')).status).toBe(404);
    expect((await ana.call('PUT', `${bolts}/tag`, {})).status).toBe(422);
    const anonymous = await fetch(`${server.url}/api/2.0${bolts}/tag`, {
      method: 'PUT',
      body: '{"tag":"x"}',
    });
    expect(anonymous.status).toBe(401);
  });

  test('reach devices, and are removed with the wiki', async () => {
    const created = await ana.call('POST', '/wikis', { namespace: 'WIKI', title: 'Nuts', contents: 'Text' });
    const { wikiid, revisionid } = created.body as Wiki;
    await tag('/wikis/WIKI/Nuts', 'hexagon');
    const kept = async (): Promise<unknown> =>
      (await seenBy(server, maria, 'viewer')).find((row) => row.id === `wikiTags:${wikiid}`)?.doc;
    expect(await kept()).toEqual({ kind: 'wikiTags', wikiid, tags: ['hexagon'] });
    await otto.call('DELETE', `/wikis/WIKI/Nuts?revisionid=${revisionid}`);
    expect(await kept()).toBeUndefined();
    expect(await list()).not.toContain('hexagon');
  });
});
