import { mkdir } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { Release } from '#shared/model/release.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { changeSite } from '#server/core/site.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';
import { makeGuide, seenBy } from '#test/support/workshop.ts';

import { keptOffline, signIn, startWholeApp, status } from './whole-app.ts';

async function edit(person: TestPerson, guide: Guide, change: object): Promise<Guide> {
  const path = `/guides/${guide.guideid}?revisionid=${guide.revisionid}`;
  const answer = await person.call('PATCH', path, change);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body;
}

async function upload(server: TestServer, { token }: TestPerson, background: string): Promise<number> {
  const picture = { create: { width: 640, height: 480, channels: 3, background } } as const;
  const answer = await fetch(`${server.url}/api/2.0/user/media/images?file=step.png`, {
    method: 'POST',
    headers: { Authorization: `api ${token}` },
    body: new Uint8Array(await sharp(picture).png().toBuffer()),
  });
  return ((await answer.json()) as { image: { id: number } }).image.id;
}

/** A lock-out guide edited after its release, and a guide that requires the release. */
async function pinned(server: TestServer, ada: TestPerson) {
  const bare = await makeGuide(ada);
  const step = must(bare.steps[0], 'a step');
  const old = await ada.call(
    'PATCH',
    `/guides/${bare.guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`,
    { media: { type: 'image', data: [await upload(server, ada, '#a33')] } },
  );
  expect([old.status, old.body]).toMatchObject([200, {}]);
  const first: Guide = (await ada.call('GET', `/guides/${bare.guideid}`)).body;
  const named = await edit(ada, first, { title: 'Lock out' });
  const made = await ada.call('POST', `/guides/${named.guideid}/releases?revisionid=${named.revisionid}`, {});
  const { releaseid } = made.body as Release;
  await edit(ada, named, { title: 'Lock out, revised' });
  const { guideid } = named;
  const guide = await edit(ada, await makeGuide(ada), {
    title: 'Drive belt',
    prerequisites: [guideid],
    prerequisite_releases: [{ guideid, releaseid }],
  });
  return { guide, first: named };
}

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['BENCHBOOK_SHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

test('VIEW-1 VIEW-3 VIEW-4 an offline worker follows a prerequisite as released, with pictures and work order', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  await changeSite(server.services, { releases: true });
  const { guide, first } = await pinned(server, ada);
  const device = await openDevice();
  const page = await device.context.newPage();
  await page.goto(device.wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await page.goto(`${device.wire.url}/guides/${guide.guideid}`);
  await page.getByText('Ready offline').waitFor();
  await keptOffline(page);

  await device.goOffline();
  await status(page, /^Offline/);
  const link = page.getByRole('link', { name: /Lock out 2 steps · v1\.0/ });
  await shot(page, 'released-1-list');
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Lock out', exact: true }).waitFor();
  await page.getByText('Release v1.0 of this guide').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/guides/${first.guideid}@${guide.guideid}`);
  await shot(page, 'released-2-overview');

  await page.getByRole('button', { name: 'Start work order' }).first().click();
  await page.getByLabel('Work order number').fill('WO-7');
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByRole('button', { name: 'First step' }).click();
  const picture = page.getByRole('button', { name: /^Enlarge picture/ }).locator('img');
  await picture.waitFor();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await shot(page, 'released-3-step');

  await page.reload();
  await page.getByText('Unplug it').waitFor();
  await page.goto(`${device.wire.url}/guides/${first.guideid}@${guide.guideid}`);
  await page.getByRole('link', { name: 'Open the current version' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lock out, revised' }).waitFor();

  await device.goOnline();
  await status(page, /^Synced/);
  const entries = (await seenBy(server, ada, 'workLog')).map(({ doc }) => doc as EntryFacts);
  expect(entries).toMatchObject([
    { guideid: first.guideid, guide_revisionid: first.guide_revisionid, workorderid: 'WO-7' },
  ]);

  await changeSite(server.services, { releases: false });
  await page.goto(`${device.wire.url}/guides/${guide.guideid}`);
  await page.getByRole('link', { name: 'Lock out, revised 2 steps' }).waitFor();
});
