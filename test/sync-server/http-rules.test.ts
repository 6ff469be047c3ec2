import { request } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { changeSite } from '#server/core/site.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { benchGrinderWorld, type BenchGrinderWorld } from '#test/support/world.ts';

let server: TestServer;
let world: BenchGrinderWorld;

beforeAll(async () => {
  server = await startServer();
  world = await benchGrinderWorld(server);
});
afterAll(async () => server[Symbol.asyncDispose]());

const api = (path: string): string => `${server.url}/api/2.0${path}`;
const newGuide = { category: 'Bench Grinder', type: 'repair', title: 'Belt' } as const;

/** A request with exactly these headers: no content type unless given. */
function rawRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      api(path),
      { method, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

describe('requests', () => {
  it('HTTP-1 bodies are read as JSON whatever their content type', async () => {
    const headers = { Authorization: `api ${world.ana.token}` };
    for (const type of [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
      'foo',
      ';',
      '',
      'application/json, application/json',
      'application/json; charset',
    ]) {
      const typed = type === undefined ? headers : { ...headers, 'Content-Type': type };
      const answer = await rawRequest('POST', '/guides', typed, JSON.stringify(newGuide));
      expect([type, answer.status]).toEqual([type, 201]);
    }
  });

  it('HTTP-1 bodies are read as files whatever their content type', async () => {
    const path = '/user/media/images?file=pixel.gif';
    const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');
    for (const type of ['foo', ';', '', 'text/plain']) {
      const headers = { Authorization: `api ${world.ana.token}`, 'Content-Type': type };
      const answer = await rawRequest('POST', path, headers, pixel);
      expect([type, answer.status]).toEqual([type, 200]);
    }
  });

  it('HTTP-17 titles in addresses may have a plus for each space, as Java writes them', async () => {
    const create = (title: string): Promise<{ status: number }> =>
      world.ana.call('POST', '/wikis', { namespace: 'WIKI', title, contents: title });
    for (const title of ['C++ tool', 'C++', 'Wheel+guard', 'Two words', 'Two+words', 'a b+c'])
      expect((await create(title)).status, title).toBe(201);
    const titleAt = async (path: string): Promise<unknown> => {
      const { body } = await world.ana.call('GET', `/wikis/WIKI/${path}`);
      return (body as { title: string }).title;
    };
    expect(await titleAt('C%2B%2B+tool')).toBe('C++ tool');
    expect(await titleAt('C%2B%2B%20tool')).toBe('C++ tool');
    expect(await titleAt('C++%20tool')).toBe('C++ tool');
    expect(await titleAt('C++')).toBe('C++');
    expect(await titleAt('C%2B%2B')).toBe('C++');
    expect(await titleAt('Wheel+guard')).toBe('Wheel+guard');
    expect(await titleAt('Two+words')).toBe('Two words');
    expect(await titleAt('Two%2Bwords')).toBe('Two+words');
    expect(await titleAt('a+b%2Bc/?lang=en')).toBe('a b+c');
    expect((await world.ana.call('GET', '/wikis/WIKI/No+such+page')).status).toBe(404);
    expect((await world.ana.call('GET', '/categories/Bench+Grinder')).status).toBe(200);
    const { revisionid } = (await world.ana.call('GET', '/wikis/WIKI/C%2B%2B+tool')).body as Guide;
    const edit = { description: 'Edited' };
    const saved = await world.ana.call('PATCH', `/wikis/WIKI/C%2B%2B+tool?revisionid=${revisionid}`, edit);
    expect(saved).toMatchObject({ status: 200, body: { title: 'C++ tool', description: 'Edited' } });
    expect((await world.ana.call('GET', '/search/drive+belt')).body).toMatchObject({ search: 'drive belt' });
  });

  it('HTTP-2 form fields are accepted and become the expected numbers and switches', async () => {
    const form = new URLSearchParams({
      ...newGuide,
      title: '2024',
      time_required_max: '600',
      public: 'true',
    });
    const answer = await rawRequest(
      'POST',
      '/guides',
      { Authorization: `api ${world.ana.token}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      form.toString(),
    );
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body)).toMatchObject({ title: '2024', time_required_max: 600, public: true });
  });

  const sendForm = async (
    fields: [string, string][],
    path = '/guides',
  ): Promise<{ status: number; body: string }> =>
    rawRequest(
      'POST',
      path,
      {
        Authorization: `api ${world.ana.token}`,
        'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
      },
      new URLSearchParams(fields).toString(),
    );

  it('HTTP-2 form fields may contain lists and records, as PHP writes them', async () => {
    const base: [string, string][] = Object.entries(newGuide);
    const answer = await sendForm([
      ...base,
      ['flags[]', 'GUIDE_PREREQ_ONLY'],
      ['flags[]', 'GUIDE_IN_PROGRESS'],
      ['prerequisites[]', String(world.belt.guideid)],
      ['parts[1][name]', 'Second'],
      ['parts[0][name]', 'Belt'],
      ['parts[0][quantity]', '2'],
      ['parts[0][featured]', '1'],
      ['steps[0][title]', '2024'],
      ['steps[0][lines][0][text]', '7'],
      ['steps[0][lines][1][text]', '8'],
      ['steps[0][lines][1][level]', '1'],
    ]);
    expect(JSON.parse(answer.body)).toMatchObject({
      flags: ['GUIDE_IN_PROGRESS', 'GUIDE_PREREQ_ONLY'],
      prerequisites: [{ guideid: world.belt.guideid }],
      parts: [{ text: 'Belt', quantity: 2, featured: true }, { text: 'Second' }],
      steps: [{ title: '2024', lines: [{ text_raw: '7' }, { text_raw: '8', level: 1 }] }],
    });
    const plain = await sendForm([...base, ['flags', 'GUIDE_PREREQ_ONLY'], ['prerequisites', '']]);
    expect(JSON.parse(plain.body)).toMatchObject({
      flags: ['GUIDE_IN_PROGRESS', 'GUIDE_PREREQ_ONLY'],
      prerequisites: [],
    });
  });

  it('HTTP-2 a form has the limits of any body and cannot use names with a special meaning', async () => {
    const base: [string, string][] = Object.entries(newGuide);
    const refused: [string, string][][] = [
      [['parts[0][a][b][c][d][e][f][g]', 'x']],
      [['__proto__[public]', 'true']],
      [['constructor[prototype][public]', 'true']],
      [['parts[0][__proto__][name]', 'x']],
      [['parts[length]', '5']],
      [['flags[', 'x']],
      Array.from({ length: 5001 }, (): [string, string] => ['flags[]', 'x']),
    ];
    for (const fields of refused)
      expect([fields[0], (await sendForm([...base, ...fields])).status]).toEqual([fields[0], 422]);
    expect(({} as Record<string, unknown>)['public']).toBeUndefined();
  });

  it('HTTP-18 a POST takes the verb named in X-HTTP-Method-Override', async () => {
    const post = (path: string, verb: string, body = ''): Promise<{ status: number; body: string }> =>
      rawRequest(
        'POST',
        path,
        {
          Authorization: `api ${world.ana.token}`,
          'X-HTTP-Method-Override': verb,
          'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
        },
        body,
      );
    const made = await post('/guides', 'POST', JSON.stringify(newGuide));
    expect(made.status).toBe(201);
    const guide = JSON.parse(made.body) as Guide;
    const path = `/guides/${guide.guideid}`;
    const patched = await post(`${path}?revisionid=${guide.revisionid}`, 'PATCH', '{"summary":"By phone"}');
    expect(patched.status).toBe(200);
    const { revisionid, summary } = JSON.parse(patched.body) as Guide;
    expect(summary).toBe('By phone');
    expect(
      (await post(`${path}?revisionid=${guide.revisionid}`, 'PATCH', '{"summary":"Stale"}')).status,
    ).toBe(409);
    const favorite = `/user/favorites/guides/${guide.guideid}`;
    expect((await post(favorite, 'put')).status).toBe(204);
    expect((await post(favorite, 'DELETE')).status).toBe(204);
    expect((await post(`${path}?revisionid=${revisionid}`, 'DELETE')).status).toBe(204);
    expect((await fetch(api(path))).status).toBe(404);
  });

  it('HTTP-18 no other header changes the verb', async () => {
    const headers = { Authorization: `api ${world.ana.token}` };
    const path = `/guides/${world.belt.guideid}`;
    for (const verb of ['GET', 'HEAD', 'CONNECT', 'nonsense', ''])
      expect(
        (await rawRequest('POST', path, { ...headers, 'X-HTTP-Method-Override': verb }, '')).status,
      ).toBe(405);
    const read = await fetch(api(path), { headers: { ...headers, 'X-HTTP-Method-Override': 'DELETE' } });
    expect(read.status).toBe(200);
  });

  it('HTTP-19 numbers and switches may be sent as texts', async () => {
    const guide = await world.ana.call('POST', '/guides', {
      ...newGuide,
      title: '2024',
      subject: 'true',
      public: 'true',
      time_required_max: '600',
      prerequisites: [String(world.belt.guideid)],
      parts: [{ name: '608', quantity: '2' }],
      steps: [{ title: '1', lines: [{ text: '7' }, { text: '8', level: '1' }] }],
    });
    expect(guide.body).toMatchObject({
      title: '2024',
      subject: 'true',
      public: true,
      time_required_max: 600,
      prerequisites: [{ guideid: world.belt.guideid }],
      parts: [{ text: '608', quantity: 2 }],
    });
    const started = await world.ana.call('POST', '/work_log', {
      guideid: String(world.belt.guideid),
      workorderid: '4711',
    });
    expect(started).toMatchObject({
      status: 201,
      body: { guideid: world.belt.guideid, workorderid: '4711' },
    });
    const { entryid, timingid } = started.body as { entryid: number; timingid: number };
    const data = { fields: {}, lasttimingid: String(timingid) };
    expect((await world.ana.call('PUT', `/work_log/${entryid}/stepData`, data)).status).toBe(200);
  });

  it('HTTP-19 sending texts gives no additional rights and changes no other text', async () => {
    for (const odd of ['12a', '', ' 5', '1e3', '0x10', 'yes', 'TRUE'])
      expect([odd, (await world.ana.call('POST', '/guides', { ...newGuide, public: odd })).status]).toEqual([
        odd,
        422,
      ]);
    const score = { namespace: 'CATEGORY', title: 'Scored', contents: '', repairability_score: '5' };
    expect((await world.ana.call('POST', '/wikis', score)).status).toBe(403);
    const author = { ...newGuide, author: String(world.ben.userid) };
    expect((await world.ana.call('POST', '/guides', author)).status).toBe(403);
  });

  it('HTTP-3 DELETE accepts a body too', async () => {
    const path = `/guides/${world.belt.guideid}/tag`;
    expect((await world.ana.call('PUT', path, { tag: 'gone soon' })).status).toBe(200);
    expect((await world.ana.call('DELETE', path, { tag: 'gone soon' })).status).toBe(200);
  });

  it('HTTP-4 a path may end with a slash', async () => {
    expect((await fetch(api(`/guides/${world.belt.guideid}/`))).status).toBe(200);
    expect((await fetch(api('/guides/?limit=1'))).status).toBe(200);
  });

  it('HTTP-5 a body that is too large is 422', async () => {
    const answer = await world.ana.call('POST', '/guides', {
      ...newGuide,
      summary: 'x'.repeat(3 * 1024 * 1024),
    });
    expect(answer.status).toBe(422);
  });

  it('HTTP-6 an invalid id matches nothing', async () => {
    for (const id of ['abc', '0', '-1', '1.5', '99999999999999999999'])
      expect([id, (await fetch(api(`/guides/${id}`))).status]).toEqual([id, 404]);
  });

  it('HTTP-7 the token is sent with the scheme api or Bearer, and no other', async () => {
    const status = async (authorization: string): Promise<number> =>
      (await fetch(api('/user'), { headers: { Authorization: authorization } })).status;
    expect(await status(`api ${world.ana.token}`)).toBe(200);
    expect(await status(`Bearer ${world.ana.token}`)).toBe(200);
    for (const bad of [world.ana.token, 'api nonsense', 'api', `Basic ${world.ana.token}`])
      expect(await status(bad)).toBe(401);
    const open = await fetch(api('/guides'), { headers: { Authorization: 'api nonsense' } });
    expect([open.status, await open.json()]).toMatchObject([401, { message: 'Invalid login' }]);
  });
});

describe('answers', () => {
  it('HTTP-8 ?pretty makes a response readable and otherwise changes nothing', async () => {
    for (const query of ['pretty', 'pretty=1', 'pretty=true']) {
      const text = await (await fetch(api(`/guides?${query}`))).text();
      expect(text.split('\n').length).toBeGreaterThan(20);
      expect(JSON.parse(text)).toEqual(await (await fetch(api('/guides'))).json());
    }
    const refused = await (await fetch(api('/guides/999999?pretty'))).text();
    expect(refused.split('\n').length).toBeGreaterThan(3);
  });

  it('HTTP-9 HEAD returns the headers of GET without a body', async () => {
    const head = await fetch(api(`/guides/${world.belt.guideid}`), { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('HTTP-10 an unsupported verb is 405 and Allow names the supported ones', async () => {
    const allow = async (method: string, path: string): Promise<[number, string | null]> => {
      const answer = await world.ana.call(method, path);
      return [answer.status, answer.headers.get('allow')];
    };
    expect(await allow('PUT', '/guides')).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    expect(await allow('POST', `/guides/${world.belt.guideid}/public`)).toEqual([
      405,
      'DELETE, OPTIONS, PUT',
    ]);
    expect(await allow('DELETE', '/tags')).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await allow('GET', '/nowhere')).toEqual([404, null]);
  });

  it('HTTP-12 refusals contain error and message, and a 422 names the fields', async () => {
    const answer = await world.ana.call('POST', '/guides', {
      ...newGuide,
      colour: 'red',
      steps: [{ lines: [{ text: 1 }] }],
    });
    expect(answer).toMatchObject({ status: 422, body: { error: true } });
    const { message, msg, errors } = answer.body as {
      message: string;
      msg: string;
      errors: { field: string }[];
    };
    expect(msg).toBe(message);
    expect(errors.map((one) => one.field)).toEqual(
      expect.arrayContaining(['colour', 'steps.0.lines.0.text']),
    );
  });

  it('HTTP-13 pages of an origin that the site lists may read responses', async () => {
    await changeSite(server.services, { cors_origins: ['https://other.example'] });
    const preflight = await fetch(api('/guides'), {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://other.example',
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'authorization,idempotency-key,if-match,x-app-id',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://other.example');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('idempotency-key');
  });
});

describe('lists', () => {
  it('HTTP-14 a limit above 200 is clamped; one below 1 or not a number is refused', async () => {
    expect((await fetch(api('/guides?limit=100000'))).status).toBe(200);
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=x',
      'limit=',
      'limit=1.5',
      'offset=-1',
      'offset=x',
      'order=up',
      'filter=cooking',
      'modifiedSince=x',
      'guideids=a,b',
    ])
      expect([query, (await fetch(api(`/guides?${query}`))).status]).toEqual([query, 422]);
  });

  it('HTTP-15 unknown query parameters are ignored', async () => {
    expect((await fetch(api('/guides?nonsense=1&lang=de'))).status).toBe(200);
  });

  it('HTTP-16 lists are cut by offset and limit, ordered by guideid, and filtered', async () => {
    const ids = async (query: string): Promise<number[]> =>
      ((await (await fetch(api(`/guides?limit=200&${query}`))).json()) as { guideid: number }[]).map(
        (one) => one.guideid,
      );
    const second = await world.ana.client.guides.create({
      body: { ...newGuide, type: 'teardown', public: true },
    });
    const all = await ids('');
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect(await ids('order=DESC')).toEqual(all.toReversed());
    expect(await ids('limit=1&offset=1')).toEqual(all.slice(1, 2));
    expect(await ids('filter=teardown')).toEqual([second.guideid]);
    expect(await ids('filter=teardown,replacement')).toEqual([world.belt.guideid, second.guideid]);
    expect(await ids(`guideids=${second.guideid},${world.lockout.guideid},999999&filter=repair`)).toEqual([
      second.guideid,
    ]);
    expect(await ids(`modifiedSince=${second.modified_date + 10}`)).toEqual([]);
  });
});

describe('Idempotency-Key', () => {
  const key = (name: string): Record<string, string> => ({ 'Idempotency-Key': name });
  const titled = async (title: string): Promise<number> => {
    const list = (await world.ana.call('GET', '/user/guides?limit=200')).body as Guide[];
    return list.filter((one) => one.title === title).length;
  };

  it('IDEMPOTENCY-1 a repeated call gets the same status with the record as it is now', async () => {
    const body = { ...newGuide, title: 'Once' };
    const first = await world.ana.call('POST', '/guides', body, key('key-once-1'));
    const made = first.body as Guide;
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    await world.ana.call('PATCH', `/guides/${made.guideid}?revisionid=${made.revisionid}`, {
      summary: 'Later',
    });
    const again = await world.ana.call('POST', '/guides', body, key('key-once-1'));
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toMatchObject({ guideid: made.guideid, summary: 'Later' });
    expect(await titled('Once')).toBe(1);
  });

  it('IDEMPOTENCY-2 a key is refused for another request', async () => {
    await world.ana.call('POST', '/guides', { ...newGuide, title: 'First' }, key('key-other-1'));
    const other = await world.ana.call(
      'POST',
      '/guides',
      { ...newGuide, title: 'Second' },
      key('key-other-1'),
    );
    expect(other.status).toBe(422);
    expect(
      (await world.ana.call('PUT', `/guides/${world.belt.guideid}/completed`, undefined, key('key-other-1')))
        .status,
    ).toBe(422);
    expect(await titled('Second')).toBe(0);
  });

  it('IDEMPOTENCY-3 a key belongs to a person', async () => {
    const body = { ...newGuide, title: 'Same key' };
    const ana = await world.ana.call('POST', '/guides', body, key('key-shared-1'));
    const ben = await world.ben.call('POST', '/guides', body, key('key-shared-1'));
    expect((ana.body as Guide).guideid).not.toBe((ben.body as Guide).guideid);
  });

  it('IDEMPOTENCY-4 a refused call is not remembered', async () => {
    expect(
      (await world.ana.call('POST', '/guides', { ...newGuide, type: 'cooking' }, key('key-refused-1')))
        .status,
    ).toBe(422);
    expect(
      (await world.ana.call('POST', '/guides', { ...newGuide, title: 'Mended' }, key('key-refused-1')))
        .status,
    ).toBe(201);
  });

  it('IDEMPOTENCY-5 concurrent duplicates take effect once', async () => {
    const body = { ...newGuide, title: 'Concurrent' };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => world.ana.call('POST', '/guides', body, key('key-concurrent-1'))),
    );
    expect(answers.map((one) => one.status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map((one) => (one.body as Guide).guideid)).size).toBe(1);
    expect(await titled('Concurrent')).toBe(1);
  });

  it('IDEMPOTENCY-6 a repeated call is checked against current permissions: 404 once the record is invisible', async () => {
    const path = `/guides/${world.belt.guideid}/tag`;
    expect((await world.otto.call('PUT', path, { tag: 'mine' }, key('key-permission-1'))).status).toBe(200);
    const { revisionid } = (await world.ana.call('GET', `/guides/${world.belt.guideid}`)).body as Guide;
    const hidden = (
      await world.ana.call('DELETE', `/guides/${world.belt.guideid}/public?revisionid=${revisionid}`)
    ).body as Guide;
    expect((await world.otto.call('PUT', path, { tag: 'mine' }, key('key-permission-1'))).status).toBe(404);
    await world.ana.call('PUT', `/guides/${world.belt.guideid}/public?revisionid=${hidden.revisionid}`);
    expect((await world.otto.call('PUT', path, { tag: 'mine' }, key('key-permission-1'))).status).toBe(200);
  });

  it('IDEMPOTENCY-7 calls without a response body and calls on profiles can be repeated too', async () => {
    const path = `/user/favorites/guides/${world.belt.guideid}`;
    expect((await world.maria.call('PUT', path, undefined, key('key-favorite-1'))).status).toBe(204);
    await world.maria.call('DELETE', path);
    expect((await world.maria.call('PUT', path, undefined, key('key-favorite-1'))).status).toBe(204);
    expect((await world.maria.call('GET', '/user/favorites/guides')).body).toEqual([]);
    const profile = `/users/${world.maria.userid}`;
    const first = await world.maria.call('PATCH', profile, { location: 'Line B' }, key('key-profile-1'));
    const again = await world.maria.call('PATCH', profile, { location: 'Line B' }, key('key-profile-1'));
    expect(again).toMatchObject({ status: 200, body: first.body });
  });

  it('IDEMPOTENCY-8 a key has 8 to 64 letters, digits, dashes or underscores', async () => {
    for (const bad of ['short', 'x'.repeat(65), 'with space in it'])
      expect((await world.ana.call('POST', '/guides', newGuide, key(bad))).status).toBe(422);
  });
});
