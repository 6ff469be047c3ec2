import { expect, test } from 'vitest';

import { protocolRange } from '#shared/sync/protocol.ts';
import { seenBy } from '#test/support/workshop.ts';

import { go, keptOffline, signIn, startOrder, startWithForm, status, takePhoto } from './whole-app.ts';

const newest = protocolRange.newest;

test.each([
  [
    'an app',
    { oldest: newest + 1, newest: newest + 3 },
    'Update the app to continue syncing. Your work is kept.',
  ],
  [
    'a server',
    { oldest: 1, newest: protocolRange.oldest - 1 },
    'The server is older than this app. Ask your administrator to update it. Your work is kept.',
  ],
])(
  'PROTOCOL-7 %s that is too old is reported, nothing is lost, and everything continues after the update',
  async (_, range, words) => {
    await using resources = new AsyncDisposableStack();
    const { server, ada, guide, device } = await startWithForm(resources);
    let page = await device.context.newPage();
    await page.goto(device.wire.url);
    await signIn(page);
    await status(page, /^Synced/);
    await keptOffline(page);

    server.services.protocols = range;
    await go(page, `/guides/${guide.guideid}`);
    await startOrder(page, 'WO-7');
    await page.getByLabel('Torque').fill('12.5');
    await takePhoto(page);
    await page.getByRole('heading', { level: 1 }).click();
    await status(page, words);
    // Nobody is signed out, nothing is refused, and the work exists after a restart.
    await page.close();
    page = await device.context.newPage();
    await page.goto(`${device.wire.url}/sync`);
    await status(page, words);
    await page.getByText('WO-7').first().waitFor();
    expect(await page.getByText('Refused').count()).toBe(0);

    server.services.protocols = protocolRange;
    await page.getByRole('button', { name: 'Sync now' }).first().click();
    await status(page, /^Synced/);
    const [entry, ...others] = (await seenBy(server, ada, 'workLog')).map(({ doc }) => JSON.stringify(doc));
    expect(others).toEqual([]);
    expect(entry).toContain('"WO-7"');
    expect(entry).toContain('"12.5"');
    expect((await ada.call('GET', '/user/media/images')).body).toHaveLength(1);
  },
);
