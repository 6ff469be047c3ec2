import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { Release } from '#shared/model/release.ts';
import { must } from '#shared/must.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import { authenticate } from '#server/core/sessions.ts';
import { readFeed } from '#server/sync/feed-reader.ts';
import { changeSite } from '#server/core/site.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { batch, sync } from '#test/support/sync-calls.ts';
import { makeGuide } from '#test/support/workshop.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startServer({ site: { releases: true } });
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben');
});
afterAll(() => server[Symbol.asyncDispose]());

async function edit(guide: Guide, change: object): Promise<Guide> {
  const answer = await ana.call('PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, change);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body;
}

async function release(guide: Guide): Promise<Release> {
  const path = `/guides/${guide.guideid}/releases?revisionid=${guide.revisionid}`;
  const answer = await ana.call('POST', path, {});
  expect(answer.status).toBe(201);
  return answer.body;
}

/** A prerequisite edited after its release, and a guide that pins it. */
async function pinned(
  isPublic = true,
  releaseid?: null,
): Promise<{ first: Guide; guide: Guide; made: Release }> {
  const released = await edit(await makeGuide(ana, isPublic), { title: 'Lock out' });
  const made = await release(released);
  const first = await edit(released, { title: 'Lock out, revised' });
  const { guideid } = first;
  const guide = await edit(await makeGuide(ana), {
    prerequisites: [guideid],
    prerequisite_releases: [{ guideid, releaseid: releaseid === null ? null : made.releaseid }],
  });
  return { first, guide, made };
}

function pinsIn(rows: FeedRow[], { guideid }: Guide): GuideFacts['prerequisite_releases'] {
  const row = rows.findLast(
    ({ c, id, doc }) => c === 'guides' && id === String(guideid) && doc !== undefined,
  );
  return (must(row, 'the guide').doc as GuideFacts).prerequisite_releases;
}

const asReleased = {
  title: 'v1.0',
  guide: { title: 'Lock out', steps: [{ title: 'Open' }, { title: 'Close' }] },
};

test('FEED-12 a guide carries its pinned releases in every kind of sync response', async () => {
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  const { guide, first, made } = await pinned();
  const { guideid } = first;
  const { releaseid } = made;
  const expected = [{ guideid, releaseid, released: { ...asReleased, releaseid } }];
  expect(pinsIn((await sync(server, ben, 'bootstrap')).rows, guide)).toMatchObject(expected);
  expect(pinsIn((await sync(server, ben, `pull?since=${checkpoint}`)).rows, guide)).toMatchObject(expected);
  const stale = {
    id: `stale-call-${guideid}`,
    lane: 'g',
    method: 'PATCH' as const,
    path: `/guides/${guide.guideid}`,
    query: { revisionid: '1' },
    body: { summary: 'Short' },
  };
  const [refused] = await batch(server, ben, [stale]);
  expect(refused?.status).toBe(409);
  expect(pinsIn(refused?.rows ?? [], guide)).toMatchObject(expected);
  const query = { revisionid: String(guide.revisionid) };
  const [done] = await batch(server, ben, [{ ...stale, id: `edit-call-${guideid}`, query }]);
  expect(done?.status).toBe(200);
  expect(pinsIn(done?.rows ?? [], guide)).toMatchObject(expected);

  const abort = new AbortController();
  const stream = await fetch(`${server.url}/sync/1/events?since=${checkpoint}`, {
    headers: { Authorization: `api ${ben.token}` },
    signal: abort.signal,
  });
  const reader = must(stream.body, 'a body').getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes(`"released":{"releaseid":${releaseid},`))
    text += decoder.decode((await reader.read()).value, { stream: true });
  abort.abort();
});

test('FEED-12 a released version reveals neither its readers nor its own prerequisites', async () => {
  const inner = await makeGuide(ana, false);
  const first = await edit(await makeGuide(ana), { prerequisites: [inner.guideid] });
  const { releaseid } = await release(first);
  const { guideid } = first;
  const guide = await edit(await makeGuide(ana), {
    prerequisites: [guideid],
    prerequisite_releases: [{ guideid, releaseid }],
  });
  const [pin] = must(pinsIn((await sync(server, ben, 'bootstrap')).rows, guide), 'pins');
  const shown = must(pin?.released, 'what was released').guide;
  for (const field of ['prerequisites', 'prerequisite_releases', 'approval', 'modified_userid', 'key'])
    expect(shown).not.toHaveProperty(field);
});

test('FEED-12 releases of an invisible prerequisite are not sent, and lost ones are reported', async () => {
  const { guide, first } = await pinned(false);
  const start = await sync(server, ben, 'bootstrap');
  expect(pinsIn(start.rows, guide)).toEqual([]);
  expect(JSON.stringify(start.rows)).not.toContain(`"released":{"releaseid":${first.guideid},`);
  await ana.client.guides.publish({ params: { guideid: first.guideid }, revisionid: first.revisionid });
  const shown = await sync(server, ben, `pull?since=${start.checkpoint}`);
  expect(pinsIn(shown.rows, guide)).toMatchObject([{ released: asReleased }]);
  const { revisionid } = (await ana.call('GET', `/guides/${first.guideid}`)).body as Guide;
  await ana.client.guides.unpublish({ params: { guideid: first.guideid }, revisionid });
  const hidden = await sync(server, ben, `pull?since=${shown.checkpoint}`);
  expect(pinsIn(hidden.rows, guide)).toEqual([]);
  expect(JSON.stringify(hidden.rows)).not.toContain('Lock out');
  expect(pinsIn((await sync(server, ana, 'bootstrap')).rows, guide)).toMatchObject([
    { released: asReleased },
  ]);
});

test('FEED-12 deleting a prerequisite removes its releases', async () => {
  const { guide, first } = await pinned();
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  const gone = await ana.call('DELETE', `/guides/${first.guideid}?revisionid=${first.revisionid}`);
  expect(gone.status).toBe(204);
  const { rows } = await sync(server, ben, `pull?since=${checkpoint}`);
  expect(pinsIn(rows, guide)).toEqual([]);
});

test('FEED-13 a pin without a number follows each new release of guides that have one', async () => {
  const { guide, first } = await pinned(true, null);
  const start = await sync(server, ben, 'bootstrap');
  expect(pinsIn(start.rows, guide)).toMatchObject([{ releaseid: null, released: asReleased }]);
  const second = await release(first);
  const { rows } = await sync(server, ben, `pull?since=${start.checkpoint}`);
  expect(pinsIn(rows, guide)).toMatchObject([
    {
      releaseid: null,
      released: { releaseid: second.releaseid, title: 'v2.0', guide: { title: 'Lock out, revised' } },
    },
  ]);
  const { guideid } = await makeGuide(ana);
  const bare = await edit(await makeGuide(ana), {
    prerequisites: [guideid],
    prerequisite_releases: [{ guideid, releaseid: null }],
  });
  expect(pinsIn((await sync(server, ben, 'bootstrap')).rows, bare)).toEqual([{ guideid, releaseid: null }]);
});

test('FEED-13 a new release changes only the guides that follow it', async () => {
  const { guide, first } = await pinned();
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  await release(first);
  const { rows } = await sync(server, ben, `pull?since=${checkpoint}`);
  expect(rows.filter(({ c, id }) => c === 'guides' && id === String(guide.guideid))).toEqual([]);
});

test('FEED-14 where releases are turned off, pins have no effect, and devices learn it from the settings of the site', async () => {
  const { guide, first, made } = await pinned();
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  await changeSite(server.services, { releases: false });
  const read = async (): Promise<Guide> => (await ben.call('GET', `/guides/${guide.guideid}`)).body;
  try {
    const { rows } = await sync(server, ben, `pull?since=${checkpoint}`);
    expect(rows).toMatchObject([{ c: 'viewer', id: 'site', doc: { releases: false } }]);
    expect((await read()).prerequisites).toMatchObject([{ title: 'Lock out, revised' }]);
    expect(await read()).not.toHaveProperty('prerequisite_releases');
    await edit(guide, { summary: 'Short' });
  } finally {
    await changeSite(server.services, { releases: true });
  }
  expect(await read()).toMatchObject({
    prerequisites: [{ title: 'Lock out' }],
    prerequisite_releases: [{ guideid: first.guideid, releaseid: made.releaseid }],
  });
});

test('FEED-4 a page of guides with pins costs as many statements as one of a single guide', async () => {
  const { first, made } = await pinned();
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  const { guideid } = first;
  const viewer = await authenticate(`api ${ben.token}`, server.services);
  let statements = 0;
  const reader = server.services.storage.reader.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const [seq = '', nonce = ''] = checkpoint.split('.');
  const read = async (limit: number): Promise<{ rows: number; statements: number }> => {
    statements = 0;
    const page = await readFeed(reader, viewer, { seq: Number(seq), nonce }, limit, new Set(['guides']));
    expect(page.rows.every(({ body }) => body?.includes('"released":{') === true)).toBe(true);
    return { rows: page.rows.length, statements };
  };
  for (let count = 0; count < 200; count += 1) {
    const pins = {
      prerequisites: [guideid],
      prerequisite_releases: [{ guideid, releaseid: made.releaseid }],
    };
    await ana.client.guides.create({
      body: { category: 'Bench Grinder', type: 'repair', title: 'Belt', public: true, ...pins },
    });
  }
  // Values cached by the first page are not a cost of later pages.
  await read(1);
  const one = await read(1);
  const all = await read(2000);
  expect([one.rows, all.rows]).toEqual([1, 200]);
  expect(all.statements).toBe(one.statements);
});
