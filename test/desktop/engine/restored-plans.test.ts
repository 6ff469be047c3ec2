import { expect, test } from 'vitest';

import type { PlannedOrderView } from '#desktop/engine/api/planned-records.ts';
import { must } from '#shared/must.ts';

import { bench, call, tokenOf, type Bench } from './support/restored-bench.ts';

interface Plans {
  /** Ana's team, for which she plans. */
  teamid: unknown;
  /** Ana's calls of the API. She signs in for every call, because each restore forgets sessions. */
  asAna: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
  plan: (note: string) => Promise<Record<string, unknown>>;
}

async function plansOn({ server, guideid }: Bench): Promise<Plans> {
  const asAna: Plans['asAna'] = async (method, path, body) =>
    call(server, await tokenOf(server, 'ana@example.com'), method, path, body);
  const { teamid } = await asAna('POST', '/teams', { name: 'Line B' });
  const plan = (note: string) =>
    asAna('POST', '/work_orders', { guideid: Number(guideid), workorderid: 'WO-7', teamid, note });
  return { teamid, asAna, plan };
}

/** Changes the note of the planned order on the device. */
async function note({ device }: Bench, words: string): Promise<void> {
  const [seen] = await device.shows((all) => all.length === 1, 'plannedOrders');
  const { revision: _revision, ...plan } = must(seen, 'the planned order');
  await device.actions.changePlannedOrder(must(seen, 'the planned order'), { ...plan, note: words });
}

const shows = (words: string) => (all: readonly PlannedOrderView[]) => all[0]?.note === words;

test('OUTBOX-31 a change of a planned order whose revision number belongs to another change now replaces nothing', async () => {
  await using world = await bench();
  const { server, device } = world;
  const { asAna, plan } = await plansOn(world);
  const { planned_orderid, revisionid } = await plan('First');
  await server.backUp();
  const path = `/work_orders/${String(planned_orderid)}`;
  const edit = (words: string) => asAna('PATCH', `${path}?revisionid=${String(revisionid)}`, { note: words });
  const { revisionid: lost } = await edit('Forgotten');
  device.actions.syncNow();
  await device.shows(shows('Forgotten'), 'plannedOrders');
  await device.inSync();
  world.passes = () => false;
  await note(world, 'Mine');
  await server.restore();
  // No client has told the server yet that it lost numbers.
  const { revisionid: again } = await edit('Of another planner');
  expect(again).toBe(lost);
  world.passes = () => true;
  device.actions.syncNow();

  const [refused] = await device.shows((all) => all[0]?.state === 'parked', 'activity');
  expect(refused).toMatchObject({ kind: 'planned', detail: 'note' });
  expect((await device.look('plannedOrders'))[0]?.note).toBe('Of another planner');
  expect(await asAna('GET', path)).toMatchObject({ note: 'Of another planner' });
});

test('OUTBOX-34 a change of a planned order that was lost is never shown in, or sent to, the one with its number now', async () => {
  await using world = await bench();
  const { server, device } = world;
  const { asAna, plan } = await plansOn(world);
  await server.backUp();
  const { planned_orderid } = await plan('Forgotten');
  device.actions.syncNow();
  await device.shows(shows('Forgotten'), 'plannedOrders');
  await device.inSync();
  world.passes = () => false;
  await note(world, 'Mine');
  await server.restore();
  const other = await plan('Another order');
  expect(other['planned_orderid']).toBe(planned_orderid);
  // The device reads, but its change has not been answered yet.
  world.passes = (path) => path !== '/sync/1/batch';
  device.actions.syncNow();
  await device.shows(shows('Another order'), 'plannedOrders');
  world.passes = () => true;
  device.actions.syncNow();
  await device.shows((all) => all[0]?.state === 'parked', 'activity');
  expect((await device.look('plannedOrders'))[0]?.note).toBe('Another order');
  expect(await asAna('GET', `/work_orders/${String(planned_orderid)}`)).toMatchObject({
    note: 'Another order',
  });
});
