import type { SiteActions } from '#desktop/engine/api/site.ts';
import { invalid } from '#shared/api/problem.ts';
import { defaultSettings } from '#shared/model/site-settings.ts';
import { siteRecord, type AppId, type ServerStatus, type SiteRecord } from '#shared/model/site.ts';
import { webhook, type Webhook } from '#shared/model/webhook.ts';
import { must } from '#shared/must.ts';

import { mustProve } from './fixture-account.ts';

/** A site without any configuration. */
export const demoSite: SiteRecord = {
  ...defaultSettings,
  name: 'Workshop',
  title: 'Guides of the workshop',
  languages: ['en', 'de'],
  guide_types: ['repair', 'maintenance'],
  upload_megabytes: 40,
};

const demoWebhook: Webhook = {
  webhookid: 1,
  url: 'https://orders.example.org/hook',
  description: 'Order system',
  events: ['work_order.status_changed'],
  enabled: true,
  created_date: 1_750_000_000,
  waiting: 0,
  dead: 2,
};

const demoStatus: ServerStatus = {
  program: '0.1.0',
  started_date: 1_795_500_000,
  findings: [
    {
      check: 'backup-proof',
      level: 'warning',
      message: 'No backup has passed a restore test yet.',
      advice: 'Run "benchbook verify DIR", and look at what it says.',
    },
    { check: 'database', level: 'ok', message: 'No damage of the database was found.', advice: null },
    { check: 'disk', level: 'ok', message: 'The disk of the data folder has 212.0 GB free.', advice: null },
  ],
  backup: {
    scheduled: true,
    folder: '/mnt/backup',
    running: false,
    next_date: 1_795_748_400,
    last: { date: 1_795_575_600, findings: [], size: 1_204_000_000 },
    failed: { date: 1_795_662_000, findings: ['The disk of /mnt/backup is full.'] },
    proof: null,
  },
  devices: { connected: 14, current: 3, behind: 2, waiting: 1, oldest_seconds: 7200 },
  jobs: [{ kind: 'archive', state: 'running', count: 1 }],
  database_size: 48_000_000,
  free_size: 212_000_000_000,
  memory_size: 190_000_000,
};

/** Settings and webhooks of a server in the memory of the page. */
export function siteActions(): SiteActions {
  let site = demoSite;
  let hooks = [demoWebhook];
  let apps: AppId[] = [];
  let ssoUserid: string | null = 'old@corp';
  const change = (webhookid: number, edit: object): Webhook => {
    hooks = hooks.map((one) => (one.webhookid === webhookid ? webhook.parse({ ...one, ...edit }) : one));
    return must(
      hooks.find((one) => one.webhookid === webhookid),
      'the webhook',
    );
  };
  return {
    readSite: () => Promise.resolve(site),
    readStatus: () => Promise.resolve(demoStatus),
    async changeSite({ smtp, translation, ...edit }, proof) {
      const letsOthersIn =
        edit.address !== undefined && edit.address !== site.address
          ? true
          : smtp != null || edit.sign_on != null;
      if (letsOthersIn && proof === undefined)
        throw invalid('current_password', 'Enter your current password to change this');
      if (proof !== undefined) mustProve(proof);
      const changed = siteRecord.parse({
        ...site,
        ...edit,
        ...(smtp !== undefined && {
          smtp: smtp && withoutSecret(smtp, 'password', site.smtp?.has_password),
        }),
        ...(translation !== undefined && {
          translation: translation && withoutSecret(translation, 'key', site.translation?.has_key),
        }),
      });
      if (changed.sign_on?.certificates.some((one) => one.includes('broken')) === true)
        throw invalid('sign_on.certificates', 'Must be an X.509 certificate of an RSA key, in PEM', 0);
      if (changed.sign_on !== null && changed.address === null)
        throw invalid('address', 'The identity provider answers to the address of the site');
      site = changed;
      return site;
    },
    readSsoUserid: async () => ssoUserid,
    async changeSsoUserid(_userid, changed, proof) {
      mustProve(proof);
      if (changed === 'taken@corp')
        throw invalid('sso_userid', 'This single sign-on id belongs to another account, or did');
      ssoUserid = changed;
      return ssoUserid;
    },
    listAppIds: () => Promise.resolve(apps),
    async issueAppId(name) {
      const made = { appid: `app-${apps.length + 1}`, name, created_date: 1_750_000_000, revoked_date: null };
      apps = [...apps, made];
      return made;
    },
    async revokeAppId(appid) {
      apps = apps.map((one) => (one.appid === appid ? { ...one, revoked_date: 1_760_000_000 } : one));
    },
    listWebhooks: () => Promise.resolve(hooks),
    async addWebhook(url, events, description) {
      const made = { ...demoWebhook, webhookid: hooks.length + 1, url, events, description, dead: 0 };
      hooks = [...hooks, made];
      return { ...made, secret: 'whsec-3141592653' };
    },
    changeWebhook: async (webhookid, edit) => change(webhookid, edit),
    async removeWebhook(webhookid) {
      hooks = hooks.filter((one) => one.webhookid !== webhookid);
    },
    async testWebhook(webhookid) {
      change(webhookid, { waiting: 1 });
    },
    async replayWebhook(webhookid) {
      change(webhookid, { dead: 0 });
      return 2;
    },
  };
}

/** The server only says whether a secret exists. */
function withoutSecret<Name extends string>(
  setting: { [name in Name]?: string | null | undefined } & object,
  name: Name,
  had = false,
): object {
  const { [name]: secret, ...rest } = setting;
  return { ...rest, [`has_${name}`]: secret === undefined ? had : secret !== null };
}
