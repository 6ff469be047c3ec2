import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Wiki } from '#shared/model/wiki-record.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import type { BatchResult } from '#shared/sync/wire.ts';
import { bmpFile } from '#test/support/media-files.ts';

import { testTree } from './wikis-edit/tree.ts';
import { testTranslations } from './wikis-edit/translations.ts';
import {
  ana,
  type Answer,
  create,
  edit,
  endWorld,
  fieldsOf,
  made,
  maria,
  mira,
  otto,
  path,
  read,
  server,
  startWorld,
} from './wikis-edit/world.ts';

// All tests share one site, because starting it takes longer than most of them.
beforeAll(startWorld);
afterAll(endWorld);

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
      author: ana.userid,
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

testTree();

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

testTranslations();

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
