import { site } from '#shared/api/site.ts';
import { users } from '#shared/api/users.ts';
import { webhooks } from '#shared/api/webhooks.ts';

import type { Core } from '../core.ts';
import type { SiteActions } from '../site-api.ts';
import { serverClient } from './server-client.ts';

const tables = { site, users, webhooks };

/** Settings and webhooks are the server's alone: nothing of them is kept on the device. */
export function siteActions({
  sources: { core },
}: {
  sources: { core: Pick<Core, 'request'> };
}): SiteActions {
  const client = serverClient(core, tables);
  return {
    readSite: () => client.site.read({}),
    changeSite: (edit) => client.site.patch({ body: edit }),
    async readSsoUserid(userid) {
      return (await client.users.read({ params: { userid } })).sso_userid ?? null;
    },
    async changeSsoUserid(userid, sso_userid) {
      const changed = await client.users.patch({ params: { userid }, body: { sso_userid } });
      return changed.sso_userid ?? null;
    },
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
