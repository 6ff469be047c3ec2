import { describe, expect, it } from 'vitest';

import { changeSite } from '#server/core/site.ts';

import { api, newGuide, server, world } from './world.ts';

/** Answers and lists. */
export function testAnswers(): void {
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
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
        'idempotency-key',
      );
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
}
