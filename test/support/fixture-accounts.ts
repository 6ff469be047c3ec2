import type { AccountAdminActions } from '#desktop/engine/api/accounts.ts';
import { conflict, invalid } from '#shared/api/problem.ts';
import type { Account, SiteSession } from '#shared/model/account.ts';
import type { SiteJob } from '#shared/model/site.ts';
import type { WebhookDelivery } from '#shared/model/webhook.ts';
import { must } from '#shared/must.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import { mustProve } from './fixture-account.ts';

const hour = 3600;
/** About the time of the demo. */
const now = Math.floor(Date.parse('2026-05-04T12:00:00Z') / 1000);

const blank: Omit<Account, 'userid' | 'username'> = {
  unique_username: null,
  privileges: ['User'],
  teams: [],
  enabled: true,
  join_date: now - 400 * 24 * hour,
  seen_date: null,
  sessions: 0,
  langid: 'en',
  has_email: true,
  can_sign_in: true,
  invited_until: null,
};

const demoAccounts: Account[] = [
  {
    ...blank,
    userid: 9101,
    username: 'Ana Ruiz',
    privileges: ['User', 'Admin'],
    teams: [3],
    seen_date: now,
    sessions: 2,
  },
  {
    ...blank,
    userid: 9102,
    username: 'Ben Okafor',
    privileges: ['User', 'Author'],
    teams: [3],
    seen_date: now - 26 * hour,
    sessions: 1,
  },
  { ...blank, userid: 9103, username: 'Chloé Martin', can_sign_in: false, invited_until: 1_900_000_000 },
  { ...blank, userid: 9104, username: 'Dariusz Nowak', can_sign_in: false, has_email: false },
  { ...blank, userid: 9105, username: 'Emre Yıldız', enabled: false, seen_date: null },
  {
    ...blank,
    userid: 9106,
    username: 'Line 2 kiosk',
    privileges: ['User', 'Kiosk'],
    seen_date: now - hour,
    sessions: 1,
  },
];

const session: SiteSession = {
  sessionid: 'here',
  userid: 9101,
  username: 'Ana Ruiz',
  device: 'Benchbook on Linux',
  address: '192.0.2.7',
  created_date: now - 40 * 24 * hour,
  used_date: now,
  expires_date: now + 90 * 24 * hour,
  is_current: true,
  is_connected: true,
  impersonator: null,
};

const demoSessions: SiteSession[] = [
  session,
  {
    ...session,
    sessionid: 'ben',
    userid: 9102,
    username: 'Ben Okafor',
    device: 'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1',
    address: '2001:db8:0:7::42',
    used_date: now - 26 * hour,
    is_current: false,
    is_connected: false,
  },
  {
    ...session,
    sessionid: 'kiosk',
    userid: 9106,
    username: 'Line 2 kiosk',
    device: 'Benchbook on Windows',
    used_date: now - hour,
    is_current: false,
  },
];

const job: SiteJob = {
  jobid: 12,
  kind: 'archive',
  state: 'running',
  userid: 9101,
  username: 'Ana Ruiz',
  done: 30,
  of: 120,
  error: null,
  created_date: now - 120,
  finished_date: null,
};

const demoJobs: SiteJob[] = [
  job,
  { ...job, jobid: 11, kind: 'training-import', state: 'done', done: 1, of: 1, finished_date: now - hour },
  {
    ...job,
    jobid: 10,
    kind: 'archive',
    state: 'failed',
    error: 'The disk of the server is full',
    userid: null,
    username: null,
    finished_date: now - 30 * hour,
  },
];

const delivery: WebhookDelivery = {
  deliveryid: 71,
  eventid: 'e-71',
  event: 'work_order.status_changed',
  status: 'dead',
  attempts: 12,
  next_date: null,
  last_status: 503,
  last_error: null,
  last_date: now - hour,
  created_date: now - 30 * hour,
};

const demoDeliveries: WebhookDelivery[] = [
  delivery,
  {
    ...delivery,
    deliveryid: 70,
    last_status: null,
    last_error: 'getaddrinfo ENOTFOUND orders.example.org',
  },
  { ...delivery, deliveryid: 69, status: 'delivered', attempts: 1, last_status: 204 },
];

/** The administration of people, sessions and jobs in the memory of the page. */
export function accountAdminFixture(): AccountAdminActions {
  let all = demoAccounts;
  let sessions = demoSessions;
  let deliveries = demoDeliveries;
  const change = (userid: number, edit: Partial<Account>) => {
    all = all.map((one) => (one.userid === userid ? { ...one, ...edit } : one));
  };
  return {
    listAccounts: () => Promise.resolve(all),
    async createAccount({ username, email }, proof) {
      mustProve(proof);
      if (email.startsWith('taken'))
        throw invalid('email', 'This e-mail address has an account already, or had one');
      const userid = 9200 + all.length;
      all = [...all, { ...blank, userid, username, can_sign_in: false, join_date: now }];
      return userid;
    },
    async inviteAccount(userid, by, proof) {
      mustProve(proof);
      const until_date = 1_900_000_000;
      change(userid, { invited_until: until_date });
      return { code: by === 'code' ? '7Q4XM-R2KD9' : null, until_date };
    },
    async changeAccount(userid, { privileges, teams, enabled, langid }, { proof, seen } = {}) {
      const before = must(
        all.find((one) => one.userid === userid),
        'the account',
      );
      if (
        privileges?.includes('Admin') === true &&
        !before.privileges.includes('Admin') &&
        proof === undefined
      )
        throw invalid('current_password', 'Enter your current password to change this');
      if (proof !== undefined) mustProve(proof);
      if (seen !== undefined && !sameValue([seen.privileges, seen.teams], [before.privileges, before.teams]))
        throw conflict(before);
      change(userid, {
        ...(privileges === undefined ? {} : { privileges: [...new Set(['User', ...privileges])] }),
        ...(teams === undefined ? {} : { teams }),
        ...(langid === undefined ? {} : { langid }),
        ...(enabled === undefined ? {} : { enabled, ...(enabled ? {} : { sessions: 0, seen_date: null }) }),
      });
    },
    listSiteSessions: async (most) => ({
      sessions: sessions.slice(0, most),
      more: sessions.length > most,
    }),
    async endAllSessions() {
      sessions = sessions.filter(({ is_current }) => is_current);
    },
    listJobs: () => Promise.resolve(demoJobs),
    async makeBackup() {
      // The state of the fixture's server says nothing of it.
    },
    async sendTestMail() {
      throw invalid('smtp', 'The mail server did not take it: Invalid login: 535 Refused');
    },
    listDeliveries: () => Promise.resolve(deliveries),
    async replayDelivery(_webhookid, deliveryid) {
      const found = must(
        deliveries.find((one) => one.deliveryid === deliveryid),
        'the delivery',
      );
      const waiting: WebhookDelivery = { ...found, status: 'waiting', next_date: now, attempts: 0 };
      deliveries = deliveries.map((one) => (one === found ? waiting : one));
    },
    async redeemCode(_server, code) {
      if (code !== '7Q4XM-R2KD9')
        throw invalid('code', 'This code is wrong, used or too old. Ask an administrator for a new one');
      return 'chloe@example.com';
    },
  };
}
