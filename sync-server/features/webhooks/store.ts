import type { Selectable } from 'kysely';

import type { NewWebhook, WebhookEdit } from '#shared/api/webhooks.ts';
import { invalid, notFound } from '#shared/api/problem.ts';
import {
  deliveryStatus,
  testEvent,
  webhookEvent,
  type Webhook,
  type WebhookDelivery,
} from '#shared/model/webhook.ts';
import { must } from '#shared/must.ts';
import type { Context, Remembered } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { RefusedAddress } from '#server/platform/outbound.ts';
import { readPage } from '#server/storage/read-page.ts';
import type { Db, Tables } from '#server/storage/tables.ts';
import { addDelivery, addEvent } from '#server/features/webhooks/announce.ts';

type WithSecret = Webhook & { secret: string };

/** Marks secrets so that secret scanners find leaked ones. */
const secretPrefix = 'bbwh_';

/** Throws 422 if the server may not call the address. */
export async function checkAddress(services: Services, url: string | undefined): Promise<void> {
  if (url === undefined) return;
  try {
    await services.outbound.check(url);
  } catch (error) {
    if (error instanceof RefusedAddress) throw invalid('url', error.message);
    throw error;
  }
}

export async function listWebhooks(db: Db): Promise<Webhook[]> {
  const rows = await db.selectFrom('webhooks').selectAll().orderBy('webhookid').execute();
  const counts = await db
    .selectFrom('webhook_deliveries')
    .select(['webhookid', 'status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('status', '!=', 'delivered')
    .groupBy(['webhookid', 'status'])
    .execute();
  return rows.map((row) => {
    const count = (status: string): number =>
      counts.find((one) => one.webhookid === row.webhookid && one.status === status)?.count ?? 0;
    return recordOf(row, count('waiting'), count('dead'));
  });
}

function recordOf(row: Selectable<Tables['webhooks']>, waiting: number, dead: number): Webhook {
  const { webhookid, url, description, created_date } = row;
  const events = (JSON.parse(row.events) as string[]).map((name) => webhookEvent.parse(name));
  return { webhookid, url, description, events, enabled: row.enabled === 1, created_date, waiting, dead };
}

/** The webhook; throws 404 if it does not exist. */
export async function mustFindWebhook(db: Db, webhookid: number): Promise<Webhook> {
  const found = (await listWebhooks(db)).find((one) => one.webhookid === webhookid);
  if (found === undefined) throw notFound('Webhook');
  return found;
}

/** Creates a webhook. Only this answer contains the secret. */
export async function createWebhook(ctx: Context, added: NewWebhook): Promise<Remembered<WithSecret>> {
  const secret = newSecret(ctx.services);
  const { webhookid } = await ctx.db
    .insertInto('webhooks')
    .values({
      url: added.url,
      description: added.description,
      events: JSON.stringify(added.events),
      secret,
      enabled: added.enabled ? 1 : 0,
      created_date: ctx.seconds,
    })
    .returning('webhookid')
    .executeTakeFirstOrThrow();
  return ctx.respondWithRecord('webhook', webhookid, {
    ...(await mustFindWebhook(ctx.db, webhookid)),
    secret,
  });
}

function newSecret({ randomBytes }: Services): string {
  return secretPrefix + Buffer.from(randomBytes(32)).toString('base64url');
}

/** Replaces the secret for all later attempts, including waiting deliveries. Only this answer contains it. */
export async function changeSecret(ctx: Context, webhookid: number): Promise<Remembered<WithSecret>> {
  const secret = newSecret(ctx.services);
  await ctx.db.updateTable('webhooks').set({ secret }).where('webhookid', '=', webhookid).execute();
  return ctx.respondWithRecord('webhook', webhookid, {
    ...(await mustFindWebhook(ctx.db, webhookid)),
    secret,
  });
}

export async function editWebhook(
  ctx: Context,
  webhookid: number,
  edit: WebhookEdit,
): Promise<Remembered<Webhook>> {
  const before = await mustFindWebhook(ctx.db, webhookid);
  await ctx.db
    .updateTable('webhooks')
    .set({
      url: edit.url ?? before.url,
      description: edit.description ?? before.description,
      events: JSON.stringify(edit.events ?? before.events),
      enabled: (edit.enabled ?? before.enabled) ? 1 : 0,
    })
    .where('webhookid', '=', webhookid)
    .execute();
  return ctx.respondWithRecord('webhook', webhookid, mustFindWebhook(ctx.db, webhookid));
}

/** Deletes a webhook with its deliveries. */
export async function removeWebhook(ctx: Context, webhookid: number): Promise<void> {
  await ctx.db.deleteFrom('webhook_deliveries').where('webhookid', '=', webhookid).execute();
  await ctx.db.deleteFrom('webhooks').where('webhookid', '=', webhookid).execute();
  await forgetUndelivered(ctx.db);
}

/** Sends a test event to a webhook. */
export async function testWebhook(ctx: Context, webhookid: number): Promise<Remembered<WebhookDelivery>> {
  const content = {
    event: testEvent,
    title: 'Test',
    description: 'An administrator tests this webhook',
    data: { webhookid },
  };
  const subject = `test/${webhookid}`;
  const eventid = await addEvent(ctx.db, ctx.services, content, subject);
  const deliveryid = await addDelivery(ctx.db, ctx.services, webhookid, eventid, subject);
  ctx.note.outcome = 'done';
  return ctx.respondWithRecord('delivery', deliveryid, mustFindDelivery(ctx.db, deliveryid));
}

export async function listDeliveries(
  ctx: Pick<Context, 'db' | 'total'>,
  webhookid: number,
  query: { status?: WebhookDelivery['status'] | undefined; limit: number; offset: number },
): Promise<WebhookDelivery[]> {
  let select = deliveries(ctx.db).where('webhookid', '=', webhookid);
  if (query.status !== undefined) select = select.where('status', '=', query.status);
  const rows = await readPage(ctx, select.orderBy('deliveryid', 'desc'), query);
  return rows.map(deliveryRecord);
}

function deliveries(db: Db) {
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.eventid', 'webhook_deliveries.eventid')
    .select([
      'deliveryid',
      'webhook_deliveries.eventid',
      'event',
      'status',
      'attempts',
      'next_ms',
      'last_status',
      'last_error',
      'last_date',
      'created_date',
    ]);
}

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveries>['execute']>>[number];

function deliveryRecord({ next_ms, status, ...row }: DeliveryRow): WebhookDelivery {
  return {
    ...row,
    status: deliveryStatus.parse(status),
    next_date: status === 'waiting' ? Math.ceil(next_ms / 1000) : null,
  };
}

export async function mustFindDelivery(
  db: Db,
  deliveryid: number,
  webhookid?: number,
): Promise<WebhookDelivery> {
  let select = deliveries(db).where('deliveryid', '=', deliveryid);
  if (webhookid !== undefined) select = select.where('webhookid', '=', webhookid);
  const row = await select.executeTakeFirst();
  if (row === undefined) throw notFound('Delivery');
  return deliveryRecord(row);
}

/** Repeats a delivery from the first attempt, in any state. */
export async function replayDelivery(ctx: Context, deliveryid: number): Promise<Remembered<WebhookDelivery>> {
  await ctx.db
    .updateTable('webhook_deliveries')
    .set({ status: 'waiting', attempts: 0, next_ms: ctx.services.now() })
    .where('deliveryid', '=', deliveryid)
    .execute();
  ctx.note.outcome = 'done';
  return ctx.respondWithRecord('delivery', deliveryid, mustFindDelivery(ctx.db, deliveryid));
}

/** Repeats all deliveries of a webhook that were given up. Returns their number. */
export async function replayDead(ctx: Context, webhookid: number): Promise<number> {
  const done = must(
    await ctx.db
      .updateTable('webhook_deliveries')
      .set({ status: 'waiting', attempts: 0, next_ms: ctx.services.now() })
      .where('webhookid', '=', webhookid)
      .where('status', '=', 'dead')
      .executeTakeFirst(),
    'the count',
  );
  ctx.note.outcome = 'done';
  ctx.note.object = { kind: 'webhook', id: String(webhookid) };
  return Number(done.numUpdatedRows);
}

/** Deletes events without deliveries. */
async function forgetUndelivered(db: Db): Promise<void> {
  await db
    .deleteFrom('webhook_events')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('webhook_deliveries')
            .select('deliveryid')
            .whereRef('webhook_deliveries.eventid', '=', 'webhook_events.eventid'),
        ),
      ),
    )
    .execute();
}

/** Deletes deliveries that succeeded more than 30 days ago, or were given up more than 90 days ago. */
export async function pruneDeliveries(db: Db, seconds: number): Promise<void> {
  const day = 24 * 3600;
  for (const [status, days] of [
    ['delivered', 30],
    ['dead', 90],
  ] as const)
    await db
      .deleteFrom('webhook_deliveries')
      .where('status', '=', status)
      .where('last_date', '<', seconds - days * day)
      .execute();
  await forgetUndelivered(db);
}
