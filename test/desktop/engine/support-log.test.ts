import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { factsOf } from '#desktop/engine/account/log-work.ts';
import { parkedCall } from '#desktop/engine/outbox/answers.ts';
import { SupportLog, withoutEvents } from '#desktop/engine/journal/support-log.ts';
import { startServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk, serverAddress } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { queuedCall } from './support/queued-call.ts';
import { openWholeDevice } from './support/whole-device.ts';

const page = '<html><h1>Welcome to the airport</h1></html>';

test('OUTBOX-55 the log records starts, sign-ins, accepted calls and intermediaries by ids and codes only', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const guide = await makeGuide(ada);
  const guideid = String(guide.guideid);
  let portal: 'none' | 'page' | 'part' = 'none';
  const fetchThere: typeof fetch = async (input, init) => {
    const asked = input instanceof Request ? input.url : String(input);
    const isBatch = new URL(asked).pathname === '/sync/1/batch';
    if (isBatch && portal === 'page') return new Response(page, { headers: { 'Content-Type': 'text/html' } });
    if (isBatch && portal === 'part')
      return new Response('{"text":"A secret of the feed"}\n', {
        headers: { 'Content-Type': 'application/x-ndjson' },
      });
    return fetch(asked.replace(serverAddress, server.url), init);
  };
  const disk = newDisk();
  {
    await using device = await openWholeDevice(fetchThere, disk);
    await device.signIn('Ada');
    await device.inSync();
    portal = 'page';
    await device.actions.comment('guide', guideid, 'Mind the belt');
    await device.shows(({ interference }) => interference !== null, 'syncState');
    portal = 'none';
    device.actions.syncNow();
    await device.inSync();
    portal = 'part';
    await device.actions.favorite(guideid, true);
    await device.shows(({ interference }) => interference !== null, 'syncState');
    portal = 'none';
    device.actions.syncNow();
    await device.inSync();
  }
  await using device = await openWholeDevice(fetchThere, disk);
  const { filename, text } = await device.actions.supportLog();
  expect(filename).toMatch(/^log-\d{4}-\d\d-\d\d\.txt$/);
  expect(text.match(/ {2}start {2}durability=memory/g)).toHaveLength(2);
  expect(text).toMatch(/Z {2}signed-in {2}server=http:\/\/bench\.test {2}userid=\d+/);
  expect(text).toMatch(
    /answered-in-between {2}status=200 .*path=\/sync\/1\/batch {2}said="Welcome to the airport"/,
  );
  expect(text).toMatch(/taken {2}key=\S+ {2}kind=comment-add {2}record=comments\/\S+/);
  expect(text).not.toMatch(/Mind the belt|Belt|secret of the feed|a long password/);
  for (const [name, secret] of disk.secrets) if (name.startsWith('token')) expect(text).not.toContain(secret);
});

test('OUTBOX-55 events are kept for 30 days, 5,000 at most, and a burst does not displace the rest', async () => {
  let now = 1_800_000_000_000;
  const environment = { ...testEnvironment(fetch), now: () => now };
  const journal = await openJournal(memoryStore(), environment);
  const log = new SupportLog(journal, { ...environment, setTimer: () => () => undefined });
  const event = (what: string) => ({ home: null, what, facts: {} });
  log.note(event('old'));
  await log.flush();
  now += 31 * 24 * 60 * 60_000;
  for (let count = 0; count < 500; count += 1) log.note(event('burst'));
  expect((await log.read(null)).filter(({ what }) => what === 'burst')).toHaveLength(60);
  await log.prune();
  expect((await log.read(null)).map(({ what }) => what)).toContain('burst');
  for (let minute = 0; minute < 120; minute += 1) {
    now += 60_000;
    for (let count = 0; count < 60; count += 1) log.note(event(`minute ${minute}`));
  }
  log.note({ ...event('of another'), home: 'other' });
  const again = new SupportLog(journal, environment);
  await log.flush();
  await again.prune();
  const kept = await again.read('mine');
  expect(kept.length).toBeGreaterThan(4500);
  expect(kept.length).toBeLessThanOrEqual(5000);
  expect(kept.at(-1)?.what).toBe('minute 119');
  expect(kept.some(({ what }) => what === 'of another' || what === 'old')).toBe(false);
  await journal.close();
});

test('OUTBOX-55 an app that runs for months keeps no more events than one that starts daily', async () => {
  let now = 1_800_000_000_000;
  const environment = { ...testEnvironment(fetch), now: () => now };
  const journal = await openJournal(memoryStore(), environment);
  const log = new SupportLog(journal, { ...environment, setTimer: () => () => undefined });
  for (let minute = 0; minute < 200; minute += 1) {
    now += 60_000;
    for (let count = 0; count < 60; count += 1) log.note({ home: null, what: `minute ${minute}`, facts: {} });
  }
  const kept = await log.read(null);
  expect(kept.length).toBeLessThanOrEqual(5000);
  expect(kept.at(-1)?.what).toBe('minute 199');
  now += 31 * 24 * 60 * 60_000;
  expect(await log.read(null)).toEqual([]);
  await journal.close();
});

test('OUTBOX-55 a refused call is logged with its key, record, status and code, and without its text', () => {
  const body = { error: true, message: 'Mind the belt is too long', msg: '', code: 'character-not-allowed' };
  const call = parkedCall(queuedCall({ kind: 'comment-add', body: { text: 'Mind the belt' } }), 422, body);
  const facts = factsOf(call);
  expect(facts).toMatchObject({
    key: call.id,
    kind: 'comment-add',
    status: 422,
    code: 'character-not-allowed',
  });
  expect(JSON.stringify(facts)).not.toContain('belt');
});

test('LEAVING-7 events of a removed home also leave a record that contains one of another version', async () => {
  const device = { at: 1, home: null, what: 'start', facts: {} };
  const own = { at: 2, home: 'gone', what: 'signed-in', facts: {} };
  const newer = { at: 3, home: 'gone', what: 'sorted', facts: { list: [1] } };
  const odd = { odd: true };
  expect(withoutEvents('log/1', [device, own, newer, odd], 'gone')).toEqual([
    { op: 'put', collection: 'meta', id: 'log/1', value: [device, odd] },
  ]);
  const journal = await openJournal(memoryStore(), testEnvironment(fetch));
  await journal.append([{ op: 'put', collection: 'meta', id: 'log/1', value: [odd, device] }]);
  const log = new SupportLog(journal, { ...testEnvironment(fetch), now: () => 4 });
  expect(await log.read(null)).toEqual([device]);
  await journal.close();
});
