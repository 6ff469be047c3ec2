import { webhookEvents, type WebhookMessage } from '#shared/model/webhook.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { findStored, type Changes } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tx } from '#server/storage/tables.ts';

import { eventsOf, eventCollections, type AnnouncedEvent } from './events.ts';

interface Subscriber {
  webhookid: number;
  events: string[];
}

/**
 * Queues the events of a write transaction for each webhook that receives them. Runs inside that transaction, before
 * the changes are flushed, so that events and changes are committed together.
 *
 * - WEBHOOK-6 Refused calls, and calls that change nothing, cause no events.
 */
export async function announceChanges(
  tx: Tx,
  services: Services,
  changes: Changes,
  userid: number,
): Promise<void> {
  const moved = [...changes.records].filter(
    ({ collection, document }) => document !== undefined && eventCollections.has(collection),
  );
  if (moved.length === 0) return;
  const subscribers = await findSubscribers(tx);
  if (subscribers.length === 0) return;
  for (const { collection, id, document } of moved) {
    const before = await findStored({ db: tx, changes }, collection, id);
    for (const announced of eventsOf(collection, before, document, userid))
      await announce(tx, services, subscribers, announced, `${collection}/${id}`);
  }
}

/** Queues an event that is not derived from a synced record, inside the transaction of `ctx` in which it happened. */
export async function announceEvent(
  ctx: Pick<Context, 'db' | 'services'>,
  announced: AnnouncedEvent,
  subject: string,
): Promise<void> {
  await announce(ctx.db, ctx.services, await findSubscribers(ctx.db), announced, subject);
}

const enabledWebhooks = prepared<Record<never, never>, { webhookid: number; events: string }>((db) =>
  db.selectFrom('webhooks').select(['webhookid', 'events']).where('enabled', '=', 1),
);

async function findSubscribers(db: Db): Promise<Subscriber[]> {
  const rows = await enabledWebhooks(db, {});
  return rows.map(({ webhookid, events }) => ({ webhookid, events: JSON.parse(events) as string[] }));
}

async function announce(
  tx: Db,
  services: Services,
  subscribers: Subscriber[],
  { event, data }: AnnouncedEvent,
  subject: string,
): Promise<void> {
  const interested = subscribers.filter(({ events }) => events.includes(event));
  if (interested.length === 0) return;
  const { title, description } = webhookEvents[event];
  const eventid = await addEvent(tx, services, { event, title, description, data }, subject);
  for (const { webhookid } of interested) await addDelivery(tx, services, webhookid, eventid, subject);
}

/**
 * Stores an event with the message of all its deliveries. Returns its id.
 *
 * - WEBHOOK-4 A delivery is a POST with the envelope `siteName, siteDomain, title, description, data`, and `event`,
 *   `eventid` and `date`. Headers contain event, id and time. `Benchbook-Signature` is `v1=` and the HMAC-SHA256, in
 *   hex, of `{Benchbook-Timestamp}.{body}` with the secret.
 */
export async function addEvent(
  db: Db,
  services: Services,
  content: Pick<WebhookMessage, 'event' | 'title' | 'description' | 'data'>,
  subject: string,
): Promise<string> {
  const { site } = services;
  const date = Math.floor(services.now() / 1000);
  const eventid = Buffer.from(services.randomBytes(16)).toString('hex');
  const message: WebhookMessage = {
    siteName: site.name,
    siteDomain: site.address === null ? '' : new URL(site.address).host,
    title: content.title,
    description: content.description,
    data: content.data,
    event: content.event,
    eventid,
    date,
  };
  await db
    .insertInto('webhook_events')
    .values({ eventid, event: content.event, subject, body: JSON.stringify(message), created_date: date })
    .execute();
  return eventid;
}

/** Queues an event for a webhook. Returns the delivery's id. */
export async function addDelivery(
  db: Db,
  services: Services,
  webhookid: number,
  eventid: string,
  subject: string,
): Promise<number> {
  const { deliveryid } = await db
    .insertInto('webhook_deliveries')
    .values({
      webhookid,
      eventid,
      subject,
      status: 'waiting',
      attempts: 0,
      next_ms: services.now(),
      last_status: null,
      last_error: null,
      last_date: null,
    })
    .returning('deliveryid')
    .executeTakeFirstOrThrow();
  return deliveryid;
}
