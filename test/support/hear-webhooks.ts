import type { TestPerson, TestServer } from './server.ts';

interface Told {
  event: string;
  data: object;
}

/** A webhook that hears of `events`: `told` gives what it was told so far, `end` takes it away. */
export async function hearWebhooks(
  server: TestServer,
  admin: TestPerson,
  events: readonly string[],
): Promise<{ told: () => Promise<Told[]>; end: () => Promise<unknown> }> {
  // An address of nobody: what is told is read from the outbox, not from there.
  const { body: hook } = await admin.call('POST', '/webhooks', { url: 'https://93.184.215.14/', events });
  const { webhookid } = hook as { webhookid: number };
  return {
    told: async () => {
      const rows = await server.services.storage.reader
        .selectFrom('webhook_deliveries')
        .innerJoin('webhook_events', 'webhook_events.eventid', 'webhook_deliveries.eventid')
        .select(['event', 'body'])
        .where('webhookid', '=', webhookid)
        .orderBy('deliveryid')
        .execute();
      return rows.map(({ event, body }) => ({ event, data: (JSON.parse(body) as { data: object }).data }));
    },
    end: () => admin.call('DELETE', `/webhooks/${webhookid}`),
  };
}
