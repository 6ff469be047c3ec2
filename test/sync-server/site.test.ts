import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { serverStatus, siteInfo, type ServerStatus } from '#shared/model/site.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import { changeSite } from '#server/core/site.ts';
import { changeBackupState } from '#server/features/backup/state.ts';
import { soon } from '#test/support/soon.ts';
import { openTestServices } from '#test/support/test-services.ts';

import { startSite, type SiteWorld } from './site-world.ts';

let server: SiteWorld['server'];
let admin: SiteWorld['admin'];
let ana: SiteWorld['ana'];
let clock: SiteWorld['clock'];
let read: SiteWorld['read'];

beforeAll(async () => {
  ({ server, admin, ana, clock, read } = await startSite());
});
afterAll(() => server[Symbol.asyncDispose]());

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
    const other = await openTestServices({ dataDir: server.dataDir });
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
