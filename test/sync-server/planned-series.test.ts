import { afterEach, expect, test } from 'vitest';

import type { PlannedOrder } from '#shared/model/planned-orders.ts';
import { must } from '#shared/must.ts';
import { planAhead } from '#server/features/planned-orders/series.ts';
import { localTime, occurrencesOf } from '#server/features/planned-orders/recurrence.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';
import { written } from '#test/support/written.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

const day = 24 * 3600;
/** Monday 19 October 2026, 6:00 in Berlin. Summer time ends on 25 October. */
const monday = Date.UTC(2026, 9, 19, 4) / 1000;

interface Shop {
  server: TestServer;
  admin: TestPerson;
  clock: { seconds: number };
  guideid: number;
  plan: (more: object) => Promise<{ status: number; body: PlannedOrder }>;
  /** Due times, oldest first. */
  dues: (query?: string) => Promise<number[]>;
}

async function shop(): Promise<Shop> {
  const clock = { seconds: monday };
  const server = await startServer({ now: () => clock.seconds * 1000, site: { time_zone: 'Europe/Berlin' } });
  closing.push(server);
  await server.category('Bench Grinder');
  const admin = await server.person('Ada', ['User', 'Admin']);
  const { guideid } = await makeGuide(admin);
  const plan: Shop['plan'] = (more) =>
    admin.call('POST', '/work_orders', { guideid, workorderid: 'PM-1', userid: admin.userid, ...more });
  const dues: Shop['dues'] = async (query = '') => {
    const all = (await admin.call('GET', `/work_orders?limit=200&${query}`)).body as PlannedOrder[];
    return all.map(({ due }) => must(due, 'due')).toSorted((a, b) => a - b);
  };
  return { server, admin, clock, guideid, plan, dues };
}

test('PLANNED-8 a rule is expanded 14 days ahead, at the same local time across the end of summer time', async () => {
  const { server, plan, dues, clock, admin } = await shop();
  const due = monday + 2 * 3600;
  const { status, body } = await plan({
    due,
    rrule: 'FREQ=WEEKLY',
    serials: ['S-1'],
    priority: 'high',
    note: 'Oil',
  });
  expect([status, body]).toMatchObject([
    201,
    { due, status: 'open', series: { rrule: 'FREQ=WEEKLY', occurrence: due } },
  ]);
  const winter = 3600;
  expect(await dues()).toEqual([due, due + 7 * day + winter]);
  clock.seconds += 7 * day + winter;
  await planAhead(server.services);
  expect(await dues()).toEqual([7, 14].map((days) => due + days * day + winter).toSpliced(0, 0, due));
  const all = (await admin.call('GET', '/work_orders')).body as PlannedOrder[];
  const like = { serials: ['S-1'], priority: 'high', note: 'Oil', workorderid: 'PM-1', status: 'open' };
  expect(all).toMatchObject([like, like, like]);
});

test('PLANNED-8 each time has one order, however often the server looks, also after a withdrawal or a new due time', async () => {
  const { server, plan, dues, admin, clock } = await shop();
  const { body } = await plan({ due: monday + 3600, rrule: 'FREQ=DAILY' });
  expect(await dues()).toHaveLength(14);
  const path = `/work_orders/${body.planned_orderid}`;
  const moved = await admin.call('PATCH', `${path}?revisionid=${body.revisionid}`, { due: monday + 7200 });
  const { revisionid } = moved.body as PlannedOrder;
  await admin.call('POST', `${path}/withdraw?revisionid=${revisionid}`, {});
  for (let look = 0; look < 3; look += 1) {
    // As if the mark were older than the orders.
    await written(server.services, (tx) =>
      tx.updateTable('planned_series').set({ planned_until: monday }).execute(),
    );
    await planAhead(server.services);
  }
  await Promise.all([planAhead(server.services), planAhead(server.services)]);
  expect(await dues()).toHaveLength(14);
  clock.seconds += day;
  await Promise.all([planAhead(server.services), planAhead(server.services)]);
  expect(await dues()).toHaveLength(15);
});

test('PLANNED-8 a start fulfils its order of a series, also if a restored server gave that another number', async () => {
  const { plan, admin, guideid } = await shop();
  const { body } = await plan({ due: monday + 3600, rrule: 'FREQ=DAILY' });
  const { seriesid, occurrence } = must(body.series, 'the series');
  const start = { guideid, workorderid: 'PM-1', planned_orderid: 999_999 };
  const named = { seriesid, occurrence: occurrence + day };
  const made = await admin.call('POST', '/work_log', { ...start, planned_occurrence: named });
  const { entryid } = made.body as { entryid: number };
  const started = (await admin.call('GET', '/work_orders?status=started')).body as PlannedOrder[];
  expect(started).toMatchObject([{ entryid, series: named }]);
  const never = { seriesid, occurrence: occurrence + 1 };
  const own = await admin.call('POST', '/work_log', { ...start, planned_occurrence: never });
  expect(own.body).not.toHaveProperty('planned_orderid');
});

test('PLANNED-8 a rule that ends, ends; ending a series withdraws what follows', async () => {
  const { server, plan, dues, admin, clock } = await shop();
  await plan({ due: monday + 3600, rrule: 'FREQ=DAILY;COUNT=3', workorderid: 'PM-2' });
  expect(await dues('workorderid=PM-2')).toHaveLength(3);
  await plan({ due: monday + 3600, rrule: 'RRULE:FREQ=DAILY;UNTIL=20261021T220000Z', workorderid: 'PM-3' });
  expect(await dues('workorderid=PM-3')).toHaveLength(3);
  await plan({ due: monday + 3600, rrule: 'FREQ=DAILY', workorderid: 'PM-4' });
  const all = (await admin.call('GET', '/work_orders?workorderid=PM-4&order=ASC&limit=200'))
    .body as PlannedOrder[];
  const third = must(all[2], 'the third');
  const ended = await admin.call(
    'POST',
    `/work_orders/${third.planned_orderid}/withdraw?revisionid=${third.revisionid}`,
    {
      following: true,
    },
  );
  expect(ended.body).toMatchObject({ status: 'withdrawn' });
  expect(await dues('workorderid=PM-4&status=open')).toHaveLength(2);
  clock.seconds += 5 * day;
  await planAhead(server.services);
  expect(await dues('workorderid=PM-4')).toHaveLength(14);
  expect(await dues('workorderid=PM-2')).toHaveLength(3);
});

test('PLANNED-8 a rule that cannot be read, never occurs, or occurs more than daily is refused', async () => {
  const { plan, dues, admin } = await shop();
  const due = monday + 3600;
  expect((await plan({ rrule: 'FREQ=DAILY' })).status).toBe(422);
  for (const rrule of [
    'weekly',
    'FREQ=HOURLY',
    'FREQ=DAILY;BYHOUR=1,2,3',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTHDAY=1,99',
    'FREQ=YEARLY;BYMONTH=13',
    'FREQ=DAILY;UNTIL=20261021',
    'FREQ=DAILY;INTERVAL=1\nRDATE:20261020T060000',
  ])
    expect([rrule, (await plan({ due, rrule })).status]).toEqual([rrule, 422]);
  const mistyped = await plan({ due: due - 91 * day, rrule: 'FREQ=DAILY' });
  expect([mistyped.status, mistyped.body]).toMatchObject([422, { errors: [{ field: 'due' }] }]);
  expect(await dues()).toEqual([]);
  expect((await admin.call('PATCH', '/site', { time_zone: 'Mars/Olympus' })).status).toBe(422);
});

test('PLANNED-8 a series ends with its team, and the others go on', async () => {
  const { server, plan, dues, admin, clock } = await shop();
  const { teamid } = (await admin.call('POST', '/teams', { name: 'Line C' })).body as { teamid: number };
  const due = monday + 3600;
  await plan({ due, rrule: 'FREQ=DAILY', workorderid: 'PM-5', userid: undefined, teamid });
  await plan({ due, rrule: 'FREQ=DAILY', workorderid: 'PM-6' });
  // Orders that are open keep the team (TEAM-18).
  const open = (await admin.call('GET', '/work_orders?limit=200&workorderid=PM-5')).body as PlannedOrder[];
  for (const { planned_orderid, revisionid } of open)
    await admin.call('POST', `/work_orders/${planned_orderid}/withdraw?revisionid=${revisionid}`, {});
  expect((await admin.call('DELETE', `/teams/${teamid}`)).status).toBe(204);
  clock.seconds += 2 * day;
  await planAhead(server.services);
  expect(await dues('workorderid=PM-5')).toHaveLength(14);
  expect(await dues('workorderid=PM-6')).toHaveLength(16);
});

test('PLANNED-8 local times and occurrences of a zone', () => {
  expect(localTime(monday, 'Europe/Berlin')).toBe('20261019T060000');
  expect(localTime(0, 'UTC')).toBe('19700101T000000');
  const daily = { rrule: 'FREQ=DAILY', start: '20261024T023000', time_zone: 'Europe/Berlin' };
  const from = Date.UTC(2026, 9, 24) / 1000;
  expect(occurrencesOf(daily, from, from + 2 * day)).toHaveLength(2);
  // On 29 March there is no 2:30.
  const spring = { ...daily, start: '20260327T023000' };
  const march = Date.UTC(2026, 2, 27) / 1000;
  const local = (rule: typeof daily, until: number): string[] =>
    occurrencesOf(rule, march, march + until * day).map((at) => localTime(at, rule.time_zone));
  expect(local(spring, 4)).toEqual(['27T023', '28T023', '29T033', '30T023'].map((one) => `202603${one}000`));
  const ending = { ...spring, rrule: 'FREQ=DAILY;UNTIL=20260331T003000Z' };
  expect(local(ending, 9)).toHaveLength(5);
  expect(local({ ...spring, rrule: 'FREQ=DAILY;UNTIL=20260331T002900Z' }, 9)).toHaveLength(4);
});
