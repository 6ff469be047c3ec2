import { describe, expect, it } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';

import { newGuide, world } from './world.ts';

/** Calls repeated with their key. */
export function testIdempotency(): void {
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
        (
          await world.ana.call(
            'PUT',
            `/guides/${world.belt.guideid}/completed`,
            undefined,
            key('key-other-1'),
          )
        ).status,
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
}
