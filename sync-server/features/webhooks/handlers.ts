import { webhooks } from '#shared/api/webhooks.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import {
  changeSecret,
  checkAddress,
  createWebhook,
  editWebhook,
  listDeliveries,
  listWebhooks,
  mustFindDelivery,
  mustFindWebhook,
  removeWebhook,
  replayDead,
  replayDelivery,
  testWebhook,
} from './store.ts';

async function mustExist({ params }: { params: { webhookid: number } }, ctx: Context): Promise<void> {
  await mustFindWebhook(ctx.db, params.webhookid);
}

/**
 * - WEBHOOK-1 Only administrators manage webhooks. A secret is in the answer that created it, with the webhook or as a
 *   replacement, and never again. Every later attempt is signed with it.
 * - WEBHOOK-2 A webhook can be changed and deleted. Refusals have the order of the API.
 */
export const webhookHandlers = handle(
  webhooks,
  {
    list: (_, ctx) => listWebhooks(ctx.db),
    create: async ({ body }, ctx) => {
      await checkAddress(ctx.services, body.url);
      return ctx.write((write) => createWebhook(write, body));
    },
    read: ({ params }, ctx) => mustFindWebhook(ctx.db, params.webhookid),
    patch: {
      allow: mustExist,
      run: async ({ params, body }, ctx) => {
        await checkAddress(ctx.services, body.url);
        return ctx.write((write) => editWebhook(write, params.webhookid, body));
      },
    },
    remove: { allow: mustExist, run: ({ params }, ctx) => removeWebhook(ctx, params.webhookid) },
    secret: { allow: mustExist, run: ({ params }, ctx) => changeSecret(ctx, params.webhookid) },
    test: { allow: mustExist, run: ({ params }, ctx) => testWebhook(ctx, params.webhookid) },
    deliveries: {
      allow: mustExist,
      run: ({ params, query }, ctx) => listDeliveries(ctx, params.webhookid, query),
    },
    replay: {
      allow: async ({ params }, ctx) =>
        void (await mustFindDelivery(ctx.db, params.deliveryid, params.webhookid)),
      run: ({ params }, ctx) => replayDelivery(ctx, params.deliveryid),
    },
    replayDead: {
      allow: mustExist,
      run: async ({ params }, ctx) => {
        const replayed = await replayDead(ctx, params.webhookid);
        return ctx.respondWithRecord('replayed', replayed, { replayed });
      },
    },
  },
  {
    webhook: (ctx, id) => mustFindWebhook(ctx.db, Number(id)),
    // The number of deliveries that the call restarted.
    replayed: (_ctx, id) => ({ replayed: Number(id) }),
    delivery: (ctx, id) => mustFindDelivery(ctx.db, Number(id)),
  },
);
