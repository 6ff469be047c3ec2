import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';

import type { RestorableServer } from './support/restorable-server.ts';
import { bench, call, tokenOf, type Bench } from './support/restored-bench.ts';

interface Overwriting {
  what: string;
  isRemoval?: true;
  /** The person's action before the backup; returns an id for later. */
  begin: (world: Bench) => Promise<string>;
  /** Writes a text on the device. */
  write: (world: Bench, id: string, text: string) => Promise<void>;
  /** Ana writes a text on another device, which names the record by its number on the server. */
  writeElsewhere: (world: Bench, token: string, id: string, text: string) => Promise<unknown>;
  /** The record on the server. */
  read: (world: Bench, token: string, id: string) => Promise<unknown>;
}

const overwritings: Overwriting[] = [
  {
    what: 'a profile',
    begin: async () => '',
    write: ({ device }, _, about) => device.actions.saveProfile({ about }),
    writeElsewhere: async ({ server }, token, _, about) =>
      call(server, token, 'PATCH', `/users/${await userOf(server)}`, { about }),
    read: async ({ server }, token) => call(server, token, 'GET', `/users/${await userOf(server)}`),
  },
  {
    what: 'a comment',
    begin: ({ device, guideid }) => device.actions.comment('guide', guideid, 'At first'),
    write: ({ device }, id, text) => device.actions.editComment(id, text),
    writeElsewhere: async ({ server, guideid }, token, _, text) =>
      call(server, token, 'PATCH', `/comments/${await commentOf(server, token, guideid)}`, { text }),
    read: ({ server, guideid }, token) =>
      call(server, token, 'GET', `/comments?context=guide&contextid=${guideid}`),
  },
  {
    what: 'a comment that is to go',
    isRemoval: true,
    begin: ({ device, guideid }) => device.actions.comment('guide', guideid, 'At first'),
    write: ({ device }, id) => device.actions.removeComment(id),
    writeElsewhere: async ({ server, guideid }, token, _, text) =>
      call(server, token, 'PATCH', `/comments/${await commentOf(server, token, guideid)}`, { text }),
    read: ({ server, guideid }, token) =>
      call(server, token, 'GET', `/comments?context=guide&contextid=${guideid}`),
  },
  {
    what: 'a value of a work order',
    begin: ({ device, guideid }) => device.actions.startWorkOrder(guideid, 'WO-35'),
    write: async ({ device, guideid }, id, text) => {
      const field = must(await device.look('guide', guideid), 'the guide').steps[0]?.fields[0];
      await device.actions.recordValue(id, must(field, 'the torque'), text.includes('Ana') ? '11.5' : '22.5');
    },
    writeElsewhere: async ({ device, server, guideid }, token) => {
      const [order] = await device.look('workOrders');
      const field = must(await device.look('guide', guideid), 'the guide').steps[0]?.fields[0];
      const fields = { [String(must(field, 'the torque').field_revisionid)]: '33.5' };
      return call(server, token, 'PUT', `/work_log/${must(order, 'the order').entryid}/stepData`, { fields });
    },
    read: async ({ device, server }, token) => {
      const [order] = await device.look('workOrders');
      const path = `/work_log/${must(order, 'the order').entryid}`;
      // The order is running, so these values change.
      const { duration: _, active_duration: __, ...rest } = await call(server, token, 'GET', path);
      return rest;
    },
  },
];

async function userOf(server: RestorableServer): Promise<string> {
  const answer = await call(server, null, 'POST', '/user/token', {
    email: 'ana@example.com',
    password: 'a long password',
  });
  return String(answer['userid']);
}

async function commentOf(server: RestorableServer, token: string, guideid: string): Promise<string> {
  const text = JSON.stringify(
    await call(server, token, 'GET', `/comments?context=guide&contextid=${guideid}`),
  );
  return must(/"commentid":(\d+)/.exec(text)?.[1], 'a comment');
}

/** Ana's action is in the backup, her text only on the server; returns the id. */
async function writtenAfterBackup(
  world: Bench,
  begin: Overwriting['begin'],
  write: Overwriting['write'],
): Promise<string> {
  const { server, device } = world;
  const id = await begin(world);
  await device.inSync();
  await server.backUp();
  device.actions.syncNow();
  await device.inSync();
  await write(world, id, 'Written by Ana before');
  await device.inSync();
  return id;
}

for (const { what, isRemoval, begin, write, writeElsewhere, read } of overwritings) {
  test(`OUTBOX-35 ${what} changed since the restore is not overwritten by calls sent again`, async () => {
    await using world = await bench();
    const { server, device } = world;
    const id = await writtenAfterBackup(world, begin, write);
    world.passes = () => false;
    await server.restore();
    const token = await tokenOf(server, 'ana@example.com');
    await writeElsewhere(world, token, id, 'Newer words');
    const newer = await read(world, token, id);
    world.passes = () => true;
    device.actions.syncNow();
    const activity = await device.shows((items) => items.some(({ state }) => state === 'parked'), 'activity');
    const parked = activity.filter(({ state }) => state === 'parked');
    expect(parked).toHaveLength(1);
    expect(parked[0]?.refusal?.message).toContain('restored from a backup');
    expect(await read(world, token, id)).toEqual(newer);
  });

  test(`OUTBOX-35 ${what} unchanged since the restore is sent again`, async () => {
    await using world = await bench();
    const { server, device } = world;
    const id = await writtenAfterBackup(world, begin, write);
    // A removed record is not written again.
    if (!isRemoval) {
      await write(world, id, 'Written later');
      await device.inSync();
    }
    const last = await read(world, await tokenOf(server, 'ana@example.com'), id);
    await server.restore();
    const token = await tokenOf(server, 'ana@example.com');
    expect(wordsOf(await read(world, token, id))).not.toEqual(wordsOf(last));
    device.actions.syncNow();
    await expect.poll(async () => wordsOf(await read(world, token, id))).toEqual(wordsOf(last));
    const activity = await device.look('activity');
    expect(activity.filter(({ state }) => state === 'parked')).toEqual([]);
  });
}

test('OUTBOX-35 a comment that is created again is not compared with the one that now has its number', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  await server.backUp();
  actions.syncNow();
  await device.inSync();
  const comment = await actions.comment('guide', guideid, 'At first');
  await device.inSync();
  const isEdited = (): Promise<boolean> =>
    actions.editComment(comment, 'Written by Ana before').then(
      () => true,
      () => false,
    );
  await expect.poll(isEdited).toBe(true);
  await device.inSync();
  await device.inSync();
  const forgotten = await commentOf(server, await tokenOf(server, 'ana@example.com'), guideid);
  world.passes = () => false;
  await server.restore();
  const token = await tokenOf(server, 'ben@example.com');
  await call(server, token, 'POST', `/comments/guide/${guideid}`, { text: 'Told by Ben' });
  expect(await commentOf(server, token, guideid)).toBe(forgotten);
  world.passes = () => true;
  actions.syncNow();
  const there = async (): Promise<string[]> =>
    wordsOf(await call(server, token, 'GET', `/comments?context=guide&contextid=${guideid}`)).toSorted();
  await expect.poll(there).toEqual(['"text_raw":"Told by Ben"', '"text_raw":"Written by Ana before"']);
  expect((await device.look('activity')).filter(({ state }) => state === 'parked')).toEqual([]);
});

/** The texts of a person anywhere in a response. */
function wordsOf(answer: unknown): string[] {
  return JSON.stringify(answer).match(/"(?:text_raw|about_raw|value)":"[^"]*"/g) ?? [];
}
