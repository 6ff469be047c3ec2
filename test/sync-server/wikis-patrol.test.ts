import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Wiki, WikiLight } from '#shared/model/wiki-record.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import { seenBy } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let maria: TestPerson;
let otto: TestPerson;
let counter = 0;

beforeAll(async () => {
  server = await startServer();
  ana = await server.person('Ana');
  maria = await server.person('Maria', ['User']);
  otto = await server.person('Otto', ['User', 'Moderator']);
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Answer {
  status: number;
  body: Wiki;
}

/** A page by Ana, and its address. */
async function page(body: object = {}): Promise<{ wiki: Wiki; path: string }> {
  counter += 1;
  const fields = { namespace: 'WIKI', title: `Page ${counter}`, contents: 'Shown', ...body };
  const { status, body: wiki } = (await ana.call('POST', '/wikis', fields)) as Answer;
  expect(status).toBe(201);
  return { wiki, path: `/wikis/${wiki.namespace}/${encodeURIComponent(wiki.title)}` };
}

async function read(path: string, query = ''): Promise<Wiki> {
  const response = await fetch(`${server.url}/api/2.0${path}${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Wiki;
}

describe('an edit by a person who is not an author', () => {
  test('waits: everyone sees the previous version, and the new one on request', async () => {
    const { wiki, path } = await page();
    const proposed = await maria.call('PATCH', `${path}?revisionid=${wiki.revisionid}`, {
      contents: 'Proposed',
    });
    expect([proposed.status, (proposed.body as Wiki).contents_raw]).toEqual([200, 'Proposed']);
    const newest = (proposed.body as Wiki).revisionid;
    expect(await read(path)).toMatchObject({
      contents_raw: 'Shown',
      revisionid: wiki.revisionid,
      latest_revisionid: newest,
      authors: [{ userid: ana.userid }],
    });
    for (const query of ['?unpatrolled', '?unpatrolled=true'])
      expect(await read(path, query)).toMatchObject({
        contents_raw: 'Proposed',
        revisionid: newest,
        authors: [{ userid: ana.userid }, { userid: maria.userid }],
      });
    const history = await maria.call('GET', `${path}/revisions`);
    expect(history.body).toMatchObject([
      { revisionid: newest, patrolled: false, current: false },
      { revisionid: wiki.revisionid, patrolled: true, current: true },
    ]);
  });

  test('is the base of the next edit', async () => {
    const { wiki, path } = await page();
    const proposed = (await maria.call('PATCH', `${path}?revisionid=${wiki.revisionid}`, {
      description: 'Proposed',
    })) as Answer;
    const stale = await ana.call('PATCH', `${path}?revisionid=${wiki.revisionid}`, { contents: 'New' });
    expect(stale.status).toBe(409);
    expect(stale.body).toEqual(proposed.body);
    const again = (await maria.call('PATCH', `${path}?revisionid=${proposed.body.revisionid}`, {
      contents: 'More',
    })) as Answer;
    expect(again.body).toMatchObject({ contents_raw: 'More', description: 'Proposed' });
    expect(await read(path)).toMatchObject({ contents_raw: 'Shown', description: '' });
    // An author's edit on top of it approves all of it.
    await ana.call('PATCH', `${path}?revisionid=${again.body.revisionid}`, { contents: 'Checked' });
    expect(await read(path)).toMatchObject({ contents_raw: 'Checked', description: 'Proposed' });
    const history = await maria.call('GET', `${path}/revisions`);
    expect((history.body as { patrolled: boolean }[]).map((one) => one.patrolled)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test('is shown once a moderator has patrolled that very version', async () => {
    const { wiki, path } = await page();
    const patrol = (by: TestPerson, revisionid: number): Promise<Answer> =>
      by.call('POST', `${path}/patrol?revisionid=${revisionid}`);
    const proposed = (await maria.call('PATCH', `${path}?revisionid=${wiki.revisionid}`, {
      contents: 'Proposed',
    })) as Answer;
    expect((await patrol(maria, proposed.body.revisionid)).status).toBe(403);
    expect((await patrol(ana, proposed.body.revisionid)).status).toBe(403);
    const stale = await patrol(otto, wiki.revisionid);
    expect([stale.status, stale.body.contents_raw]).toEqual([409, 'Proposed']);
    expect((await patrol(otto, proposed.body.revisionid)).status).toBe(200);
    expect(await read(path)).toMatchObject({
      contents_raw: 'Proposed',
      revisionid: proposed.body.revisionid,
    });
    expect((await patrol(otto, proposed.body.revisionid)).body.revisionid).toBe(proposed.body.revisionid);
    expect((await otto.call('POST', '/wikis/WIKI/Nothing/patrol?revisionid=1')).status).toBe(404);
  });

  test('is found by moderators, and undone by restoring the shown version', async () => {
    const { wiki, path } = await page();
    const proposed = (await maria.call('PATCH', `${path}?revisionid=${wiki.revisionid}`, {
      contents: 'Spam',
    })) as Answer;
    const waiting = async (): Promise<string[]> => {
      const list = await otto.call('GET', '/wikis/WIKI?needsPatrol=true&limit=200');
      return (list.body as WikiLight[]).map((one) => one.title);
    };
    expect(await waiting()).toContain(wiki.title);
    const query = `revisionid=${proposed.body.revisionid}&to_revisionid=${wiki.revisionid}`;
    expect((await ana.call('POST', `${path}/revert?${query}`)).status).toBe(200);
    expect(await read(path, '?unpatrolled')).toMatchObject({ contents_raw: 'Shown' });
    expect(await waiting()).not.toContain(wiki.title);
  });

  test('WIKI-4 is shown when an author saves the same content or reverts to it', async () => {
    for (const confirm of ['PATCH', 'revert']) {
      const { wiki, path } = await page();
      const changed = (await ana.call('PATCH', `${path}?revisionid=${wiki.revisionid}`, {
        contents: 'Other',
      })) as Answer;
      const proposed = (await maria.call('PATCH', `${path}?revisionid=${changed.body.revisionid}`, {
        contents: 'Shown',
      })) as Answer;
      const { revisionid } = proposed.body;
      const nothing = (await ana.call('PATCH', `${path}?revisionid=${revisionid}`, {})) as Answer;
      expect([nothing.status, nothing.body.revisionid]).toEqual([200, revisionid]);
      expect(await read(path)).toMatchObject({ contents_raw: 'Other' });
      const saved = (await (confirm === 'PATCH'
        ? ana.call('PATCH', `${path}?revisionid=${revisionid}`, { contents: 'Shown' })
        : ana.call(
            'POST',
            `${path}/revert?revisionid=${revisionid}&to_revisionid=${wiki.revisionid}`,
          ))) as Answer;
      expect([saved.status, saved.body.revisionid]).toEqual([200, revisionid]);
      expect(await read(path)).toMatchObject({ contents_raw: 'Shown', revisionid });
    }
  });

  test('does not move a category before it is patrolled, and then also moves its translations', async () => {
    await page({ namespace: 'CATEGORY', title: 'Machines' });
    const { wiki, path } = await page({ namespace: 'CATEGORY', title: 'Lathe' });
    const proposed = (await maria.call('PATCH', `${path}?revisionid=${wiki.revisionid}`, {
      parent: 'Machines',
    })) as Answer;
    expect(proposed.body.revisionid).toBeGreaterThan(wiki.revisionid);
    const tree = async (): Promise<unknown> =>
      ((await ana.call('GET', '/wikis/CATEGORY?display=hierarchy')).body as { hierarchy: unknown }).hierarchy;
    expect(await tree()).toMatchObject({ Machines: null, Lathe: null });
    await otto.call('POST', `${path}/patrol?revisionid=${proposed.body.revisionid}`);
    expect(await tree()).toMatchObject({ Machines: { Lathe: null } });
    expect(await tree()).not.toHaveProperty('Lathe');
  });

  test('cannot be patrolled if that would now form a circle', async () => {
    const a = await page({ namespace: 'CATEGORY', title: 'A' });
    const b = await page({ namespace: 'CATEGORY', title: 'B' });
    const proposed = (await maria.call('PATCH', `${a.path}?revisionid=${a.wiki.revisionid}`, {
      parent: 'B',
    })) as Answer;
    await ana.call('PATCH', `${b.path}?revisionid=${b.wiki.revisionid}`, { parent: 'A' });
    const refused = await otto.call('POST', `${a.path}/patrol?revisionid=${proposed.body.revisionid}`);
    expect(refused.status).toBe(422);
    const { revisionid } = proposed.body;
    const text = await ana.call('PATCH', `${a.path}?revisionid=${revisionid}`, { contents: 'New' });
    expect(text.status).toBe(422);
    const kept = await ana.call('PATCH', `${a.path}?revisionid=${revisionid}`, {
      contents: 'New',
      parent: null,
    });
    expect(kept).toMatchObject({ status: 200, body: { contents_raw: 'New', parent: null } });
  });

  test('is refused on pages of the site and of other people', async () => {
    const info = await page({ namespace: 'INFO' });
    const own = await page({ namespace: 'USER', title: String(ana.userid) });
    for (const { wiki, path } of [info, own]) {
      const answer = await maria.call('PATCH', `${path}?revisionid=${wiki.revisionid}`, { contents: 'Mine' });
      expect(answer.status).toBe(403);
    }
    expect((await read(own.path)).can_edit).toBe(false);
  });

  test('reaches devices beside the version that they show', async () => {
    const { wiki, path } = await page();
    const proposed = (await maria.call('PATCH', `${path}?revisionid=${wiki.revisionid}`, {
      contents: 'Proposed',
    })) as Answer;
    const facts = async (): Promise<WikiFacts> =>
      (await seenBy(server, maria, 'wikis')).find((row) => row.id === String(wiki.wikiid))?.doc as WikiFacts;
    expect(await facts()).toMatchObject({
      contents_raw: 'Shown',
      revisionid: wiki.revisionid,
      unpatrolled: { contents_raw: 'Proposed', revisionid: proposed.body.revisionid },
    });
    await otto.call('POST', `${path}/patrol?revisionid=${proposed.body.revisionid}`);
    expect(await facts()).toMatchObject({ contents_raw: 'Proposed' });
    expect(await facts()).not.toHaveProperty('unpatrolled');
  });
});
