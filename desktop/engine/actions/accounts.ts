import { accounts } from '#shared/api/accounts.ts';
import { signOn } from '#shared/api/sign-on.ts';
import { site } from '#shared/api/site.ts';
import { users } from '#shared/api/users.ts';
import { webhooks } from '#shared/api/webhooks.ts';

import { serverAddress } from '../account/sign-in-request.ts';
import type { AccountAdminActions } from '../api/accounts.ts';
import type { ActionContext } from '../features/action-context.ts';
import { proofSender } from './proofs.ts';
import { directClient, serverClient } from './server-client.ts';
import { writeUnchanged } from './unchanged.ts';

/** The largest page of a list. */
const pageSize = 200;
/** Deliveries that a screen shows. */
const mostDeliveries = 50;

/** Administration of people, sessions and jobs. It goes to the server directly; nothing is stored on the device. */
export function accountAdminActions({ sources: { core } }: ActionContext): AccountAdminActions {
  const client = serverClient(core, { accounts, signOn, site, users, webhooks });
  const prove = proofSender(client);
  return {
    listAccounts: () => allPages((query) => client.accounts.list({ query }), Infinity),
    async createAccount(person, proof) {
      const made = await prove(proof, (fields) => client.users.register({ body: { ...person, ...fields } }));
      return made.userid;
    },
    inviteAccount: (userid, by, proof) =>
      prove(proof, (fields) => client.accounts.invite({ params: { userid }, body: { by, ...fields } })),
    async changeAccount(userid, edit, { proof, seen } = {}) {
      const params = { userid };
      const change = (options: { ifMatch?: string } = {}) =>
        proof === undefined
          ? client.users.patch({ params, body: edit }, options)
          : prove(proof, (fields) => client.users.patch({ params, body: { ...edit, ...fields } }, options));
      if (seen === undefined) await change();
      else
        await writeUnchanged(core, {
          endpoint: users.read,
          args: { params },
          isAsSeen: (now) => isSameSet(now.privileges, seen.privileges) && isSameSet(now.teams, seen.teams),
          write: change,
        });
    },
    async listSiteSessions(most) {
      const found = await allPages((query) => client.accounts.sessions({ query }), most + 1);
      return { sessions: found.slice(0, most), more: found.length > most };
    },
    async endAllSessions() {
      await client.accounts.endSessions({});
    },
    listJobs: () => client.site.jobs({ query: { limit: pageSize } }),
    async makeBackup() {
      await client.site.backUp({});
    },
    async sendTestMail() {
      await client.site.testMail({});
    },
    listDeliveries: (webhookid) =>
      client.webhooks.deliveries({ params: { webhookid }, query: { limit: mostDeliveries } }),
    async replayDelivery(webhookid, deliveryid) {
      await client.webhooks.replay({ params: { webhookid, deliveryid } });
    },
    async redeemCode(server, code, password) {
      const anybody = directClient(core.environment, serverAddress(server), { accounts });
      return (await anybody.accounts.redeem({ body: { code, password } })).email;
    },
  };
}

function isSameSet<T>(one: readonly T[], other: readonly T[]): boolean {
  return new Set([...one, ...other]).size === new Set(one).size && one.every((item) => other.includes(item));
}

/** At most `most` records of a list, page by page. */
async function allPages<T>(
  read: (page: { limit: number; offset: number }) => Promise<T[]>,
  most: number,
): Promise<T[]> {
  const all: T[] = [];
  while (all.length < most) {
    const page = await read({ limit: pageSize, offset: all.length });
    all.push(...page);
    if (page.length < pageSize) break;
  }
  return all;
}
