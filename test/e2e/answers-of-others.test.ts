import { expect, test } from 'vitest';

import { launchProfile } from '#test/support/browser.ts';
import { layProxy, type MeddlingProxy, type Page as ProxyPage } from '#test/support/meddling-proxy.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { seenBy } from '#test/support/workshop.ts';

import { go, signIn, startOrder, startWithForm, status, takePhoto } from './whole-app.ts';

const hotel = '<html><body><h1>Welcome to the hotel</h1>Sign in to go on</body></html>';

/** Answers the first requests selected by `isMeant` with `pages`, one each. */
function answerOnce(proxy: MeddlingProxy, isMeant: (path: string) => boolean, pages: ProxyPage[]): void {
  proxy.answer = ({ method, url = '' }) =>
    method === 'POST' && isMeant(url) ? (pages.shift() ?? null) : null;
}

test('OUTBOX-22 a photo whose upload a captive portal answered twice reaches the server once, with the calls that waited for it', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, guide } = await startWithForm(resources);
  const proxy = resources.use(await layProxy(server.url));
  const profile = resources.use(await temporaryFolder('device-profile')).path;
  const context = await launchProfile(profile);
  resources.defer(() => context.close());

  const page = await context.newPage();
  await page.goto(proxy.url);
  await signIn(page);
  await status(page, /^Synced/);
  const pages = [
    { status: 200, html: hotel },
    { status: 200, html: '' },
  ];
  answerOnce(proxy, (path) => path.startsWith('/api/2.0/user/media/images'), pages);
  await go(page, `/guides/${guide.guideid}`);
  await startOrder(page, 'WO-7');
  await page.getByLabel('Torque').fill('12.5');
  await takePhoto(page);
  await page.getByRole('heading', { level: 1 }).click();
  await expect.poll(() => pages.length, { timeout: 60_000 }).toBe(0);
  await status(page, /^Synced/);

  const images = await ada.call('GET', '/user/media/images');
  expect(images.body).toHaveLength(1);
  const [entry, ...others] = (await seenBy(server, ada, 'workLog')).map(({ doc }) => JSON.stringify(doc));
  expect(others).toEqual([]);
  expect(entry).toContain('"WO-7"');
  expect(entry).toContain('"12.5"');
  expect(entry).not.toContain('tmp:');
});
