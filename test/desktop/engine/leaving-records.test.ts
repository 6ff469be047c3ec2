import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { rareWord } from '#test/support/raw-search.ts';

import { bench, call, tokenOf, type Bench } from './support/restored-bench.ts';

/** A call of the API as somebody, signed in anew because each restore forgets sessions. */
function callsOn({ server }: Bench) {
  return async (name: string, method: string, path: string, body?: object) =>
    call(server, await tokenOf(server, `${name}@example.com`), method, path, body);
}

function journalText({ disk }: Bench): string {
  return [...disk.journal.values()].map((bytes) => new TextDecoder('latin1').decode(bytes)).join('\n');
}

/** Closes the app and starts it again, in sync. */
async function restart(world: Bench): Promise<void> {
  await world.restart(async () => undefined);
  await world.device.inSync();
}

test('LEAVING-9 OUTBOX-14 what a former lead decided is offered to a restored server, without the number of the order', async () => {
  await using world = await bench();
  const { server } = world;
  const as = callsOn(world);
  const mira = await server.now.person('Mira', ['User', 'Admin']);
  const wilma = await server.now.person('Wilma', ['User']);
  const { teamid } = await as('ana', 'POST', '/teams', { name: 'Line B' });
  await as('ana', 'PUT', `/teams/${String(teamid)}/users/${wilma.userid}`);
  await as('ana', 'PUT', `/teams/${String(teamid)}/users/${mira.userid}`);
  const [number, reason] = [rareWord(), rareWord()];
  const guideid = Number(world.guideid);
  const { entryid } = await as('wilma', 'POST', '/work_log', { guideid, workorderid: number });
  const { deviationid } = await as('wilma', 'POST', '/deviations', { entryid, title: 'A dent' });
  await server.backUp();
  const [open] = await world.device.shows((all) => all.length === 1, 'deviations');
  await world.device.actions.decideDeviation(must(open, 'the deviation').deviationid, 'rework', reason);
  await world.device.shows((all) => all[0]?.decision?.pending === false, 'deviations');
  await restart(world);
  expect(journalText(world)).toContain(number);

  await as('mira', 'PATCH', `/teams/${String(teamid)}`, { owner: mira.userid });
  world.device.actions.syncNow();
  await world.device.shows((all) => all.length === 0, 'deviations');
  await expect.poll(() => journalText(world)).not.toContain(number);
  await restart(world);
  expect(journalText(world)).not.toContain(number);
  expect(JSON.stringify(await world.device.look('activity'))).not.toContain(number);
  expect(journalText(world)).toContain(reason);

  await server.restore();
  world.device.actions.syncNow();
  const path = `/deviations/${String(deviationid)}`;
  await expect.poll(async () => JSON.stringify(await as('mira', 'GET', path))).toContain(reason);
});

test('LEAVING-9 a change of a planned order that waits loses the order on which it was made', async () => {
  await using world = await bench();
  const { server } = world;
  const as = callsOn(world);
  const mira = await server.now.person('Mira', ['User', 'Admin']);
  const { teamid } = await as('ana', 'POST', '/teams', { name: 'Line B' });
  await as('ana', 'PUT', `/teams/${String(teamid)}/users/${mira.userid}`);
  const [theirs, mine] = [rareWord(), rareWord()];
  const guideid = Number(world.guideid);
  const order = { guideid, workorderid: 'WO-7', teamid, note: theirs, serials: ['S-1'] };
  await as('mira', 'POST', '/work_orders', order);
  world.device.actions.syncNow();
  const [seen] = await world.device.shows((all) => all.length === 1, 'plannedOrders');
  world.passes = (path) => path !== '/sync/1/batch';
  const { revision: _revision, ...plan } = must(seen, 'the planned order');
  await world.device.actions.changePlannedOrder(must(seen, 'the planned order'), { ...plan, note: mine });
  await as('mira', 'PATCH', `/teams/${String(teamid)}`, { owner: mira.userid });
  const { userid } = await as('ana', 'GET', '/user');
  await as('mira', 'DELETE', `/teams/${String(teamid)}/users/${String(userid)}`);
  world.device.actions.syncNow();
  await world.device.shows((all) => all.length === 0, 'plannedOrders');
  await expect.poll(() => journalText(world)).not.toContain(theirs);
  expect(journalText(world)).toContain(mine);
});
