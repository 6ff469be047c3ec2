import { beforeEach, expect, test } from 'vitest';

import { entryContextOf } from '#desktop/engine/outbox/kinds/work-orders.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { readRecord } from '#desktop/engine/outbox/at-rest.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { rareWord } from '#test/support/raw-search.ts';

import { newDisk, serverAddress } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';
import { openWholeDevice, startWholeDevice } from './support/whole-device.ts';
import { type Scene, gone, journalText, publish, startScene } from './leaving-scene.ts';

let scene: Scene;

beforeEach(async () => {
  scene = await startScene();
  return () => scene[Symbol.asyncDispose]();
});

/** The waiting calls in the journal. */
async function waitingIn({ disk }: Scene): Promise<OutboxCall[]> {
  const journal = await openJournal(memoryStore({}, new Map(disk.journal)), testEnvironment(fetch, 1));
  const { outbox } = await journal.entries();
  await journal.close();
  const calls = [...outbox.values()].map((record) => must(readRecord(record), 'a call'));
  return calls.filter(({ state }) => state !== 'done');
}

test('LEAVING-5 other calls about a guide that left keep waiting without base and title, and work orders are accepted', async () => {
  const { device, words, guideid, server } = scene;
  const { actions } = device;
  await actions.startWorkOrder(guideid, 'WO-7');
  await device.inSync();
  const [order] = await device.look('workOrders');
  scene.url = null;
  await actions.moveWorkOrder(must(order, 'the order').entryid, 'pause');
  const begun = await actions.startWorkOrder(guideid, 'WO-8');
  await actions.favorite(guideid, true);
  const withBase = async (): Promise<number> =>
    (await waitingIn(scene)).filter((call) => entryContextOf(call)?.base !== undefined).length;
  expect(await withBase()).toBe(1);
  expect(JSON.stringify(await waitingIn(scene))).toContain(words.title);
  await publish(scene, false);
  await device[Symbol.asyncDispose]();
  let isTaking = false;
  scene.device = await startWholeDevice(
    (path) => (isTaking || path !== '/sync/1/batch' ? server.url : null),
    scene.disk,
  );
  await gone(scene);
  await expect.poll(withBase).toBe(0);
  for (const word of Object.values(words)) await expect.poll(() => journalText(scene)).not.toContain(word);
  expect(await waitingIn(scene)).toHaveLength(3);
  isTaking = true;
  scene.device.actions.syncNow();
  const orders = await scene.device.shows(
    (all) => all.every(({ entryid, pending }) => entryid !== begun && pending === 0),
    'workOrders',
  );
  expect(orders.map(({ workorderid, status }) => `${workorderid} ${status}`).toSorted()).toEqual([
    'WO-7 paused',
    'WO-8 started',
  ]);
});

test('LEAVING-5 a report of a deviation waits on with all its words when the guide of its order left', async () => {
  const { device, guideid, server } = scene;
  const begun = await device.actions.startWorkOrder(guideid, 'WO-7');
  await device.inSync();
  scene.url = null;
  await device.actions.reportDeviation(begun, { title: 'A dent', note: 'In the cover', pictures: [] });
  await publish(scene, false);
  await device[Symbol.asyncDispose]();
  let isTaking = false;
  scene.device = await startWholeDevice(
    (path) => (isTaking || path !== '/sync/1/batch' ? server.url : null),
    scene.disk,
  );
  await gone(scene);
  expect(await scene.device.look('keptWords')).toEqual([]);
  isTaking = true;
  scene.device.actions.syncNow();
  const all = await scene.device.shows((found) => found.every(({ pending }) => !pending), 'deviations');
  expect(all.map(({ title, note }) => [title, note])).toEqual([['A dent', 'In the cover']]);
});

test('LEAVING-5 a call that was being sent when its guide left, and returns, also waits without base', async () => {
  const { device, guideid, server, disk, words } = scene;
  await device.actions.startWorkOrder(guideid, 'WO-7');
  await device.inSync();
  await device[Symbol.asyncDispose]();
  const begun = Promise.withResolvers<void>();
  const sending = Promise.withResolvers<Response>();
  scene.device = await openWholeDevice((input, init) => {
    const address = (input instanceof Request ? input.url : String(input)).replace(serverAddress, server.url);
    if (new URL(address).pathname !== '/sync/1/batch') return fetch(address, init);
    begun.resolve();
    return sending.promise;
  }, disk);
  const [order] = await scene.device.look('workOrders');
  await scene.device.actions.moveWorkOrder(must(order, 'the order').entryid, 'pause');
  await begun.promise;
  await publish(scene, false);
  await gone(scene);
  // The title was part of a sent call: when it is gone, everything else that left is gone too.
  await expect.poll(() => journalText(scene)).not.toContain(words.title);
  const bases = async (): Promise<unknown[]> =>
    (await waitingIn(scene)).map((call) => entryContextOf(call)?.base?.workorderid);
  expect(await bases()).toEqual(['WO-7']);
  sending.reject(new TypeError('fetch failed'));
  await expect.poll(bases).toEqual([undefined]);
});

test('LEAVING-5 work on an order that another person took over is decided after it left with its guide', async () => {
  const { device, guideid, ben, server } = scene;
  const { actions } = device;
  const begin = { guideid: Number(guideid), workorderid: 'WO-9' };
  const entry: { entryid: number } = (await ben.call('POST', '/work_log', begin)).body;
  const entryid = String(entry.entryid);
  await ben.call('POST', `/work_log/${entryid}/suspend`, {});
  await device.shows((orders) => orders.length === 1, 'workOrders');
  scene.url = null;
  await actions.moveWorkOrder(entryid, 'assume');
  await actions.moveWorkOrder(entryid, 'pause');
  await ben.call('POST', `/work_log/${entryid}/assume`, {});
  scene.url = server.url;
  actions.syncNow();
  await device.shows((order) => order?.frozen === true, 'workOrder', entryid);
  await publish(scene, false);
  await gone(scene);
  await device.shows((order) => order === null, 'workOrder', entryid);
  expect((await actions.exportOrder(entryid)).json).toContain(`/work_log/${entryid}/pause`);
  const own = await actions.saveAsOwnOrder(entryid);
  await expect.poll(async () => (await waitingIn(scene)).map(({ target }) => target.id)).toEqual([own, own]);
});

test('LEAVING-5 calls about a guide that left keep waiting without title, even if the databases were lost', async () => {
  const { ben, device, disk, server } = scene;
  const title = rareWord();
  const { guideid } = await ben.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title, summary: '', public: true },
  });
  const id = String(guideid);
  device.actions.syncNow();
  await device.shows((guide) => guide?.title === title, 'guide', id);
  scene.url = null;
  await device.actions.favorite(id, true);
  await device.actions.complete(id, true);
  await device.actions.comment('guide', id, 'Said by Ada');
  expect(JSON.stringify(await waitingIn(scene))).toContain(title);
  await device[Symbol.asyncDispose]();
  const { revisionid }: Guide = (await ben.call('GET', `/guides/${id}`)).body;
  await ben.call('DELETE', `/guides/${id}/public?revisionid=${revisionid}`);
  disk.storage = newDisk().storage;
  scene.url = server.url;
  scene.device = await startWholeDevice(() => scene.url, disk);
  await expect.poll(() => journalText(scene)).not.toContain(title);
  expect(journalText(scene)).toContain('Said by Ada');
  expect((await waitingIn(scene)).map(({ kind }) => kind)).toEqual(['favorite', 'completion']);
});
