import { z } from 'zod';

import { editedSettings } from '#shared/model/site-settings.ts';
import { appId, serverStatus, siteInfo, siteJob, siteRecord } from '#shared/model/site.ts';

import { del, get, limit, offset, patch, post } from './endpoint.ts';
import { proof, proofFields } from './users.ts';

/** Settings to change; absent ones stay. A secret: absent keeps it, null clears it. */
export const siteEdit = z.strictObject(editedSettings).partial();
export type SiteEdit = z.output<typeof siteEdit>;

/**
 * The same with proof of the administrator's identity, which is required to change `address`, `smtp` or `sign_on` and
 * to open registration: whoever controls these can sign in as any person, or as a new one.
 */
const provedSiteEdit = siteEdit.extend(proof);

const newAppId = z.strictObject({ name: z.string().trim().min(1).max(100) });
const appIdPath = z.strictObject({ appid: z.string().min(1).max(64) });

/** What apps read before sign-in, in the three spellings that they use (as on live servers). */
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
  status: get('/site/status', {
    summary: 'Read the state of the server: checks, backups, devices, jobs, sizes',
    access: 'admin',
    result: serverStatus,
    extension: true,
  }),
  jobs: get('/site/jobs', {
    summary: 'List jobs, newest first',
    access: 'admin',
    query: z.object({ limit, offset }),
    result: z.array(siteJob),
    extension: true,
  }),
  // 422 without a folder for scheduled backups, and while a backup is being made.
  backUp: post('/site/backup', {
    summary: 'Make a backup now, in the folder of the scheduled backups',
    access: 'admin',
    status: 204,
    extension: true,
  }),
  // 422 with the words of the mail server if it refuses.
  testMail: post('/site/test_mail', {
    summary: 'Send a test mail to the caller, and wait until the mail server has taken it',
    access: 'admin',
    status: 204,
    extension: true,
    // A repeated call sends another mail.
    unstored: true,
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
