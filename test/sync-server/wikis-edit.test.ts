import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import type { BatchResult } from '#shared/sync/wire.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { bmpFile } from '#test/support/media-files.ts';

let server: TestServer;
let ana: TestPerson;
let maria: TestPerson;
let otto: TestPerson;
let mira: TestPerson;
let counter = 0;

beforeAll(async () => {
  server = await startServer({ site: { languages: ['en', 'de', 'ja'] } });
  ana = await server.person('Ana');
  maria = await server.person('Maria', ['User']);
  otto = await server.person('Otto', ['User', 'Author', 'Moderator']);
  mira = await server.person('Mira', ['User', 'Author', 'Moderator', 'Admin']);
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Answer<T = Wiki> {
  status: number;
  body: T;
}

async function create(body: object, by = ana, query = ''): Promise<Answer> {
  return by.call('POST', `/wikis${query}`, { namespace: 'WIKI', contents: 'Text', ...body });
}

/** A new wiki with a unique name. */
async function made(body: object = {}, by = ana): Promise<Wiki> {
  counter += 1;
  const { status, body: wiki } = await create({ title: `Page ${counter}`, ...body }, by);
  expect([status, wiki]).toMatchObject([201, {}]);
  return wiki;
}

function path({ namespace, title }: Pick<Wiki, 'namespace' | 'title'>, rest = ''): string {
  return `/wikis/${namespace}/${encodeURIComponent(title)}${rest}`;
}

async function edit(wiki: Wiki, body: object, by = ana, revisionid = wiki.revisionid): Promise<Answer> {
  return by.call('PATCH', path(wiki, `?revisionid=${revisionid}`), body);
}

async function read(wiki: Pick<Wiki, 'namespace' | 'title'>, query = ''): Promise<Answer> {
  return mira.call('GET', path(wiki, query));
}

function fieldsOf({ body }: { body: unknown }): string[] {
  return ((body as { errors?: { field: string }[] }).errors ?? []).map((error) => error.field);
}

describe('creating', () => {
  test('answers 201 with the full wiki, which then exists', async () => {
    const wiki = await made({
      title: 'Torque table',
      contents: "Use '''5 Nm'''.",
      description: 'Torques',
      table_of_contents: true,
      flags: ['WIKI_DRAFT', 'WIKI_DRAFT'],
      page_title: 'All torques',
    });
    expect(wiki).toMatchObject({
      namespace: 'WIKI',
      title: 'Torque table',
      display_title: 'Torque table',
      page_title: 'All torques',
      contents_rendered: '<p>Use <strong>5 Nm</strong>.</p>',
      contents_json: { type: 'doc' },
      description: 'Torques',
      table_of_contents: true,
      flags: { WIKI_DRAFT: { flagid: 'WIKI_DRAFT' } },
      source_revisionid: null,
      latest_revisionid: wiki.revisionid,
      author: { userid: ana.userid },
      can_edit: true,
      langid: 'en',
    });
    expect((await read(wiki)).body).toEqual(wiki);
  });

  test("is for authors, except for one's own pages", async () => {
    expect((await create({ title: 'Nobody’s' }, maria)).status).toBe(403);
    const own = await create({ namespace: 'USER', title: String(maria.userid) }, maria);
    expect(own.status).toBe(201);
    const other = await create({ namespace: 'USER', title: String(ana.userid) }, maria);
    expect(other.status).toBe(403);
    const pages = (await server.anonymous.wikis.list({ params: { namespace: 'USER' } })) as Wiki[];
    const titles = pages.map(({ title }) => title);
    expect(titles).toContain(String(maria.userid));
    expect(titles).not.toContain(String(ana.userid));
  });

  test('of a team page is for its members and administrators', async () => {
    const team = await ana.call('POST', '/teams', { name: 'Line B' });
    const title = String((team.body as { teamid: number }).teamid);
    const body = { namespace: 'TEAM', title };
    expect((await create(body, otto)).status).toBe(403);
    expect((await create(body, ana)).status).toBe(201);
    expect((await create(body, mira)).status).toBe(422);
    const page = (await read({ namespace: 'TEAM', title })).body;
    expect((await edit(page, { contents: 'Ours' }, otto)).status).toBe(403);
    expect((await edit(page, { contents: 'Ours' }, ana)).body.contents_raw).toBe('Ours');
  });

  test('refuses pages of missing people and teams', async () => {
    for (const body of [
      { namespace: 'USER', title: '98765' },
      { namespace: 'TEAM', title: '98765' },
      { namespace: 'USER', title: 'Ana' },
    ])
      expect(fieldsOf(await create(body, mira))).toEqual(['title']);
  });

  test('refuses a taken name', async () => {
    const wiki = await made();
    expect(fieldsOf(await create({ title: wiki.title }))).toEqual(['title']);
  });

  test('treats underscores and blanks in a name as the same', async () => {
    const wiki = await made();
    expect(fieldsOf(await create({ title: wiki.title.replaceAll(' ', '_') }))).toEqual(['title']);
    const other = await made();
    expect(fieldsOf(await edit(other, { title: wiki.title.replaceAll(' ', '_') }, otto))).toEqual(['title']);
    expect((await edit(other, { title: other.title.replaceAll(' ', '_') }, otto)).status).toBe(200);
  });

  test('names fields that wikis of the namespace do not have', async () => {
    const score = { repairability_score: null };
    const info = { info: [{ name: 'Maker', value: 'Bosch' }] };
    const suppliers = { suppliers: [] };
    for (const [namespace, body] of [
      ['WIKI', { ...score, ...info, ...suppliers, parent: null }],
      ['CATEGORY', suppliers],
      ['ITEM', { ...info, ...score }],
      ['INFO', suppliers],
    ] as const) {
      const answer = await create({ namespace, title: 'Misfit', ...body }, mira);
      expect([namespace, answer.status, fieldsOf(answer).toSorted()]).toEqual([
        namespace,
        422,
        Object.keys(body).toSorted(),
      ]);
    }
  });

  test('WIKI-2 hidden parents are named to everyone who edits the page, not only to administrators', async () => {
    const nora = await server.person('Nora', ['User']);
    const own = { namespace: 'USER', title: String(nora.userid) } as const;
    const score = { repairability_score: 3 };
    const refused = await create({ ...own, ...score }, nora);
    expect([refused.status, fieldsOf(refused)]).toEqual([422, ['repairability_score']]);
    const wiki = await made(own, nora);
    for (const body of [score, { title: 'Another' }]) {
      const answer = await edit(wiki, body, nora);
      expect([answer.status, fieldsOf(answer)]).toEqual([422, Object.keys(body)]);
    }
    expect((await edit(wiki, score, ana)).status).toBe(403);
  });

  test('WIKI-3 a supplier needs at least one piece of information', async () => {
    const suppliers = [{ supplier: 'Belts Ltd' }, { 'part_#': 'A28', url: 'https://belts.example' }];
    const item = await made({ namespace: 'ITEM', suppliers });
    expect(item).toMatchObject({
      suppliers: [
        { 'part_#': '', type: '', supplier: 'Belts Ltd', url: '' },
        { 'part_#': 'A28', type: '', supplier: '', url: 'https://belts.example' },
      ],
    });
    for (const nothing of [{}, { type: ' ' }, { supplier: '' }, { shop: 'Belts Ltd' }])
      expect((await edit(item, { suppliers: [nothing] })).status).toBe(422);
  });

  test('stores what a namespace has: info and score of a category, suppliers of an item', async () => {
    const info = [
      { name: 'Manufacturer', value: 'Bosch' },
      { name: 'Introduced', value: '1999' },
    ];
    const category = await made({ namespace: 'CATEGORY', info, repairability_score: 7 }, mira);
    expect(category).toMatchObject({ info, repairability_score: 7, parent: null });
    const topic = await mira.call('GET', `/categories/${encodeURIComponent(category.title)}`);
    expect(topic.body).toMatchObject({
      topic_info: { manufacturer: 'Bosch', introduced: '1999', discontinued: null },
    });
    const suppliers = [{ 'part_#': 'A28', type: 'new', supplier: 'Belts Ltd', url: 'https://belts.example' }];
    expect(await made({ namespace: 'ITEM', suppliers })).toMatchObject({ suppliers });
    const bad = [{ ...suppliers[0], url: 'javascript:alert(1)' }];
    expect((await create({ namespace: 'ITEM', title: 'Bad', suppliers: bad })).status).toBe(422);
  });

  test('leaves the repairability score to administrators', async () => {
    const answer = await create({ namespace: 'CATEGORY', title: 'Scored', repairability_score: 5 }, otto);
    expect(answer).toMatchObject({ status: 403, body: { requiredPrivileges: ['Admin'] } });
    const wiki = await made({ namespace: 'CATEGORY' });
    expect((await edit(wiki, { repairability_score: 5 }, otto)).status).toBe(403);
    expect((await edit(wiki, { repairability_score: 5 }, mira)).body).toMatchObject({
      repairability_score: 5,
    });
    expect((await edit(wiki, { repairability_score: 11 }, mira)).status).toBe(422);
  });

  test('takes effect once per key', async () => {
    const body = { namespace: 'WIKI', title: 'Once', contents: 'Text' };
    const headers = { 'Idempotency-Key': '0198c0de-0000-7000-8000-000000000001' };
    const first = await ana.call('POST', '/wikis', body, headers);
    const again = await ana.call('POST', '/wikis', body, headers);
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
  });

  test('accepts only pictures and documents of the caller', async () => {
    const upload = await fetch(`${server.url}/api/2.0/user/media/images?file=a.bmp`, {
      method: 'POST',
      headers: { Authorization: `api ${ana.token}` },
      body: bmpFile(60, 60, () => [200, 30, 30]),
    });
    const { image } = (await upload.json()) as { image: { id: number; guid: string } };
    expect(fieldsOf(await create({ title: 'Stolen', image: image.id }, otto))).toEqual(['image']);
    const wiki = await made({ image: image.id });
    expect(wiki.image).toMatchObject({ id: image.id, guid: image.guid });
    // Later editors keep the existing picture.
    const kept = await edit(wiki, { image: image.id, contents: 'More' }, otto);
    expect(kept).toMatchObject({ status: 200, body: { image: { id: image.id }, contents_raw: 'More' } });
    expect((await edit(kept.body, { image: null })).body.image).toBeNull();
    expect(fieldsOf(await edit(kept.body, { documents: [{ documentid: 98765 }] }))).toEqual(['documents']);
  });
});

describe('editing', () => {
  test('answers the new version; the old revisionid is then a conflict with the current wiki', async () => {
    const wiki = await made();
    const { status, body } = await edit(wiki, { contents: 'New', description: 'D' });
    expect([status, body.contents_raw, body.revisionid > wiki.revisionid]).toEqual([200, 'New', true]);
    expect((await read(wiki)).body).toMatchObject({ contents_raw: 'New', description: 'D' });
    const stale = await edit(wiki, { contents: 'Other' });
    expect(stale.status).toBe(409);
    expect(stale.body).toMatchObject({ revisionid: body.revisionid, contents_raw: 'New' });
  });

  test('without changes keeps the revision', async () => {
    const wiki = await made({ table_of_contents: true });
    const same = await edit(wiki, { contents: 'Text', table_of_contents: true, display_title: '' });
    expect([same.status, same.body.revisionid]).toEqual([200, wiki.revisionid]);
    expect((await edit(wiki, {})).body.revisionid).toBe(wiki.revisionid);
  });

  test('is refused in the order 401, 404, 403, 422, 409', async () => {
    const info = await made({ namespace: 'INFO' });
    const without = await fetch(`${server.url}/api/2.0${path(info)}`, { method: 'PATCH', body: '{}' });
    expect(without.status).toBe(401);
    expect((await maria.call('PATCH', '/wikis/INFO/Nothing?revisionid=1', { surprising: 1 })).status).toBe(
      404,
    );
    expect((await edit(info, { surprising: 1 }, maria)).status).toBe(403);
    expect(fieldsOf(await edit(info, { surprising: 1 }, ana, 1))).toEqual(['surprising']);
    expect(fieldsOf(await ana.call('PATCH', path(info), { contents: 'x' }))).toEqual(['revisionid']);
    expect((await edit(info, { contents: 'x' }, ana, 1)).status).toBe(409);
  });

  test('of the displayed title is for authors and people with a reputation above 500', async () => {
    const wiki = await made();
    const refused = await edit(wiki, { display_title: 'Better' }, maria);
    expect(refused).toMatchObject({
      status: 403,
      body: { requiredPrivileges: expect.arrayContaining(['Author']) },
    });
    const shown = await edit(wiki, { display_title: 'Better' });
    expect(shown.body).toMatchObject({ title: wiki.title, display_title: 'Better', page_title: 'Better' });
    // The displayed title is not a change.
    expect((await edit(shown.body, { display_title: 'Better' }, maria)).status).toBe(200);
    expect((await edit(shown.body, { display_title: '' })).body.display_title).toBe(wiki.title);
  });

  test('refuses flags that the person may not set', async () => {
    const wiki = await made();
    expect(fieldsOf(await edit(wiki, { flags: ['GUIDE_ARCHIVED'] }))).toEqual(['flags']);
    expect(fieldsOf(await edit(wiki, { flags: ['not a flag'] }))).toEqual(['flags.0']);
    const set = await edit(wiki, { flags: ['GUIDE_ARCHIVED', 'WIKI_CHECKED'] }, otto);
    expect(Object.keys(set.body.flags)).toEqual(['GUIDE_ARCHIVED', 'WIKI_CHECKED']);
    expect(fieldsOf(await edit(set.body, { flags: ['GUIDE_ARCHIVED'] }))).toEqual(['flags']);
    expect((await edit(set.body, { flags: [] }, otto)).body.flags).toEqual([]);
  });

  test('accepts exactly the page flags that GET /user/flags lists', async () => {
    const wiki = await made();
    const { body: mine }: { body: { wiki: Record<string, { title: string }> } } = await ana.call(
      'GET',
      '/user/flags',
    );
    expect(Object.keys(mine.wiki)).toEqual(['WIKI_STUB', 'WIKI_DRAFT']);
    expect(fieldsOf(await edit(wiki, { flags: ['WIKI_STUB', 'WIKI_NOTHING'] }))).toEqual(['flags']);
    expect(fieldsOf(await edit(wiki, { flags: ['WIKI_NOTHING'] }, otto))).toEqual(['flags']);
    expect(fieldsOf(await edit(wiki, { flags: ['WIKI_CHECKED'] }))).toEqual(['flags']);
    const stub = await edit(wiki, { flags: ['WIKI_STUB'] });
    expect(stub.body.flags).toMatchObject({ WIKI_STUB: { title: 'Stub', text: expect.stringMatching(/./) } });
    const guide = { category: 'Machines', type: 'repair', title: 'Stub', flags: ['WIKI_STUB'] };
    expect((await ana.call('POST', '/guides', guide)).status).toBe(422);
  });
});

describe('the tree of categories', () => {
  async function category(title: string, parent: string | null = null): Promise<Wiki> {
    return made({ namespace: 'CATEGORY', title, parent });
  }

  test('moves a category under another, and refuses circles and missing parents', async () => {
    const machines = await category('Machines');
    const grinder = await category('Grinder', 'Machines');
    const wheel = await category('Wheel', 'Grinder');
    const parentIs = async (wiki: Wiki, parent: string | null): Promise<Answer> => edit(wiki, { parent });
    expect(fieldsOf(await parentIs(machines, 'Wheel'))).toEqual(['parent']);
    expect(fieldsOf(await parentIs(machines, 'Machines'))).toEqual(['parent']);
    expect(fieldsOf(await parentIs(machines, 'Nothing'))).toEqual(['parent']);
    expect((await parentIs(wheel, 'Machines')).body).toMatchObject({ parent: 'Machines' });
    expect((await read(grinder)).body).toMatchObject({ children: [], ancestors: [{ title: 'Machines' }] });
    expect((await read(machines)).body).toMatchObject({
      children: [{ title: 'Grinder' }, { title: 'Wheel' }],
    });
  });

  test('a new name is applied to subcategories, translations and guides', async () => {
    const saws = await category('Saws');
    await category('Band saw', 'Saws');
    const guide = await ana.client.guides.create({
      body: { category: 'Saws', type: 'repair', title: 'Sharpen', public: true },
    });
    await create({
      namespace: 'CATEGORY',
      title: 'Saws',
      contents: 'Sägen',
      display_title: 'Sägen',
      langid: 'de',
      source_revisionid: saws.revisionid,
    });
    expect((await edit(saws, { title: 'Sawing' })).status).toBe(403);
    expect(fieldsOf(await edit(saws, { title: 'Band saw' }, otto))).toEqual(['title']);
    const renamed = await edit(saws, { title: 'Sawing' }, otto);
    expect(renamed.body).toMatchObject({
      title: 'Sawing',
      display_title: 'Sawing',
      guides: [{ guideid: guide.guideid, category: 'Sawing' }],
      children: [{ title: 'Band saw' }],
    });
    expect((await read(saws)).body).toMatchObject({ title: 'Sawing' });
    expect((await read(renamed.body, '?langid=de')).body).toMatchObject({ display_title: 'Sägen' });
    expect((await read({ namespace: 'CATEGORY', title: 'Band saw' })).body).toMatchObject({
      parent: 'Sawing',
    });
    const read2 = await ana.call('GET', `/guides/${guide.guideid}`);
    expect(read2.body as Guide).toMatchObject({ category: 'Sawing', revisionid: guide.revisionid });
  });

  test('finds a page by its former names, until another page takes one', async () => {
    const oiling = await made({ title: 'Oiling' });
    const named = async (title: string): Promise<unknown> => {
      const { status, body } = await read({ namespace: oiling.namespace, title });
      return status === 200 ? body.title : status;
    };
    const once = (await edit(oiling, { title: 'Lubricating' }, otto)).body;
    const twice = (await edit(once, { title: 'Greasing' }, otto)).body;
    expect(await Promise.all(['Oiling', 'Lubricating', 'Greasing'].map(named))).toEqual(
      Array(3).fill('Greasing'),
    );
    // An edit by an offline device under the old name reaches the page, and follows the same rules.
    const late = await edit({ ...twice, title: 'Oiling' }, { contents: 'Late' });
    expect(late).toMatchObject({ status: 200, body: { title: 'Greasing', contents_raw: 'Late' } });
    expect((await edit({ ...twice, title: 'Oiling' }, { contents: 'Stale' })).status).toBe(409);
    expect((await edit({ ...late.body, title: 'Oiling' }, { title: 'Mine' })).status).toBe(403);
    await made({ title: 'Oiling' });
    expect(await named('Oiling')).toBe('Oiling');
    expect((await edit(late.body, { title: 'Lubricating' }, otto)).status).toBe(200);
    expect(await Promise.all(['Lubricating', 'Greasing'].map(named))).toEqual(Array(2).fill('Lubricating'));
    const last = (await read({ namespace: oiling.namespace, title: 'Greasing' })).body;
    const removed = await otto.call('DELETE', path(last, `?revisionid=${last.revisionid}`));
    expect([removed.status, await named('Lubricating'), await named('Greasing')]).toEqual([204, 404, 404]);
  });

  test('does not delete a category with subcategories', async () => {
    const presses = await category('Presses');
    const small = await category('Small press', 'Presses');
    const remove = async (wiki: Wiki, by = otto, revisionid = wiki.revisionid): Promise<Answer<unknown>> =>
      by.call('DELETE', path(wiki, `?revisionid=${revisionid}`));
    expect((await remove(presses, ana)).status).toBe(403);
    expect((await remove(presses)).status).toBe(422);
    expect((await remove(small, otto, 1)).status).toBe(409);
    expect((await remove(small)).status).toBe(204);
    expect((await read(small)).status).toBe(404);
    expect((await remove(small)).status).toBe(404);
    expect((await remove(presses)).status).toBe(204);
    const all = await ana.call('GET', '/categories/all');
    expect(all.body as string[]).not.toContain('Presses');
    // The name is free again, and the history is kept.
    const again = await category('Presses');
    const history = await ana.call('GET', path(again, '/revisions'));
    expect((history.body as { revisionid: number }[]).map((one) => one.revisionid)).toEqual([
      again.revisionid,
      presses.revisionid,
    ]);
  });
});

describe('history', () => {
  test('lists versions with their authors, shows each, and restores one', async () => {
    const first = await made({ contents: 'One' });
    const second = (await edit(first, { contents: 'Two', description: 'D' }, otto)).body;
    const list = await ana.call('GET', path(first, '/revisions'));
    expect(list.body).toMatchObject([
      { revisionid: second.revisionid, author: { userid: otto.userid }, patrolled: true, current: true },
      { revisionid: first.revisionid, author: { userid: ana.userid }, current: false },
    ]);
    expect(list.headers.get('x-total-count')).toBe('2');
    const past = await read(first, `?revisionid=${first.revisionid}`);
    expect(past.body).toMatchObject({ contents_raw: 'One', revisionid: first.revisionid, authors: [{}] });
    expect((await read(first, '?revisionid=987654')).status).toBe(404);
    const revert = (revisionid: number, target: number): Promise<Answer> =>
      ana.call('POST', path(first, `/revert?revisionid=${revisionid}&to_revisionid=${target}`));
    expect((await revert(first.revisionid, first.revisionid)).status).toBe(409);
    expect(fieldsOf(await revert(second.revisionid, 987_654))).toEqual(['to_revisionid']);
    const reverted = await revert(second.revisionid, first.revisionid);
    expect(reverted.body).toMatchObject({ contents_raw: 'One', description: '' });
    expect(reverted.body.revisionid).toBeGreaterThan(second.revisionid);
    expect((await revert(reverted.body.revisionid, first.revisionid)).body.revisionid).toBe(
      reverted.body.revisionid,
    );
  });
});

describe('translations', () => {
  test('WIKI-5 name the categories around an untranslated one', async () => {
    const { title: upper, revisionid } = await made({ namespace: 'CATEGORY' });
    const middle = await made({ namespace: 'CATEGORY', parent: upper });
    const { title: lower, revisionid: lowest } = await made({ namespace: 'CATEGORY', parent: middle.title });
    for (const [title, source, shown] of [
      [upper, revisionid, 'Oben'],
      [lower, lowest, 'Unten'],
    ] as const) {
      const german = { title, namespace: 'CATEGORY', display_title: shown, langid: 'de', contents: 'Hier.' };
      expect((await create({ ...german, source_revisionid: source })).status).toBe(201);
    }
    const around = (ancestor: string, child: string) => ({
      langid: 'en',
      ancestors: [{ title: upper, display_title: ancestor }],
      children: [{ title: lower, display_title: child }],
    });
    expect((await read(middle, '?langid=de')).body).toMatchObject(around('Oben', 'Unten'));
    for (const query of ['', '?langid=en', '?langid=xx'])
      expect((await read(middle, query)).body).toMatchObject(around(upper, lower));
  });

  test('are made from a version of the source, one in each language of the site', async () => {
    const source = await made({ title: 'Oil', namespace: 'CATEGORY', contents: 'Oil.' });
    const body = { namespace: 'CATEGORY', title: 'Oil', contents: 'Öl.', display_title: 'Öl' };
    expect(fieldsOf(await create({ ...body, source_revisionid: source.revisionid }))).toEqual(['langid']);
    const from = { ...body, source_revision_id: source.revisionid };
    expect(fieldsOf(await create({ ...from, langid: 'fr' }))).toEqual(['langid']);
    expect(fieldsOf(await create({ ...from, langid: 'en' }))).toEqual(['langid']);
    expect(fieldsOf(await create({ ...body, source_revisionid: 987_654, langid: 'de' }))).toEqual([
      'source_revisionid',
    ]);
    const german = await create(from, ana, '?langid=de');
    expect(german).toMatchObject({
      status: 201,
      body: {
        langid: 'de',
        display_title: 'Öl',
        source_revisionid: source.revisionid,
        available_langids: ['de', 'en'],
      },
    });
    expect(fieldsOf(await create({ ...from, langid: 'de' }))).toEqual(['langid']);
    // Old clients send jp for ja, and lang for langid.
    const japanese = await create({ ...from, display_title: 'オイル', langid: 'jp' });
    expect(japanese.body.langid).toBe('ja');
    for (const query of ['?lang=jp', '?langid=ja', '?langid=ja-JP'])
      expect((await read(source, query)).body.display_title).toBe('オイル');
    expect((await read(source, '?langid=fr')).body.langid).toBe('en');
    const edited = await ana.call('PATCH', path(source, `?langid=de&revisionid=${german.body.revisionid}`), {
      contents: 'Schmieröl.',
    });
    expect(edited).toMatchObject({ status: 200, body: { langid: 'de', contents_raw: 'Schmieröl.' } });
    expect((await read(source)).body.contents_raw).toBe('Oil.');
  });

  test('have the parent of their source, and are deleted with it', async () => {
    await made({ title: 'Fluids', namespace: 'CATEGORY' });
    const source = await made({ title: 'Grease', namespace: 'CATEGORY' });
    const body = {
      namespace: 'CATEGORY',
      title: 'Grease',
      langid: 'de',
      source_revisionid: source.revisionid,
    };
    const german = (await create({ ...body, display_title: 'Fett' })).body;
    const query = `?langid=de&revisionid=${german.revisionid}`;
    expect(fieldsOf(await ana.call('PATCH', path(german, query), { parent: 'Fluids' }))).toEqual(['parent']);
    await edit(source, { parent: 'Fluids' });
    expect((await read(source, '?langid=de')).body).toMatchObject({
      display_title: 'Fett',
      parent: 'Fluids',
    });
    const tree = await ana.call('GET', '/wikis/CATEGORY?display=hierarchy&langid=de');
    expect(tree.body).toMatchObject({
      hierarchy: { Fluids: { Grease: null } },
      display_titles: { Grease: 'Fett' },
    });
    expect((await otto.call('DELETE', path(german, query))).status).toBe(204);
    expect((await read(source, '?langid=de')).body).toMatchObject({
      langid: 'en',
      available_langids: ['en'],
    });
  });
});

test('a device creates a page and edits it again in one batch, and finds it under its own key', async () => {
  const key = '0198c0de-0000-7000-8000-0000000000b1';
  const body = { namespace: 'WIKI', title: 'From the bench', contents: 'One' };
  const lane = 'wikis/from-the-bench';
  const calls = [
    { id: key, lane, method: 'POST', path: '/wikis', body },
    {
      id: '0198c0de-0000-7000-8000-0000000000b2',
      lane,
      method: 'PATCH',
      path: '/wikis/WIKI/From%20the%20bench',
      query: { revisionid: 'previous' },
      body: { contents: 'Two' },
    },
  ];
  const response = await fetch(`${server.url}/sync/1/batch`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ protocol: unannouncedProtocol, calls }),
  });
  const results = (await response.text())
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as BatchResult);
  expect(results.map((result) => result.status)).toEqual([201, 200]);
  const doc = results[1]?.rows.find((row) => row.c === 'wikis')?.doc as WikiFacts;
  expect(doc).toMatchObject({ key, title: 'From the bench', contents_raw: 'Two' });
  expect(results[0]?.created).toEqual({ [`tmp:${key}`]: doc.wikiid });
});
