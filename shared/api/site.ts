import { z } from 'zod';

import { guideType } from '#shared/model/guide.ts';
import { appId, siteInfo, siteRecord } from '#shared/model/site.ts';

import { del, get, limit, offset, patch, post } from './endpoint.ts';
import { proof, proofFields } from './users.ts';

const langid = z.string().trim().min(2).max(10);
const webAddress = z.url({ protocol: /^https?$/, error: 'Must be an address such as https://example.org' });

const distinct = <T extends z.ZodType<string>>(item: T) =>
  z
    .array(item)
    .max(100)
    .refine((items) => new Set(items).size === items.length, 'Name each one once');

/** `https://guides.example.org`: scheme, host and port. */
const origin = webAddress
  .refine((text) => URL.parse(text)?.pathname === '/' && !/[?#]/.test(text), 'Leave out path and query')
  .transform((text) => new URL(text).origin);

/** Settings that change; absent ones stay. Of a secret: absent keeps it, null forgets it. */
export const siteEdit = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    title: z.string().trim().min(1).max(200),
    description: z.string().trim().max(2000),
    langid,
    languages: distinct(langid).min(1),
    guide_types: distinct(guideType).min(1),
    public_registration: z.boolean(),
    private: z.boolean(),
    releases: z.boolean(),
    compatibility: z.boolean(),
    support_url: z
      .url({ protocol: /^(?:https?|mailto)$/, error: 'Must be a web address or mailto:' })
      .max(2000)
      .nullable(),
    address: origin.nullable(),
    /** Per device, and per address without a token; null: 60,000 and 3,000. */
    requests_per_minute: z.int().min(1).max(1_000_000).nullable(),
    upload_megabytes: z.int().min(1).max(80),
    /** Total size of files that one person may send within a day. */
    upload_gigabytes_per_day: z.int().min(1).max(100_000),
    translation: z
      .strictObject({ url: webAddress.max(2000), key: z.string().max(1000).nullable().optional() })
      .nullable(),
    smtp: z
      .strictObject({
        host: z.string().trim().min(1).max(255),
        port: z.int().min(1).max(65_535).default(587),
        tls: z.boolean().default(false),
        user: z.string().max(320).nullable().default(null),
        password: z.string().max(1000).nullable().optional(),
        from: z.string().trim().min(3).max(320),
      })
      .nullable(),
    /** After so many days a password must be replaced. */
    password_days: z.int().min(1).max(3650).nullable(),
    /**
     * A SAML 2 identity provider for signatures, and for signing in where it has a `sign_in_name`. Certificates: PEM, each of
     * one that may sign; none of them is secret.
     */
    sign_on: z
      .strictObject({
        entry_point: webAddress.max(2000),
        certificates: distinct(z.string().trim().min(1).max(20_000)).min(1).max(5),
        issuer: z.string().trim().min(1).max(1000).nullable().default(null),
        idp_issuer: z.string().trim().min(1).max(1000).nullable().default(null),
        attribute: z.string().trim().min(1).max(300).nullable().default(null),
        sign_in_name: z.string().trim().min(1).max(60).nullable().default(null),
        match_email: z.boolean().default(false),
        email_attribute: z.string().trim().min(1).max(300).nullable().default(null),
        create_accounts: z.boolean().default(false),
        name_attribute: z.string().trim().min(1).max(300).nullable().default(null),
      })
      .nullable(),
    private_networks: distinct(z.string().max(64)),
    /** Origins of pages that may read answers in a browser (CORS); `any`: all may read what needs no sign-in. */
    cors_origins: distinct(z.string().trim().toLowerCase().max(300)),
  })
  .partial();
export type SiteEdit = z.output<typeof siteEdit>;

/** The same with a proof of the administrator, for another `address`, `smtp` or `sign_on`, and for opening registration: a person who can change these can sign in as anyone, or as a new person. */
const provedSiteEdit = siteEdit.extend(proof);

const newAppId = z.strictObject({ name: z.string().trim().min(1).max(100) });
const appIdPath = z.strictObject({ appid: z.string().min(1).max(64) });

/** What apps ask before anybody signs in, in the three spellings that they use (API facts 17, 22). */
export const sites = {
  info: get('/sites/info', {
    summary: 'Read what apps need to know of the site',
    access: 'public',
    result: siteInfo,
    extension: true,
  }),
  infoShort: get('/info', {
    summary: 'Read what apps need to know of the site, as older apps call it',
    access: 'public',
    result: siteInfo,
    extension: true,
  }),
  list: get('/sites', {
    summary: 'List the sites of this server: there is one',
    access: 'public',
    query: z.object({ limit, offset }),
    result: z.array(siteInfo),
    extension: true,
  }),
};

/** Settings and app ids, for administrators. */
export const site = {
  read: get('/site', {
    summary: 'Read the settings of the site',
    access: 'admin',
    result: siteRecord,
    extension: true,
  }),
  patch: patch('/site', {
    summary: 'Change settings of the site',
    access: 'admin',
    body: provedSiteEdit,
    proofs: proofFields,
    result: siteRecord,
    tagged: siteRecord,
    extension: true,
    transaction: 'handler',
  }),
  appIds: get('/site/app_ids', {
    summary: 'List the app ids that were issued',
    access: 'admin',
    result: z.array(appId),
    extension: true,
  }),
  issueAppId: post('/site/app_ids', {
    summary: 'Issue an app id',
    access: 'admin',
    status: 201,
    body: newAppId,
    result: appId,
    extension: true,
  }),
  revokeAppId: del('/site/app_ids/{appid}', {
    summary: 'Revoke an app id',
    access: 'admin',
    status: 204,
    params: appIdPath,
    extension: true,
  }),
};
