import type { TestPerson, TestServer } from './server.ts';

interface Told {
  event: string;
  data: object;
}

/** A webhook for `events`: `told` returns the messages so far, `end` deletes it. */
export async function hearWebhooks(
  server: TestServer,
  admin: TestPerson,
  events: readonly string[],
): Promise<{ told: () => Promise<Told[]>; end: () => Promise<unknown> }> {
  // Nobody listens at this address: messages are read from the outbox.
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
