import sharp from 'sharp';
import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { startServer } from '#test/support/server.ts';
import { makeForm, makeGuide, seenBy, stepAt } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice } from './support/whole-device.ts';

test('OUTBOX-13 work that a person left on a device waits for them while another person works there', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const ben = await server.person('Ben');
  const guide = await makeGuide(ada);
  await makeForm(ada, guide);
  const guideid = String(guide.guideid);
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, newDisk());
  const { actions } = device;
  await device.signIn('Ada');
  await device.inSync();
  const playable = must(await device.shows((one) => one !== null, 'guide', guideid), 'the guide');
  const fields = must(playable.steps[0], 'a step').fields;

  url = null;
  const order = await actions.startWorkOrder(guideid, 'WO-1');
  await actions.recordValue(order, must(fields[0], 'the torque'), '12');
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
  await actions.recordFile(
    order,
    must(fields[2], 'the photo'),
    new Blob([new Uint8Array(photo)]),
    'belt.png',
  );
  await actions.comment('step', String(stepAt(guide, 0)), "Ada's words");
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'title', value: "Ada's title" });
  const waiting = (await device.look('activity')).map(({ id }) => id);
  expect(waiting.length).toBeGreaterThan(2);
  await actions.signOut();

  url = server.url;
  await device.signIn('Ben');
  expect(await device.look('activity')).toEqual([]);
  expect(await device.look('workOrders')).toEqual([]);
  expect(await device.look('draft', guideid)).toBeNull();
  await actions.comment('guide', guideid, "Ben's words");
  await device.inSync();
  expect((await seenBy(server, ada, 'comments')).map(({ doc }) => doc)).toMatchObject([
    { userid: ben.userid, text_raw: "Ben's words" },
  ]);
  expect(await seenBy(server, ben, 'workLog')).toEqual([]);

  await device.signIn('Ada');
  expect((await device.look('activity')).map(({ id }) => id)).toEqual(waiting);
  expect((await device.shows((draft) => draft !== null, 'draft', guideid))?.content.title).toBe(
    "Ada's title",
  );
  await device.inSync();
  expect((await seenBy(server, ada, 'comments')).map(({ doc }) => doc)).toMatchObject([
    { userid: ben.userid, text_raw: "Ben's words" },
    { userid: ada.userid, text_raw: "Ada's words" },
  ]);
  const entries = (await seenBy(server, ada, 'workLog')).map(({ doc }) => JSON.stringify(doc));
  expect(entries).toHaveLength(1);
  expect(entries[0]).toContain('WO-1');
  const [sent] = await device.look('workOrders');
  expect(Object.values(must(sent, 'the order').values).map(({ label, saved }) => [label, saved])).toEqual(
    expect.arrayContaining([['Torque', 'server']]),
  );
});
