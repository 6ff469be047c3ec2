import { Writable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { makeLog } from '#server/platform/log.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

let server: TestServer;
let world: BenchGrinderWorld;
const logged: { reqId?: string; jobid?: number; msg: string }[] = [];

beforeAll(async () => {
  const log = makeLog(
    'info',
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged.push(JSON.parse(chunk.toString()) as (typeof logged)[number]);
        done();
      },
    }),
  );
  server = await startServer({ log });
  world = await benchGrinderWorld(server);
  for (const title of ['Second', 'Third', 'Fourth', 'Fifth'])
    await world.ana.client.guides.create({
      body: { category: 'Bench Grinder', type: 'repair', title, public: true },
    });
});
afterAll(async () => server[Symbol.asyncDispose]());

const api = (path: string): string => `${server.url}/api/2.0${path}`;
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(api(path), { headers });

/** `rel` → path and query of a `Link` header. */
function linksOf(response: Response): Record<string, string> {
  const header = response.headers.get('link') ?? '';
  return Object.fromEntries(
    [...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map((match) => [match[2] ?? '', match[1] ?? '']),
  );
}

describe('lists', () => {
  it('LIST-1 lists say how many records exist, whatever the page shows', async () => {
    const totals = async (path: string): Promise<string | null> =>
      (await get(path)).headers.get('x-total-count');
    expect(await totals('/guides?limit=2')).toBe('5');
    expect(await totals('/guides?limit=2&offset=4')).toBe('5');
    expect(await totals('/guides?limit=2&offset=100')).toBe('5');
    expect(await totals('/guides?filter=replacement')).toBe('1');
    expect(await totals('/users?limit=1')).toBe('5');
    expect(await totals('/categories/all?limit=1')).toBe('2');
    expect(await totals('/wikis/CATEGORY?limit=1')).toBe('2');
    expect(await totals('/comments')).toBe('0');
    expect(await totals(`/guides/${world.belt.guideid}`)).toBeNull();
  });

  it('LIST-2 lists link to the neighbouring pages, and following next shows everything once', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/api/2.0/guides?limit=2&order=DESC';
    for (let page = 0; path !== undefined && page < 10; page += 1) {
      const response: Response = await fetch(server.url + path);
      seen.push(...((await response.json()) as { title: string }[]).map((one) => one.title));
      path = linksOf(response)['next'];
    }
    expect(seen.slice(0, 4)).toEqual(['Fifth', 'Fourth', 'Third', 'Second']);
    expect(seen).toHaveLength(5);
    const middle = linksOf(await get('/guides?limit=2&offset=3&filter=repair'));
    expect(middle).toEqual({
      first: '/api/2.0/guides?limit=2&offset=0&filter=repair',
      prev: '/api/2.0/guides?limit=2&offset=1&filter=repair',
      last: '/api/2.0/guides?limit=2&offset=2&filter=repair',
    });
    expect(linksOf(await get('/guides'))).toEqual({});
  });

  it('LIST-3 lists count only visible records', async () => {
    const own = await fetch(api('/user/guides?limit=1'), {
      headers: { Authorization: `api ${world.ana.token}` },
    });
    expect(own.headers.get('x-total-count')).toBe('6');
    const asSeenByBen = await world.ben.call('GET', `/users/${world.ana.userid}/guides?limit=1`);
    expect(asSeenByBen.headers.get('x-total-count')).toBe('5');
  });
});

describe('conditions', () => {
  it('LIST-4 a response that the caller has is 304 without a body, and a full one after a change', async () => {
    const path = `/guides/${world.belt.guideid}`;
    const first = await get(path);
    const etag = first.headers.get('etag') ?? '';
    const { revisionid } = (await first.json()) as { revisionid: number };
    expect(etag).toMatch(new RegExp(`^W/"${revisionid}-`));
    const again = await get(path, { 'If-None-Match': etag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    await world.ana.call('PUT', `${path}/tag`, { tag: 'belt drive' });
    const summary = await get('/guides?limit=200');
    expect(
      (await get('/guides?limit=200', { 'If-None-Match': summary.headers.get('etag') ?? '' })).status,
    ).toBe(304);
    await world.ana.call('PATCH', `${path}?revisionid=${revisionid}`, { summary: 'Shorter' });
    expect((await get(path, { 'If-None-Match': etag })).status).toBe(200);
    expect(
      (await get('/guides?limit=200', { 'If-None-Match': summary.headers.get('etag') ?? '' })).status,
    ).toBe(200);
  });

  it('LIST-5 If-Match can replace revisionid: the number, or the ETag of a GET; a stale one is 409', async () => {
    const path = `/guides/${world.lockout.guideid}`;
    const patch = (match: string, summary: string) =>
      world.ana.call('PATCH', path, { summary }, { 'If-Match': match });
    const etag = (await world.ana.call('GET', path)).headers.get('etag') ?? '';
    const first = await patch(etag, 'By tag');
    expect([first.status, first.body]).toMatchObject([200, { summary: 'By tag' }]);
    const { revisionid } = first.body as { revisionid: number };
    expect((await patch(`"${revisionid}"`, 'By number')).status).toBe(200);
    const stale = await patch(etag, 'Too late');
    expect([stale.status, stale.body]).toMatchObject([409, { summary: 'By number' }]);
    expect((await patch('nonsense', 'x')).status).toBe(422);
  });

  it('LIST-5 with If-Match and revisionid, one stale value is 409; a list may contain the current one; * names none', async () => {
    const path = `/guides/${world.lockout.guideid}`;
    const current = async () =>
      ((await world.ana.call('GET', path)).body as { revisionid: number }).revisionid;
    const patch = async (match: string, summary: string, revisionid?: number) =>
      (
        await world.ana.call(
          'PATCH',
          revisionid === undefined ? path : `${path}?revisionid=${revisionid}`,
          { summary },
          { 'If-Match': match },
        )
      ).status;
    expect(await patch('"1"', 'Stale header', await current())).toBe(409);
    expect(await patch(`"${await current()}"`, 'Stale query', 1)).toBe(409);
    expect(await patch(`"1", "${await current()}"`, 'In the list', await current())).toBe(200);
    expect(await patch('*', 'Any', await current())).toBe(200);
    expect(await patch('*', 'None')).toBe(422);
  });
});

describe('conditions on records without revisions', () => {
  type Answer = Awaited<ReturnType<TestPerson['call']>>;

  type Write = readonly [method: 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object];
  const patchAndDelete = (path: string, body: object): Write[] => [
    ['PATCH', path, body],
    ['DELETE', path],
  ];

  /**
   * A write under the ETag of a GET (`read`: its path): refused after another person's write, accepted under the current
   * ETag.
   */
  async function checkTag(
    person: TestPerson,
    [method, path, body]: Write,
    meanwhile: () => Promise<Answer>,
    read: string = path,
  ): Promise<void> {
    const tagOf = async (query = ''): Promise<string> =>
      (await person.call('GET', `${read}${query}`)).headers.get('etag') ?? '';
    const write = (etag: string): Promise<Answer> => person.call(method, path, body, { 'If-Match': etag });
    const stale = await tagOf();
    expect((await meanwhile()).status, `meanwhile ${path}`).toBeLessThan(300);
    const refused = await write(stale);
    const current = await person.call('GET', read);
    expect([method, path, refused.status, refused.body]).toEqual([method, path, 409, current.body]);
    expect(await tagOf()).not.toBe(stale);
    const done = await write(`"other", ${await tagOf(method === 'PATCH' ? '?pretty' : '')}`);
    expect([method, path, done.status]).toEqual([method, path, method === 'DELETE' ? 204 : 200]);
  }

  it('LIST-11 If-Match takes the ETag of a GET; a stale one is 409 with the record and has no effect', async () => {
    const now = Date.UTC(2026, 2, 2, 8);
    await using own = await startServer({
      now: () => now,
      site: { languages: ['en', 'de'], private_networks: ['127.0.0.0/8'] },
    });
    const { ana, maria, mira, belt } = await benchGrinderWorld(own);
    const made = async (person: TestPerson, path: string, body: object): Promise<Record<string, number>> => {
      const answer = await person.call('POST', path, body);
      expect([path, answer.status]).toEqual([path, 201]);
      return answer.body;
    };
    const person = `/users/${maria.userid}`;
    const summary = { summary: 'Grinds' };
    await checkTag(mira, ['PATCH', person, { location: 'Hall 2' }], () =>
      maria.call('PATCH', person, summary),
    );

    const comment = async (): Promise<string> =>
      `/comments/${(await made(ana, `/comments/guide/${belt.guideid}`, { text: 'Hm' }))['commentid']}`;
    for (const [index, write] of patchAndDelete(await comment(), { text: 'Mine' }).entries())
      await checkTag(ana, write, () => mira.call('PATCH', write[1], { text: `Theirs ${index}` }));

    const { teamid } = await made(ana, '/teams', { name: 'Line B' });
    const team = `/teams/${teamid}`;
    const renamed = (): Promise<Answer> => ana.call('PATCH', team, { name: 'Line C' });
    await checkTag(ana, ['PATCH', team, { location: 'Hall 2' }], renamed, `${team}/record`);
    const joined = (): Promise<Answer> => ana.call('PUT', `${team}/users/${maria.userid}`, {});
    await checkTag(ana, ['DELETE', team], joined);

    const named = { title: 'Workshop' };
    await checkTag(mira, ['PATCH', '/site', { description: 'Ours' }], () =>
      mira.call('PATCH', '/site', named),
    );

    const hook = { url: 'http://127.0.0.1:9/', events: ['guide.published'], enabled: false };
    const { webhookid } = await made(mira, '/webhooks', hook);
    for (const [index, write] of patchAndDelete(`/webhooks/${webhookid}`, { description: 'Mine' }).entries())
      await checkTag(mira, write, () => mira.call('PATCH', write[1], { description: `Theirs ${index}` }));

    const stages = [{ name: 'Quality', userids: [ana.userid] }];
    const { approval_processid } = await made(mira, '/approvals/process', { name: 'Quality', stages });
    const process = `/approvals/process/${approval_processid}`;
    await checkTag(mira, ['PATCH', process, { description: 'Ours' }], () =>
      mira.call('PATCH', process, { name: 'Quality and safety' }),
    );

    const entries = '/translation_glossary/entries';
    const term = (text: string): object => ({ entries: [{ term: text, translations: [] }] });
    await checkTag(mira, ['PUT', entries, term('belt')], () => mira.call('PUT', entries, term('wheel')));

    const { storyid } = await made(maria, '/stories', { title: 'Belt', body: 'It held.' });
    for (const [index, write] of patchAndDelete(`/stories/${storyid}`, { title: 'Mine' }).entries())
      await checkTag(maria, write, () => maria.call('PATCH', write[1], { body: `It held ${index} weeks.` }));
    const { postid } = await made(ana, '/posts', { title: 'Belt', text: 'It held.' });
    await checkTag(ana, ['DELETE', `/posts/${postid}`], () =>
      ana.call('PATCH', `/users/${ana.userid}`, { username: 'Anna' }),
    );

    const { entryid } = await made(maria, '/work_log', { guideid: belt.guideid, workorderid: 'WO' });
    await checkTag(maria, ['DELETE', `/work_log/${entryid}`], () =>
      maria.call('POST', `/work_log/${entryid}/suspend`, {}),
    );
  });

  it('LIST-11 invalid input is refused first, a conflict is not remembered, and * matches any state', async () => {
    const path = `/users/${world.maria.userid}`;
    const patch = (by: TestPerson, body: object, match: string, key?: string): Promise<Answer> =>
      by.call('PATCH', path, body, {
        'If-Match': match,
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      });
    expect((await patch(world.ben, { summary: 'x' }, '"stale"')).status).toBe(403);
    expect((await patch(world.maria, { nothing: 1 }, '"stale"')).status).toBe(422);
    expect((await patch(world.maria, { summary: 'x' }, '"stale"', 'same-key-1')).status).toBe(409);
    expect((await patch(world.maria, { summary: 'x' }, '*', 'same-key-1')).status).toBe(200);
    const again = await patch(world.maria, { summary: 'x' }, '"stale"', 'same-key-1');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  });
});

describe('request ids', () => {
  it('LIST-6 request ids are returned as sent and appear in the log', async () => {
    const sent = 'client-7:retry.1';
    const answer = await get('/guides/987654', { 'X-Request-Id': sent });
    expect(answer.headers.get('x-request-id')).toBe(sent);
    await expect.poll(() => logged.some((line) => line.reqId === sent && line.msg === 'request')).toBe(true);
  });

  it('JOB-8 the log of a job names the request that queued it', async () => {
    const sent = 'client-8:archive';
    const { guideid } = world.belt;
    const answer = await world.ana.call(
      'POST',
      '/omanual/archives',
      { guideids: [guideid] },
      { 'X-Request-Id': sent },
    );
    expect(answer.status).toBe(202);
    const ofJob = (): string[] =>
      logged.filter(({ reqId, jobid }) => reqId === sent && jobid !== undefined).map(({ msg }) => msg);
    await expect.poll(ofJob).toEqual(['job started', 'job done']);
  });

  it('LIST-7 an invalid request id is replaced by a unique one of the server', async () => {
    const ids = new Set<string>();
    for (const sent of ['x', 'a b c d e', 'x'.repeat(65), '<script>', '']) {
      const id = (await get('/guides?limit=1', { 'X-Request-Id': sent })).headers.get('x-request-id') ?? '';
      expect(id).not.toBe(sent);
      expect(id).toMatch(/^[\w-]{12}$/);
      ids.add(id);
    }
    expect(ids.size).toBe(5);
  });
});

describe('dates', () => {
  it("LIST-12 every response has the server's clock as its date, streams and refusals too", async () => {
    const now = Date.UTC(2031, 4, 5, 6, 7, 8, 900);
    await using own = await startServer({ now: () => now });
    const { token } = await own.person('Ana');
    const signed = { Authorization: `api ${token}` };
    const list = await fetch(`${own.url}/api/2.0/guides`);
    const etag = list.headers.get('etag') ?? '';
    const leaving = new AbortController();
    const port = await own.playerListens('127.0.0.1', 0);
    const answers = [
      list,
      await fetch(`${own.url}/api/2.0/guides`, { headers: { 'If-None-Match': etag } }),
      await fetch(`${own.url}/sync/1/pull`),
      await fetch(`${own.url}/sync/1/events?since=0.0&protocol=6`, {
        headers: signed,
        signal: leaving.signal,
      }),
      await fetch(`${own.url}/nowhere`),
      await fetch(`${own.url}/api/2.0/guides/%zz`),
      await fetch(`http://127.0.0.1:${port}/player/closed`),
    ];
    leaving.abort();
    expect(answers.map(({ status, headers }) => [status, headers.get('date')])).toEqual(
      [200, 304, 401, 200, 404, 404, 200].map((status) => [status, 'Mon, 05 May 2031 06:07:08 GMT']),
    );
  });
});

describe('spellings that clients use', () => {
  it('LIST-8 /guide and /guides are the same address', async () => {
    const { guideid } = world.belt;
    const plural = await (await get(`/guides/${guideid}`)).json();
    expect(await (await get(`/guide/${guideid}`)).json()).toEqual(plural);
    expect((await get(`/guide/${guideid}/tags/`)).status).toBe(200);
    const current = (await world.ana.call('GET', `/guides/${guideid}`)).body as { revisionid: number };
    for (const [method, path] of [
      ['DELETE', `/guide/${guideid}/public`],
      ['PUT', `/guides/${guideid}/public`],
      ['DELETE', `/guides/${guideid}/public`],
      ['PUT', `/guide/${guideid}/public`],
    ] as const) {
      const answer = await world.ana.call(method, `${path}?revisionid=${current.revisionid}`);
      expect([path, answer.status]).toEqual([path, 200]);
      current.revisionid = (answer.body as { revisionid: number }).revisionid;
    }
    const allowed = await world.ana.call('POST', `/guide/${guideid}`, {});
    expect([allowed.status, allowed.headers.get('allow')]).toEqual([
      405,
      'DELETE, GET, HEAD, OPTIONS, PATCH',
    ]);
  });

  it('LIST-9 lang means langid, jp means ja, and an unknown language is no error', async () => {
    for (const query of ['lang=de', 'langid=jp', 'lang=jp', 'lang=xx', 'langid=zz-unknown'])
      for (const path of [
        '/guides',
        `/guides/${world.belt.guideid}`,
        '/wikis/CATEGORY/Workshop',
        '/comments',
      ])
        expect([query, path, (await get(`${path}?${query}`)).status]).toEqual([query, path, 200]);
  });
});
