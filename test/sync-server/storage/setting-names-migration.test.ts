import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { expect, test } from 'vitest';

import { loadSite } from '#server/core/site.ts';
import { defaultSite } from '#server/core/site-settings.ts';
import { up } from '#server/storage/migrations/051-setting-names.ts';
import type { Tables } from '#server/storage/tables.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** Settings in a database of schema 50. */
const before = {
  name: 'Workshop',
  guideTypes: ['repair'],
  publicRegistration: true,
  supportUrl: 'mailto:help@example.org',
  address: 'https://guides.example.org',
  requestsPerMinute: 600,
  uploadMegabytes: 40,
  uploadGigabytesPerDay: 7,
  passwordDays: 90,
  translation: { url: 'https://translate.example.org', apiKey: 'a key' },
  smtp: { host: 'mail', port: 25, tls: false, user: null, password: 'secret', from: 'a@example.org' },
  signOn: {
    entryPoint: 'https://id.example.org',
    certificates: ['one'],
    issuer: null,
    idpIssuer: 'corp',
    attribute: null,
    signInName: 'Corp',
    matchEmail: true,
  },
  privateNetworks: ['10.0.0.0/8'],
  auditSyslog: { transport: 'tls', host: 'log', port: 6514, certificates: [], private: false },
  auditTimestamp: { url: 'https://stamp.example.org', certificates: ['two'], private: true },
  corsOrigins: ['any'],
};

test('STORAGE-32 settings of an older database are read under their API names', async () => {
  await using folder = await temporaryFolder('setting-names');
  const made = await startServer({ dataDir: folder.path });
  await made[Symbol.asyncDispose]();
  const raw = new BetterSqlite3(`${folder.path}/benchbook.sqlite`);
  raw.prepare(`INSERT INTO meta VALUES ('site', ?)`).run(JSON.stringify(before));
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: raw }) });
  await up(db);
  await db.destroy();
  await using server = await startServer({ dataDir: folder.path });
  const site = await loadSite(server.services.storage.reader);
  expect(site).toEqual({
    ...defaultSite,
    name: 'Workshop',
    guide_types: ['repair'],
    public_registration: true,
    support_url: 'mailto:help@example.org',
    address: 'https://guides.example.org',
    requests_per_minute: 600,
    upload_megabytes: 40,
    upload_gigabytes_per_day: 7,
    password_days: 90,
    translation: { url: 'https://translate.example.org', key: 'a key' },
    smtp: before.smtp,
    sign_on: {
      entry_point: 'https://id.example.org',
      certificates: ['one'],
      issuer: null,
      idp_issuer: 'corp',
      attribute: null,
      sign_in_name: 'Corp',
      match_email: true,
      email_attribute: null,
      create_accounts: false,
      name_attribute: null,
    },
    private_networks: ['10.0.0.0/8'],
    audit_syslog: before.auditSyslog,
    audit_timestamp: before.auditTimestamp,
    cors_origins: ['any'],
  });
});
