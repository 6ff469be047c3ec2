import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import type { BatchResult } from '#shared/sync/wire.ts';
import { changeSite } from '#server/core/site.ts';

import { startSite, type SiteWorld } from './site-world.ts';

let server: SiteWorld['server'];
let admin: SiteWorld['admin'];
let ana: SiteWorld['ana'];
let clock: SiteWorld['clock'];

beforeAll(async () => {
  ({ server, admin, ana, clock } = await startSite());
});
afterAll(() => server[Symbol.asyncDispose]());

describe('limits', () => {
  afterEach(async () => {
    await changeSite(server.services, { requests_per_minute: null });
    clock.now += 60_000;
  });

  it('SITE-12 too many requests get 429 and a time to retry, for each person alone', async () => {
    expect((await ana.call('GET', '/user')).headers.get('RateLimit-Limit')).toBe('60000');
    clock.now += 60_000;
    await changeSite(server.services, { requests_per_minute: 3 });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await ana.call('GET', '/user')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ana.call('GET', '/user');
    expect(refused.body).toMatchObject({ error: true, message: expect.stringContaining('60 seconds') });
    expect(refused.headers.get('Retry-After')).toBe('60');
    expect(refused.headers.get('RateLimit-Remaining')).toBe('0');
    const other = await admin.call('GET', '/user');
    expect([
      other.status,
      other.headers.get('RateLimit-Limit'),
      other.headers.get('RateLimit-Remaining'),
    ]).toEqual([200, '3', '2']);
    clock.now += 60_000;
    expect((await ana.call('GET', '/user')).status).toBe(200);
  });

  it('SITE-13 the calls of a batch count one by one, and guessed tokens count for their address', async () => {
    await changeSite(server.services, { requests_per_minute: 3 });
    const calls = [1, 2, 3].map((number) => ({
      id: `limited-call-${number}`,
      lane: `lane ${number}`,
      method: 'PATCH',
      path: `/users/${ana.userid}`,
      body: { summary: `Number ${number}` },
    }));
    const response = await fetch(`${server.url}/sync/1/batch`, {
      method: 'POST',
      headers: { Authorization: `api ${ana.token}` },
      body: JSON.stringify({ protocol: unannouncedProtocol, calls }),
    });
    const lines = (await response.text()).trim().split('\n').slice(1);
    const results = lines.map((line) => JSON.parse(line) as BatchResult);
    expect(results.map((result) => result.status)).toEqual([200, 200, 429]);
    expect(results[2]?.headers['retry-after']).toBe('60');
    const guesses: number[] = [];
    for (let count = 0; count < 4; count += 1)
      guesses.push(
        (await fetch(`${server.url}/api/2.0/user`, { headers: { Authorization: `api guess-${count}` } }))
          .status,
      );
    expect(guesses).toEqual([401, 401, 401, 429]);
    await changeSite(server.services, { requests_per_minute: null });
    expect((await ana.call('GET', '/user')).status).toBe(200);
  });

  it('SITE-14 uploads are limited to the size that the site allows', async () => {
    await changeSite(server.services, { upload_megabytes: 1 });
    const upload = await fetch(`${server.url}/api/2.0/user/media/images?file=big.png`, {
      method: 'POST',
      headers: { Authorization: `api ${ana.token}` },
      body: new Uint8Array(1024 * 1024 + 1),
    });
    expect(upload.status).toBe(422);
    expect(await upload.json()).toMatchObject({
      errors: [{ field: 'body', message: 'A file on this site can have at most 1 MB' }],
    });
    await changeSite(server.services, { upload_megabytes: 80 });
  });
});
