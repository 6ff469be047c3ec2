import type { Kysely } from 'kysely';

import type { Tables } from '../tables.ts';

/** Old names of settings and their parts, with their names in the API. */
const renamed: Readonly<Record<string, string>> = {
  guideTypes: 'guide_types',
  publicRegistration: 'public_registration',
  supportUrl: 'support_url',
  requestsPerMinute: 'requests_per_minute',
  uploadMegabytes: 'upload_megabytes',
  uploadGigabytesPerDay: 'upload_gigabytes_per_day',
  passwordDays: 'password_days',
  signOn: 'sign_on',
  privateNetworks: 'private_networks',
  corsOrigins: 'cors_origins',
  auditSyslog: 'audit_syslog',
  auditTimestamp: 'audit_timestamp',
  apiKey: 'key',
  entryPoint: 'entry_point',
  idpIssuer: 'idp_issuer',
  signInName: 'sign_in_name',
  matchEmail: 'match_email',
  emailAttribute: 'email_attribute',
  createAccounts: 'create_accounts',
  nameAttribute: 'name_attribute',
};

/** Settings of the site are stored under their names in the API. */
export async function up(db: Kysely<Tables>): Promise<void> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', 'site').executeTakeFirst();
  if (row === undefined) return;
  const site: unknown = JSON.parse(row.value);
  await db
    .updateTable('meta')
    .set({ value: JSON.stringify(withNames(site)) })
    .where('name', '=', 'site')
    .execute();
}

function withNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [renamed[name] ?? name, withNames(inner)]),
  );
}
