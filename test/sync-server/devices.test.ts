import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeGuide } from '#test/support/workshop.ts';
import { onlySqlite } from '#test/support/only-sqlite.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';

let server: TestServer;
let ana: TestPerson & { url: string };
let now: number;

beforeEach(async () => {
  now = Date.parse('2026-11-26T08:00:00Z');
  server = await startServer({ now: () => now });
  await server.category('Bench Grinder');
  ana = { ...(await server.person('Ana')), url: server.url };
});
afterEach(() => server[Symbol.asyncDispose]());

const headersOf = ({ token }: TestPerson) => ({ Authorization: `api ${token}` });

/** The newest checkpoint, as a device learns it from a first load. */
async function checkpoint(): Promise<string> {
  const answer = await fetch(`${server.url}/sync/1/bootstrap?protocol=5-6`, { headers: headersOf(ana) });
  const lines = (await answer.text()).trim().split('\n');
  return (JSON.parse(lines.at(-1) ?? '') as { checkpoint: string }).checkpoint;
}

function pull(person: TestPerson, since: string, more = ''): Promise<Response> {
  const query = `protocol=5-6&since=${since}&seen=${since}${more}`;
  return fetch(`${server.url}/sync/1/pull?${query}`, { headers: headersOf(person) });
}

async function gauge(series: string): Promise<number | undefined> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('DEVICES-1 a device is connected, current or behind', async () => {
  const counts = async (): Promise<(number | undefined)[]> =>
    Promise.all(
      ['connected', 'current', 'behind'].map((state) => gauge(`benchbook_devices{state="${state}"}`)),
    );
  expect(await counts()).toEqual([0, 0, 0]);
  const since = await checkpoint();
  expect((await pull(ana, since)).status).toBe(200);
  expect(await counts()).toEqual([0, 1, 0]);
  await makeGuide(ana);
  expect(await counts()).toEqual([0, 0, 1]);
  const abort = new AbortController();
  const stream = await fetch(`${server.url}/sync/1/events?protocol=5-6&since=${since}&seen=${since}`, {
    headers: headersOf(ana),
    signal: abort.signal,
  });
  expect(stream.status).toBe(200);
  await soon(counts).toEqual([1, 0, 0]);
  expect(await gauge('benchbook_event_streams')).toBe(1);
  abort.abort();
  await stream.text().catch(() => undefined);
  // What the stream sent counts as arrived.
  await soon(counts).toEqual([0, 1, 0]);
});

test('DEVICES-1 what waits on a device is counted with its age, until the server has it', async () => {
  const since = await checkpoint();
  expect(await gauge('benchbook_devices_waiting')).toBe(0);
  expect(await gauge('benchbook_device_wait_seconds')).toBeUndefined();
  await pull(ana, since, '&waiting=2.3600');
  now += 60_000;
  expect(await gauge('benchbook_devices_waiting')).toBe(1);
  expect(await gauge('benchbook_device_wait_seconds')).toBe(3660);
  for (const key of ['waiting-call-1', 'waiting-call-2']) {
    const body = { category: 'Bench Grinder', type: 'repair', title: key };
    expect((await ana.call('POST', '/guides', body, { 'Idempotency-Key': key })).status).toBe(201);
  }
  expect(await gauge('benchbook_devices_waiting')).toBe(0);
  expect(await gauge('benchbook_device_wait_seconds')).toBeUndefined();
});

test('DEVICES-2 a report that is not one changes nothing, and none is refused for it', async () => {
  const since = await checkpoint();
  await pull(ana, since, '&waiting=1.60');
  for (const report of ['many', '-1.0', '1', '1.2.3', '9999999999.1', '&waiting=2.2'])
    expect((await pull(ana, since, `&waiting=${report}`)).status).toBe(200);
  expect(await gauge('benchbook_devices_waiting')).toBe(1);
  expect(await gauge('benchbook_device_wait_seconds')).toBe(60);
  // A client without a device.
  const tom = await server.person('Tom');
  await tom.call(
    'POST',
    '/guides',
    { category: 'Bench Grinder', type: 'repair', title: 'x' },
    {
      'Idempotency-Key': 'not-a-device',
    },
  );
  expect(await gauge('benchbook_devices{state="behind"}')).toBe(1);
});

onlySqlite('version')('DEVICES-2 reports write nothing to the database', async () => {
  const since = await checkpoint();
  await pull(ana, since);
  // The start has last writes of its own.
  await soon(async () => {
    const version = server.services.storage.version();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return server.services.storage.version() === version;
  }).toBe(true);
  const before = server.services.storage.version();
  for (let count = 0; count < 20; count += 1) await pull(ana, since, `&waiting=${count}.${count}`);
  expect(server.services.storage.version()).toBe(before);
});
