import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { contextForJob } from '#server/core/job.ts';
import { createWebhook, listDeliveries, testWebhook } from '#server/features/webhooks/store.ts';
import { openServices } from '#server/features/open-services.ts';
import { soon } from '#test/support/soon.ts';
import { makeStartFolder } from '#test/support/start-process.ts';

test('WEBHOOK-13 an event is delivered again under its id by a server killed during the delivery', async () => {
  const received: IncomingHttpHeaders[] = [];
  const receiver = createServer((request, response) => {
    received.push(request.headers);
    // The first request is accepted, but its response never arrives.
    if (received.length > 1) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

  using place = makeStartFolder();
  const data = join(place.dir, 'data');
  const services = await openServices({ dataDir: data, site: { private_networks: ['127.0.0.1/32'] } });
  await using storage = services.storage;
  const { webhookid, eventid } = await contextForJob(services, null, async (ctx) => {
    const added = { url, events: ['guide.edited' as const], description: '', enabled: true };
    const made = await createWebhook(ctx, added);
    return { webhookid: made.webhookid, eventid: (await testWebhook(ctx, made.webhookid)).eventid };
  });

  const start = () => place.start(['--data', data, '--port', '0', '--no-demo']);
  const first = start();
  await soon(() => received.length).toBe(1);
  first.child.kill('SIGKILL');
  await first.ended;
  const newest = async () => {
    const ctx = { db: storage.reader, total: () => undefined };
    return (await listDeliveries(ctx, webhookid, { limit: 10, offset: 0 }))[0];
  };
  expect(await newest()).toMatchObject({
    status: 'waiting',
    attempts: 0,
  });

  start();
  await soon(newest).toMatchObject({
    status: 'delivered',
    attempts: 1,
    last_status: 204,
  });
  expect(received.map((headers) => headers['benchbook-event-id'])).toEqual([eventid, eventid]);
  receiver.closeAllConnections();
  receiver.close();
});
