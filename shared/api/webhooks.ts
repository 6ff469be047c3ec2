import { z } from 'zod';

import { deliveryStatus, webhook, webhookDelivery, webhookEvent } from '#shared/model/webhook.ts';

import { del, get, idText, limit, offset, patch, post } from './endpoint.ts';

const webhookId = z.strictObject({ webhookid: idText });
const deliveryId = z.strictObject({ webhookid: idText, deliveryid: idText });
const url = z.url({ protocol: /^https?$/, error: 'Must begin with https:// or http://' }).max(2000);
const events = z
  .array(webhookEvent)
  .min(1)
  .refine((names) => new Set(names).size === names.length, 'Name each event once');
const description = z.string().trim().max(200);

export const newWebhook = z.strictObject({
  url,
  events,
  description: description.default(''),
  enabled: z.boolean().default(true),
});
export type NewWebhook = z.output<typeof newWebhook>;

export const webhookEdit = z.strictObject({ url, events, description, enabled: z.boolean() }).partial();
export type WebhookEdit = z.output<typeof webhookEdit>;

const shared = {
  access: 'admin',
  extension: true,
  tag: { name: 'Webhooks', description: 'Events sent to other systems.' },
} as const;

/** Webhooks: addresses to which events are sent (extension). */
export const webhooks = {
  list: get('/webhooks', { summary: 'List the webhooks', ...shared, result: z.array(webhook) }),
  create: post('/webhooks', {
    summary: 'Add a webhook; its secret is in this answer only',
    ...shared,
    status: 201,
    body: newWebhook,
    result: webhook,
    transaction: 'handler',
  }),
  read: get('/webhooks/{webhookid}', {
    summary: 'Read a webhook',
    ...shared,
    params: webhookId,
    result: webhook,
  }),
  patch: patch('/webhooks/{webhookid}', {
    summary: 'Change a webhook',
    ...shared,
    params: webhookId,
    body: webhookEdit,
    result: webhook,
    tagged: webhook,
    transaction: 'handler',
  }),
  remove: del('/webhooks/{webhookid}', {
    summary: 'Delete a webhook and what waits for it',
    ...shared,
    status: 204,
    params: webhookId,
    tagged: webhook,
  }),
  secret: post('/webhooks/{webhookid}/secret', {
    summary: 'Give a webhook another secret; it is in this answer only',
    ...shared,
    params: webhookId,
    result: webhook,
  }),
  test: post('/webhooks/{webhookid}/test', {
    summary: 'Send a test event to a webhook',
    ...shared,
    status: 202,
    params: webhookId,
    result: webhookDelivery,
  }),
  deliveries: get('/webhooks/{webhookid}/deliveries', {
    summary: 'List what was, and what will be, delivered to a webhook, newest first',
    ...shared,
    params: webhookId,
    query: z.object({ status: deliveryStatus.optional(), limit, offset }),
    result: z.array(webhookDelivery),
  }),
  replay: post('/webhooks/{webhookid}/deliveries/{deliveryid}/replay', {
    summary: 'Deliver an event again',
    ...shared,
    status: 202,
    params: deliveryId,
    result: webhookDelivery,
  }),
  replayDead: post('/webhooks/{webhookid}/replay', {
    summary: 'Deliver again what was given up',
    ...shared,
    status: 202,
    params: webhookId,
    result: z.strictObject({ replayed: z.int() }),
  }),
};
