import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  webhookEvents,
  webhookMessage,
  type WebhookDelivery,
  type WebhookEvent,
  type Webhook,
} from '#shared/model/webhook.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { changeSite } from '#server/core/site.ts';
import { mostAttempts, signatureOf, waitAfter } from '#server/features/webhooks/courier.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';

import { type Received, startReceiver } from './webhook-receiver.ts';

const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let server: TestServer;
let admin: TestPerson;
let ana: TestPerson;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({
    now: () => clock.now,
    site: { private_networks: ['127.0.0.1/32'], address: 'https://guides.example.org', name: 'Workshop' },
  });
  admin = await server.person('Mira', ['User', 'Admin']);
  ana = await server.person('Ana');
  await server.category('Bench Grinder');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await receiver.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer = () => 200;
  const { body } = await admin.call('GET', '/webhooks');
  for (const { webhookid } of body as Webhook[]) await admin.call('DELETE', `/webhooks/${webhookid}`);
});

let paths = 0;
async function hook(events: WebhookEvent[]): Promise<Webhook & { secret: string; path: string }> {
  paths += 1;
  const path = `/hook-${paths}`;
  const made = await admin.call('POST', '/webhooks', { url: receiver.url + path, events });
  expect(made.status).toBe(201);
  return { ...(made.body as Webhook & { secret: string }), path };
}

async function makeGuide(fields: object = {}): Promise<{ guideid: number; revisionid: number }> {
  const made = await ana.call('POST', '/guides', {
    type: 'repair',
    category: 'Bench Grinder',
    title: 'Belt',
    ...fields,
  });
  expect(made.status).toBe(201);
  return made.body;
}

const at = (path: string): Received[] => receiver.received.filter((one) => one.path === path);
const messages = (path: string) => at(path).map((one) => webhookMessage.parse(JSON.parse(one.body)));
const deliveries = async (webhookid: number): Promise<WebhookDelivery[]> =>
  (await admin.call('GET', `/webhooks/${webhookid}/deliveries`)).body;

/** Moves the clock and makes the server notice it. */
function pass(ms: number): void {
  clock.now += ms;
  server.services.bus.committed();
}

describe('webhooks', () => {
  it('WEBHOOK-1 only administrators manage webhooks; the secret is sent once', async () => {
    const body = { url: `${receiver.url}/x`, events: ['comment.added'] };
    expect((await fetch(`${server.url}/api/2.0/webhooks`)).status).toBe(401);
    for (const [method, path] of [
      ['GET', '/webhooks'],
      ['POST', '/webhooks'],
      ['GET', '/webhooks/1'],
      ['PATCH', '/webhooks/1'],
      ['DELETE', '/webhooks/1'],
      ['POST', '/webhooks/1/secret'],
      ['POST', '/webhooks/1/test'],
      ['GET', '/webhooks/1/deliveries'],
      ['POST', '/webhooks/1/deliveries/1/replay'],
      ['POST', '/webhooks/1/replay'],
    ] as const)
      expect((await ana.call(method, path)).status, `${method} ${path}`).toBe(403);
    const headers = { 'Idempotency-Key': 'one-hook-only' };
    const made = await admin.call('POST', '/webhooks', body, headers);
    expect(made).toMatchObject({ status: 201, body: { ...body, enabled: true, waiting: 0, dead: 0 } });
    const { secret, webhookid } = made.body as Webhook;
    expect(secret).toMatch(/^bbwh_[\w-]{43}$/);
    const again = await admin.call('POST', '/webhooks', body, headers);
    expect(again.body).toMatchObject({ webhookid });
    for (const path of ['/webhooks', `/webhooks/${webhookid}`])
      expect(JSON.stringify((await admin.call('GET', path)).body)).not.toContain('bbwh_');
    expect(again.body).not.toHaveProperty('secret');
  });

  it('WEBHOOK-1 a new secret is sent once and signs waiting deliveries from the next attempt on', async () => {
    const { webhookid, path, secret } = await hook(['comment.added']);
    receiver.answer = () => 503;
    await admin.call('POST', `/webhooks/${webhookid}/test`);
    await soon(async () => (await deliveries(webhookid))[0]?.attempts).toBe(1);
    receiver.answer = () => 200;
    const headers = { 'Idempotency-Key': 'another-secret' };
    const changed = await admin.call('POST', `/webhooks/${webhookid}/secret`, undefined, headers);
    const { secret: other } = changed.body as Webhook & { secret: string };
    expect(changed.status).toBe(200);
    expect(other).toMatch(/^bbwh_[\w-]{43}$/);
    expect(other).not.toBe(secret);
    const again = await admin.call('POST', `/webhooks/${webhookid}/secret`, undefined, headers);
    expect(again.body).toMatchObject({ webhookid });
    expect(again.body).not.toHaveProperty('secret');
    pass(13_000);
    await soon(async () => (await deliveries(webhookid))[0]?.status).toBe('delivered');
    const signed = at(path).map((one) => {
      const timestamp = Number(one.headers['benchbook-timestamp']);
      const signature = one.headers['benchbook-signature'];
      return [secret, other].findIndex((key) => signatureOf(key, timestamp, one.body) === signature);
    });
    expect(signed).toEqual([0, 1]);
    expect((await admin.call('POST', '/webhooks/999999/secret')).status).toBe(404);
  });

  it('WEBHOOK-2 webhooks are changed and deleted; invalid input is refused in order', async () => {
    const { webhookid } = await hook(['comment.added']);
    const path = `/webhooks/${webhookid}`;
    expect((await admin.call('PATCH', '/webhooks/999999', { nonsense: 1 })).status).toBe(404);
    expect((await admin.call('PATCH', path, { events: [] })).status).toBe(422);
    expect((await admin.call('PATCH', path, { events: ['guide.eaten'] })).status).toBe(422);
    const changed = await admin.call('PATCH', path, { enabled: false, description: 'Chat' });
    expect(changed).toMatchObject({ status: 200, body: { enabled: false, description: 'Chat' } });
    expect((await admin.call('GET', path)).body).toMatchObject({ enabled: false, events: ['comment.added'] });
    expect((await admin.call('DELETE', path)).status).toBe(204);
    expect((await admin.call('GET', path)).status).toBe(404);
  });

  it('WEBHOOK-3 no webhook calls a private address, unless the site allows it', async () => {
    const make = async (url: string): Promise<number> =>
      (await admin.call('POST', '/webhooks', { url, events: ['guide.edited'] })).status;
    expect(await make('http://127.0.0.2/')).toBe(422);
    expect(await make('http://169.254.169.254/latest/meta-data')).toBe(422);
    expect(await make('http://localhost.invalid/')).toBe(422);
    expect(await make('ftp://127.0.0.1/')).toBe(422);
    const { webhookid, path } = await hook(['guide.edited']);
    await changeSite(server.services, { private_networks: [] });
    await admin.call('POST', `/webhooks/${webhookid}/test`);
    await soon(async () => (await deliveries(webhookid))[0]?.attempts).toBe(1);
    expect((await deliveries(webhookid))[0]).toMatchObject({
      status: 'waiting',
      last_status: null,
      last_error: '127.0.0.1 is in a private network that the site does not allow (setting private_networks)',
    });
    expect(at(path)).toEqual([]);
    await changeSite(server.services, { private_networks: ['127.0.0.1/32'] });
  });

  it('WEBHOOK-4 messages are signed and use the envelope of existing servers', async () => {
    const { secret, path } = await hook(['guide.published', 'guide.edited', 'comment.added']);
    const { guideid, revisionid } = await makeGuide();
    const shown = await ana.call('PUT', `/guides/${guideid}/public?revisionid=${revisionid}`);
    expect(shown.status).toBe(200);
    await ana.call('POST', `/comments/guide/${guideid}`, { text: 'Mind the belt' });
    await soon(() => at(path).length).toBe(3);
    const told = messages(path);
    expect(told.map(({ event }) => event).toSorted()).toEqual([
      'comment.added',
      'guide.edited',
      'guide.published',
    ]);
    const comment = must(
      told.find(({ event }) => event === 'comment.added'),
      'the comment',
    );
    expect(comment).toMatchObject({
      siteName: 'Workshop',
      siteDomain: 'guides.example.org',
      title: 'Comment Added',
      data: { context: 'guide', contextid: guideid, text_raw: 'Mind the belt', userid: ana.userid },
    });
    for (const message of told)
      expect(webhookEvents[message.event as WebhookEvent].data.safeParse(message.data).error).toBeUndefined();
    for (const one of at(path)) {
      const timestamp = Number(one.headers['benchbook-timestamp']);
      expect(timestamp).toBe(Math.floor(clock.now / 1000));
      expect(one.headers['benchbook-signature']).toBe(signatureOf(secret, timestamp, one.body));
      expect(one.headers['benchbook-event-id']).toBe(webhookMessage.parse(JSON.parse(one.body)).eventid);
    }
  });

  it('FEEDBACK-1 the event of feedback has its reason; closing it is no event', async () => {
    const { path } = await hook(['comment.added']);
    const { guideid } = await makeGuide({ steps: [{ lines: [{ text: 'Unplug it' }] }] });
    const { steps } = (await ana.call('GET', `/guides/${guideid}`)).body as Guide;
    const body = { text: 'Unsafe', feedback: 'unsafe' };
    const made = await ana.call('POST', `/comments/step/${steps[0]?.stepid}`, body);
    const { commentid } = made.body as { commentid: number };
    expect((await ana.call('PUT', `/comments/${commentid}/done`)).status).toBe(204);
    const answer = { text: 'There is a guard now', parentid: commentid };
    await ana.call('POST', `/comments/step/${steps[0]?.stepid}`, answer);
    await soon(() => at(path).length).toBe(2);
    expect(messages(path).map(({ data }) => data)).toMatchObject([
      { commentid, feedback: 'unsafe' },
      { parentid: commentid },
    ]);
  });

  it('WEBHOOK-5 every change of a work order is sent once', async () => {
    const { path } = await hook(['work_order.status_changed']);
    const { guideid } = await makeGuide();
    const started = await ana.call('POST', '/work_log', { guideid, workorderid: 'WO-7' });
    const { entryid } = started.body as { entryid: number };
    for (const move of ['pause', 'resume', 'finish']) await ana.call('POST', `/work_log/${entryid}/${move}`);
    await soon(() => at(path).length).toBe(4);
    expect(messages(path).map(({ data }) => data)).toMatchObject([
      { entryid, workorderid: 'WO-7', previous_status: null, status: 'started' },
      { previous_status: 'started', status: 'paused' },
      { previous_status: 'paused', status: 'started' },
      { previous_status: 'started' },
    ]);
  });

  it('WEBHOOK-6 refused calls, calls without effect and unsubscribed events are not sent', async () => {
    const { path } = await hook(['guide.edited']);
    const { guideid, revisionid } = await makeGuide();
    expect((await ana.call('PATCH', `/guides/${guideid}?revisionid=1`, { title: 'Other' })).status).toBe(409);
    await ana.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { title: 'Belt' });
    await ana.call('PUT', `/user/favorites/guides/${guideid}`);
    await ana.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { title: 'Belt of the grinder' });
    await soon(() => at(path).length).toBe(1);
    expect(messages(path)[0]).toMatchObject({ data: { guideid, title: 'Belt of the grinder' } });
  });
});

describe('deliveries', () => {
  it('WEBHOOK-7 failed deliveries are retried at growing intervals under the same event id', async () => {
    const { webhookid, path } = await hook(['comment.added']);
    receiver.answer = () => 503;
    await admin.call('POST', `/webhooks/${webhookid}/test`);
    await soon(async () => (await deliveries(webhookid))[0]?.attempts).toBe(1);
    expect((await deliveries(webhookid))[0]).toMatchObject({ status: 'waiting', last_status: 503 });
    pass(7000);
    expect(at(path).length).toBe(1);
    pass(6000);
    await soon(() => at(path).length).toBe(2);
    await soon(async () => (await deliveries(webhookid))[0]?.attempts).toBe(2);
    receiver.answer = () => 204;
    pass(26_000);
    await soon(async () => (await deliveries(webhookid))[0]?.status).toBe('delivered');
    expect(at(path).length).toBe(3);
    expect(new Set(at(path).map(({ headers }) => headers['benchbook-event-id'])).size).toBe(1);
    expect(new Set(at(path).map(({ headers }) => headers['benchbook-signature'])).size).toBe(3);
  });

  it('WEBHOOK-8 redirects are not followed', async () => {
    const { webhookid, path } = await hook(['comment.added']);
    receiver.answer = () => 302;
    await admin.call('POST', `/webhooks/${webhookid}/test`);
    await soon(async () => (await deliveries(webhookid))[0]?.last_status).toBe(302);
    expect(at(path).length).toBe(1);
  });

  it("WEBHOOK-9 a delivery is given up after three days, stored, and retried at an administrator's request", async () => {
    const { webhookid, path } = await hook(['comment.added']);
    receiver.answer = () => 500;
    const tested = await admin.call('POST', `/webhooks/${webhookid}/test`);
    expect(tested.status).toBe(202);
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      await soon(async () => (await deliveries(webhookid))[0]?.attempts).toBe(attempt);
      pass(8 * 3600_000);
    }
    expect(await deliveries(webhookid)).toMatchObject([
      { status: 'dead', next_date: null, last_status: 500 },
    ]);
    expect((await admin.call('GET', `/webhooks/${webhookid}`)).body).toMatchObject({ dead: 1, waiting: 0 });
    expect(at(path).length).toBe(mostAttempts);

    receiver.answer = () => 200;
    expect((await admin.call('POST', `/webhooks/${webhookid}/replay`)).body).toEqual({ replayed: 1 });
    await soon(async () => (await deliveries(webhookid))[0]?.status).toBe('delivered');
    const { deliveryid } = must((await deliveries(webhookid))[0], 'the delivery');
    const replay = `/webhooks/${webhookid}/deliveries/${deliveryid}/replay`;
    expect((await admin.call('POST', '/webhooks/999999/deliveries/1/replay')).status).toBe(404);
    expect((await admin.call('POST', replay)).status).toBe(202);
    await soon(() => at(path).length).toBe(mostAttempts + 2);
  });

  it('WEBHOOK-10 deliveries of one record keep their order while an earlier one is retried; other records go on', async () => {
    const { path } = await hook(['guide.edited']);
    const [first, second] = [await makeGuide(), await makeGuide()];
    let revisionid = first.revisionid;
    let refusals = 1;
    receiver.answer = ({ body }) =>
      body.includes(`"guideid":${first.guideid},`) && refusals-- > 0 ? 500 : 200;
    for (const title of ['One', 'Two', 'Three']) {
      const edited = await ana.call('PATCH', `/guides/${first.guideid}?revisionid=${revisionid}`, { title });
      revisionid = (edited.body as { revisionid: number }).revisionid;
    }
    await ana.call('PATCH', `/guides/${second.guideid}?revisionid=${second.revisionid}`, { title: 'Aside' });
    const titles = (): unknown[] => messages(path).map(({ data }) => (data as { title: string }).title);
    await soon(titles).toEqual(['One', 'Aside']);
    pass(13_000);
    await soon(titles).toEqual(['One', 'Aside', 'One', 'Two', 'Three']);
  });

  it('WEBHOOK-11 a slow receiver does not hold up another one', async () => {
    const slow = await hook(['comment.added']);
    const quick = await hook(['comment.added']);
    const stuck = createServer(() => undefined);
    await new Promise<void>((resolve) => stuck.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(stuck.address() as AddressInfo).port}/`;
    await admin.call('PATCH', `/webhooks/${slow.webhookid}`, { url });
    await admin.call('POST', `/webhooks/${slow.webhookid}/test`);
    await admin.call('POST', `/webhooks/${quick.webhookid}/test`);
    await soon(() => at(quick.path).length).toBe(1);
    stuck.closeAllConnections();
    stuck.close();
    await soon(async () => (await deliveries(slow.webhookid))[0]?.attempts).toBe(1);
  });

  it('WEBHOOK-12 retries wait from ten seconds to six hours, three days in all', () => {
    expect([waitAfter(1, 0.5), waitAfter(2, 0.5), waitAfter(30, 0.5)]).toEqual([
      10_000,
      20_000,
      6 * 3600_000,
    ]);
    expect(waitAfter(1, 0)).toBe(7500);
    const waits = Array.from({ length: mostAttempts - 1 }, (_, index) => waitAfter(index + 1, 0.5));
    const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3600_000;
    expect(hours).toBeGreaterThanOrEqual(72);
    expect(hours).toBeLessThan(96);
  });
});
