import { signOn } from '#shared/api/sign-on.ts';
import { site } from '#shared/api/site.ts';
import { users } from '#shared/api/users.ts';
import { webhooks } from '#shared/api/webhooks.ts';

import type { Core } from '../account/core.ts';
import type { SiteActions } from '../api/site.ts';
import { proofSender } from './proofs.ts';
import { serverClient } from './server-client.ts';

const tables = { signOn, site, users, webhooks };

/** Actions on site settings and webhooks. They go to the server directly; nothing is stored on the device. */
export function siteActions({
  sources: { core },
}: {
  sources: { core: Pick<Core, 'request'> };
}): SiteActions {
  const client = serverClient(core, tables);
  const prove = proofSender(client);
  return {
    readSite: () => client.site.read({}),
    changeSite: (edit, proof) =>
      proof === undefined
        ? client.site.patch({ body: edit })
        : prove(proof, (fields) => client.site.patch({ body: { ...edit, ...fields } })),
    async readSsoUserid(userid) {
      return (await client.users.read({ params: { userid } })).sso_userid ?? null;
    },
    async changeSsoUserid(userid, sso_userid, proof) {
      const changed = await prove(proof, (fields) =>
        client.users.patch({ params: { userid }, body: { sso_userid, ...fields } }),
      );
      return changed.sso_userid ?? null;
    },
    readStatus: () => client.site.status({}),
    listAppIds: () => client.site.appIds({}),
    issueAppId: (name) => client.site.issueAppId({ body: { name } }),
    async revokeAppId(appid) {
      await client.site.revokeAppId({ params: { appid } });
    },
    listWebhooks: () => client.webhooks.list({}),
    addWebhook: (url, events, description) => client.webhooks.create({ body: { url, events, description } }),
    changeWebhook: (webhookid, edit) => client.webhooks.patch({ params: { webhookid }, body: edit }),
    async removeWebhook(webhookid) {
      await client.webhooks.remove({ params: { webhookid } });
    },
    async testWebhook(webhookid) {
      await client.webhooks.test({ params: { webhookid } });
    },
    async replayWebhook(webhookid) {
      return (await client.webhooks.replayDead({ params: { webhookid } })).replayed;
    },
  };
}
