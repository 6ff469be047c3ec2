import { afterEach, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

const hour = 60 * 60_000;

interface Shop {
  net: { isOn: boolean };
  /** Opens a person's device. RxDB opens one home at a time, so only one device is open. */
  open: (name: 'Leonie' | 'Wilma') => Promise<WholeDevice>;
  worker: TestPerson;
  admin: TestPerson;
  teamid: number;
  guideid: number;
}

/** A lead with a worker in a team, each with a device. */
async function shop(): Promise<Shop> {
  const server = await startServer();
  closing.push(server);
  await server.category('Bench Grinder');
  const lead = await server.person('Leonie', ['User', 'Author']);
  const worker = await server.person('Wilma', ['User']);
  const admin = await server.person('Ada', ['User', 'Admin']);
  const { teamid } = (await lead.call('POST', '/teams', { name: 'Line B' })).body as { teamid: number };
  await lead.call('PUT', `/teams/${teamid}/users/${worker.userid}`);
  const { guideid } = await makeGuide(lead);
  const net = { isOn: true };
  const disks = { Leonie: newDisk(), Wilma: newDisk() };
  const known = new Set<string>();
  const open: Shop['open'] = async (name) => {
    const device = await startWholeDevice(() => (net.isOn ? server.url : null), disks[name]);
    if (!known.has(name)) await device.signIn(name);
    known.add(name);
    if (net.isOn) await device.inSync();
    return device;
  };
  return { net, open, worker, admin, teamid, guideid };
}

test('SHIFT-5 a summary made offline waits with its note; the server computes it when it arrives', async () => {
  const { open, net, worker, teamid, guideid } = await shop();
  {
    await using lead = await open('Leonie');
    expect(await lead.look('shiftTeams')).toEqual([{ teamid, name: 'Line B', lastEnd: null }]);
    net.isOn = false;
    const to = Date.now();
    const id = await lead.actions.makeShiftSummary({
      teamid,
      from: to - 8 * hour,
      to: to + hour,
      note: ' Check the press first ',
    });
    const waiting = {
      shift_summaryid: id,
      teamName: 'Line B',
      note: 'Check the press first',
      computed: null,
    };
    expect(await lead.look('shiftSummaries')).toMatchObject([waiting]);
    expect(await lead.look('shiftSummary', id)).toMatchObject({ ...waiting, record: null });
    // Work that reaches the server before the call is in the summary.
    await worker.call('POST', '/work_log', { guideid, workorderid: 'WO-7' });
    net.isOn = true;
    lead.actions.syncNow();
    const made = must(await lead.shows((one) => one?.record != null, 'shiftSummary', id), 'the summary');
    expect(made).toMatchObject({ note: 'Check the press first', madeBy: 'Leonie', isSealed: true });
    expect(made.record?.summary.orders).toMatchObject([{ workorderid: 'WO-7', status: 'started' }]);
    const [row, ...others] = await lead.look('shiftSummaries');
    expect([row?.note, others]).toEqual(['Check the press first', []]);
    expect(await lead.look('shiftTeams')).toMatchObject([{ lastEnd: expect.any(Number) as number }]);
  }
  await using member = await open('Wilma');
  const [row] = await member.shows((all) => all.length === 1, 'shiftSummaries');
  net.isOn = false;
  const read = await member.look('shiftSummary', must(row, 'the summary').shift_summaryid);
  expect(read).toMatchObject({ isSealed: true, record: { summary: { orders: [{ workorderid: 'WO-7' }] } } });
  expect(await member.look('shiftTeams')).toEqual([]);
  const own = member.actions.makeShiftSummary({ teamid, from: 0, to: hour, note: '' });
  await expect(own).rejects.toThrow('Only a lead makes summaries');
});

test('SHIFT-5 the note of a refused summary is kept, and what the server would refuse stays in the form', async () => {
  const { open, net, admin, teamid, worker } = await shop();
  await using lead = await open('Leonie');
  const to = Date.now();
  const wish = { teamid, from: to - hour, to, note: 'Check the press first' };
  const long = lead.actions.makeShiftSummary({ ...wish, from: to - 8 * 24 * hour });
  await expect(long).rejects.toThrow('at most 7 days');
  await expect(lead.actions.makeShiftSummary({ ...wish, note: 'x'.repeat(4001) })).rejects.toThrow('4000');
  expect(await lead.look('shiftSummaries')).toEqual([]);
  net.isOn = false;
  await lead.actions.makeShiftSummary(wish);
  await admin.call('PATCH', `/teams/${teamid}`, { owner: worker.userid });
  net.isOn = true;
  lead.actions.syncNow();
  const [refused] = await lead.shows((all) => all[0]?.state === 'parked', 'activity');
  expect(refused).toMatchObject({
    kind: 'shift',
    detail: 'made',
    subject: 'Line B',
    refusal: { status: 403 },
    call: { body: { note: 'Check the press first' } },
  });
  expect(await lead.look('shiftSummaries')).toMatchObject([
    { note: 'Check the press first', computed: null },
  ]);
});
