import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { siteInfo } from '#shared/model/site.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import type { BatchResult, FeedRow } from '#shared/sync/wire.ts';
import { changeSite } from '#server/core/site.ts';
import { openServices } from '#server/features/open-services.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { changeBackupState } from '#server/features/backup/state.ts';
import { serverStatus, type ServerStatus } from '#shared/model/site.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
const logged: string[] = [];
let server: TestServer;
let admin: TestPerson;
let ana: TestPerson;

beforeAll(async () => {
  const resolve = async (): Promise<string[]> => ['93.184.215.14'];
  server = await startServer({ now: () => clock.now, log: memoryLog(logged), resolve });
  admin = await server.person('Mira', ['User', 'Admin']);
  ana = await server.person('Ana');
});
afterAll(() => server[Symbol.asyncDispose]());

const read = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(`${server.url}/api/2.0${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** The proof that the administrator changes what lets others in. */
const proof = { current_password: 'a long password' };

// The tests depend on each other: each continues with the settings of the previous ones.
describe('settings of the site', { shuffle: false }, () => {
  it('SITE-1 administrators read and change settings; omitted ones stay', async () => {
    expect((await read('/site')).status).toBe(401);
    expect((await ana.call('GET', '/site')).status).toBe(403);
    expect((await ana.call('PATCH', '/site', { nonsense: 1 })).status).toBe(403);
    expect((await admin.call('PATCH', '/site', { nonsense: 1 })).status).toBe(422);
    const edit = {
      title: 'Workshop guides',
      languages: ['en', 'de'],
      guide_types: ['repair', 'maintenance'],
      support_url: 'mailto:help@example.com',
      address: 'https://Guides.example.org/',
    };
    expect((await admin.call('PATCH', '/site', { ...edit, ...proof })).status).toBe(200);
    expect((await admin.call('GET', '/site')).body).toMatchObject({
      ...edit,
      address: 'https://guides.example.org',
      name: 'Benchbook',
      private: false,
      requests_per_minute: null,
    });
  });

  it('SITE-2 inconsistent settings are refused and change nothing', async () => {
    const before = (await admin.call('GET', '/site')).body;
    for (const edit of [
      { langid: 'fr' },
      { languages: [] },
      { languages: ['en', 'en'] },
      { guide_types: ['cooking'] },
      { address: 'https://guides.example.org/path' },
      { support_url: 'javascript:alert(1)' },
      { private_networks: ['192.168.1.1'] },
      { upload_megabytes: 81 },
      { address: null, smtp: { host: 'mail.example.org', from: 'a@example.org' } },
    ])
      expect((await admin.call('PATCH', '/site', edit)).status, JSON.stringify(edit)).toBe(422);
    expect((await admin.call('GET', '/site')).body).toEqual(before);
  });

  it('SITE-3 secrets are never sent, stay when omitted, and are removed with their host', async () => {
    const smtp = { host: 'mail.example.org', user: 'guides', from: 'guides@example.org' };
    const translation = { url: 'https://translate.example.org', key: 'canary-key' };
    const set = await admin.call('PATCH', '/site', {
      smtp: { ...smtp, password: 'canary-password' },
      translation,
      ...proof,
    });
    expect(JSON.stringify(set.body)).not.toContain('canary');
    expect(set.body).toMatchObject({
      smtp: { ...smtp, port: 587, tls: false, has_password: true },
      translation: { url: translation.url, has_key: true },
    });
    await admin.call('PATCH', '/site', { ...proof, smtp: { ...smtp, port: 25 } });
    expect(server.services.site.smtp).toMatchObject({ port: 25, password: 'canary-password' });
    await admin.call('PATCH', '/site', { ...proof, smtp: { ...smtp, host: 'elsewhere.example.org' } });
    expect(server.services.site.smtp).toMatchObject({ host: 'elsewhere.example.org', password: null });
    const none = await admin.call('PATCH', '/site', { ...proof, smtp: null, translation: null });
    expect(none.body).toMatchObject({ smtp: null, translation: null });
  });

  it('SITE-15 a translation provider must have a callable address', async () => {
    const translation = { url: 'http://127.0.0.1:4999' };
    const refused = await admin.call('PATCH', '/site', { title: 'No', translation });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'translation.url' }] } });
    const ownNetworks = { translation, private_networks: ['10.0.0.0/8'] };
    expect((await admin.call('PATCH', '/site', ownNetworks)).status).toBe(422);
    expect((await admin.call('GET', '/site')).body).toMatchObject({
      title: 'Workshop guides',
      translation: null,
      private_networks: [],
    });
    const allowed = { translation, private_networks: ['127.0.0.0/8'] };
    expect((await admin.call('PATCH', '/site', allowed)).status).toBe(200);
    expect((await admin.call('PATCH', '/site', { translation: null, private_networks: [] })).status).toBe(
      200,
    );
  });

  it('SITE-4 settings use the names of existing apps, in their three spellings', async () => {
    const info = await read('/sites/info');
    expect(siteInfo.parse(info.body)).toMatchObject({
      siteid: 1,
      name: 'Benchbook',
      domain: 'guides.example.org',
      title: 'Workshop guides',
      private: false,
      answers: false,
      authentication: { standard: true, 'public-registration': false, 'sign-on': false },
      'guide-types': { repair: { title: 'Repair', prompt: 'What is repaired?' } },
      'support-url': 'mailto:help@example.com',
    });
    expect((await read('/info')).body).toEqual(info.body);
    expect((await read('/sites?limit=1000')).body).toEqual([info.body]);
    expect((await read('/sites?offset=1')).body).toEqual([]);
  });

  it('SITE-5 settings that devices need reach them through the feed', async () => {
    const pull = async (): Promise<FeedRow[]> => {
      const response = await fetch(`${server.url}/sync/1/bootstrap`, {
        headers: { Authorization: `api ${ana.token}` },
      });
      const lines = (await response.text()).trim().split('\n');
      return lines.slice(1, -1).map((line) => JSON.parse(line) as FeedRow);
    };
    await admin.call('PATCH', '/site', { releases: true, description: 'For the grinders' });
    expect((await pull()).find((row) => row.id === 'site')?.doc).toMatchObject({
      guideTypes: ['repair', 'maintenance'],
      languages: ['en', 'de'],
      title: 'Workshop guides',
      description: 'For the grinders',
      releases: true,
      supportUrl: 'mailto:help@example.com',
    });
  });

  it('SITE-6 settings changed by another process are noticed while the server runs', async () => {
    const other = await openServices({ dataDir: server.dataDir });
    await changeSite(other, { name: 'Renamed elsewhere' });
    await other.storage[Symbol.asyncDispose]();
    await soon(async () => (await read('/info')).body['name']).toBe('Renamed elsewhere');
    await changeSite(server.services, { name: 'Benchbook' });
  });

  it('SITE-19 administrators read the state of the server, and nobody else does', async () => {
    expect((await read('/site/status')).status).toBe(401);
    expect((await ana.call('GET', '/site/status')).status).toBe(403);
    await changeBackupState(server.dataDir, {
      lastBackup: { at: clock.now - 3_600_000, name: 'x', findings: [], files: 1, bytes: 7 },
      lastProof: { at: clock.now, name: 'x', findings: ['A file is damaged.'] },
    });
    const status = (await admin.call('GET', '/site/status')).body as ServerStatus;
    expect(serverStatus.parse(status)).toEqual(status);
    expect(status.backup).toMatchObject({
      scheduled: false,
      last: { date: Math.floor(clock.now / 1000) - 3600, size: 7 },
      failed: null,
      proof: { findings: ['A file is damaged.'] },
    });
    expect(status.findings[0]).toMatchObject({ check: 'backup-proof', level: 'error' });
    expect(status.findings).toContainEqual(expect.objectContaining({ check: 'database', level: 'ok' }));
    expect(status.free_size).toBeGreaterThan(0);
  });

  it('SITE-7 a change with an idempotency key happens once and can be answered again', async () => {
    const headers = { 'Idempotency-Key': 'settings-once' };
    const first = await admin.call('PATCH', '/site', { description: 'Once' }, headers);
    await admin.call('PATCH', '/site', { description: 'Twice' });
    const again = await admin.call('PATCH', '/site', { description: 'Once' }, headers);
    expect([first.status, again.status, again.headers.get('Idempotency-Replayed')]).toEqual([
      200,
      200,
      'true',
    ]);
    expect(again.body).toMatchObject({ description: 'Twice' });
  });
});

describe('a private site', () => {
  it('SITE-8 strangers see only how to sign in', async () => {
    await changeSite(server.services, { private: true });
    for (const path of [
      '/guides',
      '/users',
      '/wikis/CATEGORY',
      '/categories',
      '/comments',
      `/users/${ana.userid}`,
    ])
      expect((await read(path)).status, path).toBe(401);
    for (const path of ['/sites/info', '/info', '/sites']) expect((await read(path)).status, path).toBe(200);
    expect((await read('/info')).body).toMatchObject({ private: true });
    expect((await ana.call('GET', '/guides')).status).toBe(200);
    await changeSite(server.services, { private: false });
    expect((await read('/guides')).status).toBe(200);
  });
});

describe('app ids', () => {
  it('SITE-9 app ids are issued, listed and revoked by administrators', async () => {
    expect((await ana.call('POST', '/site/app_ids', { name: 'Phones' })).status).toBe(403);
    const headers = { 'Idempotency-Key': 'issue-the-phones' };
    const issued = await admin.call('POST', '/site/app_ids', { name: 'Phones' }, headers);
    expect(issued.status).toBe(201);
    const { appid } = issued.body as { appid: string };
    expect(appid).toMatch(/^[0-9a-f]{32}$/);
    expect((await admin.call('POST', '/site/app_ids', { name: 'Phones' }, headers)).body).toEqual(
      issued.body,
    );
    expect((await admin.call('GET', '/site/app_ids')).body).toEqual([issued.body]);

    await changeSite(server.services, { public_registration: true });
    const signIn = (id?: string): Promise<number> =>
      fetch(`${server.url}/api/2.0/user/token`, {
        method: 'POST',
        ...(id === undefined ? {} : { headers: { 'X-App-Id': id } }),
        body: JSON.stringify({ email: 'ana@example.com', password: 'a long password' }),
      }).then((response) => response.status);
    expect([await signIn(), await signIn('other'), await signIn(appid)]).toEqual([422, 422, 201]);
    expect((await admin.call('DELETE', `/site/app_ids/${appid}`)).status).toBe(204);
    expect((await admin.call('DELETE', '/site/app_ids/unknown')).status).toBe(404);
    expect(await signIn(appid)).toBe(422);
    expect((await admin.call('GET', '/site/app_ids')).body).toMatchObject([
      { appid, revoked_date: Math.floor(clock.now / 1000) },
    ]);
    await changeSite(server.services, { public_registration: false });
    expect(await signIn()).toBe(201);
  });
});

describe('acting as another person', () => {
  it('SITE-10 is limited to administrators, ends after an hour in any case, and is logged', async () => {
    const act = (who: TestPerson, userid: number) => who.call('POST', '/user/token/impersonate', { userid });
    expect((await ana.call('POST', '/user/token/impersonate', {})).status).toBe(403);
    expect((await admin.call('POST', '/user/token/impersonate', {})).status).toBe(422);
    expect((await act(admin, 999_999)).status).toBe(404);
    const made = await act(admin, ana.userid);
    expect(made.status).toBe(201);
    const { authToken } = made.body as { authToken: string };
    const own = async (): Promise<{ status: number; body: unknown }> => {
      const response = await fetch(`${server.url}/api/2.0/user`, {
        headers: { Authorization: `api ${authToken}` },
      });
      return { status: response.status, body: await response.json() };
    };
    expect(await own()).toMatchObject({ status: 200, body: { userid: ana.userid } });
    const ofAna = `"impersonator":${admin.userid},"userid":${ana.userid}`;
    const told = logged.filter((line) => line.includes('acts as somebody else') && line.includes(ofAna));
    expect(told).toHaveLength(1);
    clock.now += 59 * 60_000;
    expect((await own()).status).toBe(200);
    clock.now += 2 * 60_000;
    expect((await own()).status).toBe(401);
  });

  it('SITE-11 does not lead to a third person, nor into a disabled account', async () => {
    const tom = await server.person('Tom');
    const made = await admin.call('POST', '/user/token/impersonate', { userid: tom.userid });
    const { authToken } = made.body as { authToken: string };
    const response = await fetch(`${server.url}/api/2.0/user/token/impersonate`, {
      method: 'POST',
      headers: { Authorization: `api ${authToken}` },
      body: JSON.stringify({ userid: ana.userid }),
    });
    expect(response.status).toBe(403);
    await admin.call('PATCH', `/users/${tom.userid}`, { enabled: false });
    expect((await admin.call('POST', '/user/token/impersonate', { userid: tom.userid })).status).toBe(422);
  });
});

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
