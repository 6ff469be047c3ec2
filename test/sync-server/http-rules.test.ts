import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';

import { testAnswers } from './http-rules/answers.ts';
import { testIdempotency } from './http-rules/idempotency.ts';
import { api, endWorld, newGuide, rawRequest, startWorld, world } from './http-rules/world.ts';

// All tests share one server, because starting it takes longer than most of them.
beforeAll(startWorld);
afterAll(endWorld);

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
    const his = await world.ben.client.guides.create({ body: { ...newGuide, public: true } });
    const path = `/guides/${his.guideid}?revisionid=${his.revisionid}`;
    const author = { author: String(world.ana.userid) };
    expect((await world.ana.call('PATCH', path, author)).status).toBe(403);
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

testAnswers();

testIdempotency();
