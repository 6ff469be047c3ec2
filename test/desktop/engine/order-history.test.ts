import { afterEach, expect, test } from 'vitest';

import type { FoundOrders } from '#desktop/engine/api/order-history.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { ok } from '#test/support/approvals.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

interface Shop {
  net: { isOn: boolean };
  /** The device of a lead of two teams: Wilma is in one (`teamid`), Milan in the other. */
  device: WholeDevice;
  people: Record<'lead' | 'wilma' | 'milan', TestPerson>;
  teamid: number;
  start: (person: TestPerson, workorderid: string) => Promise<WorkLogEntry>;
}

async function shop(): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const lead = await server.person('Leonie', ['User', 'Author']);
  const wilma = await server.person('Wilma', ['User']);
  const milan = await server.person('Milan', ['User']);
  const team = async (name: string, { userid }: TestPerson): Promise<number> => {
    const { teamid } = await ok<{ teamid: number }>(lead.call('POST', '/teams', { name }));
    await ok(lead.call('PUT', `/teams/${teamid}/users/${userid}`));
    return teamid;
  };
  const teamid = await team('Line B', wilma);
  await team('Line C', milan);
  const { guideid } = await makeGuide(lead);
  const net = { isOn: true };
  const device = await startWholeDevice(() => (net.isOn ? server.url : null), newDisk());
  closing.push(device);
  await device.signIn('Leonie');
  await device.inSync();
  const start = (person: TestPerson, workorderid: string) =>
    ok<WorkLogEntry>(person.call('POST', '/work_log', { guideid, workorderid }));
  return { net, device, people: { lead, wilma, milan }, teamid, start };
}

const shown = ({ source, total, orders }: FoundOrders) => [
  source,
  total,
  orders.map(({ workorderid, username, status, deviates }) => [workorderid, username, status, deviates]),
];

test('ORDER-LIST-2 a lead finds the orders of the team on the server, and offline those that the device has', async () => {
  const { net, device, people, teamid, start } = await shop();
  const { lead, wilma, milan } = people;
  const first = await start(wilma, 'WO-1');
  await ok(wilma.call('POST', '/deviations', { entryid: first.entryid, title: 'A dent' }));
  await ok(wilma.call('POST', `/work_log/${first.entryid}/finish`, {}));
  await start(lead, 'WO-2');
  await start(milan, 'WO-3');
  device.actions.syncNow();
  await device.shows(({ orders }) => orders.length === 3, 'board');
  const find = async (filter: Parameters<typeof device.actions.findOrders>[0]) =>
    shown(await device.actions.findOrders(filter, 0));
  const done = ['WO-1', 'Wilma', 'complete', true];
  const open = ['WO-2', 'Leonie', 'started', false];
  const last = ['WO-3', 'Milan', 'started', false];
  const cases = [
    [{}, [last, open, done]],
    [{ teamid }, [open, done]],
    [{ userid: lead.userid }, [open]],
    [{ status: 'complete' }, [done]],
    [{ deviating: true }, [done]],
    [{ guideid: first.guideid, from: first.starttime, until: first.starttime + 3600 }, [last, open, done]],
    [{ until: first.starttime }, []],
  ] as const;
  for (const [filter, orders] of cases) expect(await find(filter)).toEqual(['server', orders.length, orders]);
  net.isOn = false;
  for (const [filter, orders] of cases) expect(await find(filter)).toEqual(['device', orders.length, orders]);
  expect(shown(await device.actions.findAllOrders({ teamid }))).toEqual(['device', 2, [open, done]]);
});

test('ORDER-LIST-2 all pages are read for a file', async () => {
  const { device, people, start } = await shop();
  for (let number = 1; number <= 52; number += 1) await start(people.wilma, `WO-${number}`);
  const pages = [await device.actions.findOrders({}, 0), await device.actions.findOrders({}, 1)];
  expect(pages.map(({ orders, total }) => [orders.length, total])).toEqual([
    [50, 52],
    [2, 52],
  ]);
  const all = await device.actions.findAllOrders({});
  expect(all.orders.map(({ entryid }) => entryid)).toEqual(
    pages.flatMap(({ orders }) => orders.map(({ entryid }) => entryid)),
  );
});
