import { createClient } from '#shared/api/client.ts';
import { site } from '#shared/api/site.ts';
import { webhooks } from '#shared/api/webhooks.ts';

import type { SiteActions } from '../site-api.ts';
import type { ActionContext } from './calls.ts';
import { serverFetch } from './server-client.ts';

const tables = { site, webhooks };

/** Settings and webhooks are the server's alone: nothing of them is kept on the device. */
export function siteActions({ sources: { core } }: ActionContext): SiteActions {
  const client = createClient(tables, { baseUrl: '', fetch: serverFetch(core) });
  return {
    readSite: () => client.site.read({}),
    changeSite: (edit) => client.site.patch({ body: edit }),
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
