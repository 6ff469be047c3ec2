import { expect, test } from 'vitest';

import type { EntryFacts } from '#shared/model/work-log.ts';
import { seenBy } from '#test/support/workshop.ts';

import { go, signIn, startOrder, startWithForm, status, takePhoto } from './whole-app.ts';

test('OUTBOX-4 an app whose leading tab is closed while sending sends the rest from the other tab, each call once', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, guide, device } = await startWithForm(resources);
  const { context, wire } = device;

  const leading = await context.newPage();
  await leading.goto(wire.url);
  await signIn(leading);
  await status(leading, /^Synced/);
  const other = await context.newPage();
  await other.goto(wire.url);
  await status(other, /^Synced/);

  await device.goOffline();
  for (const tab of [leading, other]) {
    await status(tab, /^Offline/);
    await go(tab, `/guides/${guide.guideid}`);
  }
  await startOrder(leading, 'WO-7');
  await leading.getByLabel('Torque').fill('12.5');
  await leading.getByLabel('Torque').blur();
  await takePhoto(leading);
  await other.getByRole('button', { name: 'Add a comment' }).click();
  await other.getByLabel('Comments on this guide').fill('From the other tab');
  await other.getByRole('button', { name: 'Post comment' }).click();
  await other.getByRole('article').getByText('From the other tab').waitFor();
  for (const tab of [leading, other]) await status(tab, 'Offline · 5 changes saved on this device');

  // The server performs the request of the leading tab, but the response never arrives.
  const performed = Promise.withResolvers<number>();
  await leading.route('**/sync/1/batch?*', async (route) => {
    performed.resolve((await route.fetch()).status());
  });
  await device.goOnline();
  expect(await performed.promise).toBe(200);
  await leading.close();
  await status(other, /^Synced/);

  const [entry, ...entries] = (await seenBy(server, ada, 'workLog')).map(({ doc }) => doc as EntryFacts);
  expect(entries).toEqual([]);
  expect(entry?.workorderid).toBe('WO-7');
  expect(entry?.events.filter(({ type }) => type === 'start')).toHaveLength(1);
  expect(JSON.stringify(entry)).toContain('"12.5"');
  const { body: comments } = await ada.call('GET', `/comments/guide/${guide.guideid}`);
  expect((comments as { text_raw: string }[]).map(({ text_raw }) => text_raw)).toEqual([
    'From the other tab',
  ]);
  expect((await ada.call('GET', '/user/media/images')).body).toHaveLength(1);

  const third = await context.newPage();
  await third.goto(`${wire.url}/sync`);
  await status(third, /^Synced/);
  await go(other, '/sync');
  for (const tab of [other, third]) await tab.getByText('WO-7').first().waitFor();
});
