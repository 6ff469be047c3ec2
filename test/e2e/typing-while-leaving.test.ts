import { expect, test } from 'vitest';

import { makeGuide } from '#test/support/workshop.ts';

import { signIn, startWholeApp, status } from './whole-app.ts';

test('LEAVING-4 text typed while the author makes the guide private is kept to the last letter', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  await server.person('Ben');
  const guide = await makeGuide(ada);
  const { context, wire } = await openDevice();
  const page = await context.newPage();
  await page.goto(wire.url);
  await signIn(page, 'ben');
  await status(page, /^Synced/);
  await page.goto(`${wire.url}/guides/${guide.guideid}/edit`);
  const summary = page.getByLabel('Summary', { exact: true });
  await summary.fill('');
  await page.evaluate(() => {
    document.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)
        document.documentElement.dataset['typed'] = target.value;
    });
  });
  const left = page.getByRole('heading', { name: 'You can no longer see this guide' });
  await summary.pressSequentially('Lock ', { delay: 35 });
  const hidden = ada.call('DELETE', `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`);
  await page.keyboard.type('abcdefghijklmnopqrstuvwxyz0123456789'.repeat(2), { delay: 35 });
  expect((await hidden).status).toBeLessThan(300);
  await left.waitFor();
  const typed: string = await page.evaluate(() => document.documentElement.dataset['typed'] ?? '');
  expect(typed).toMatch(/^Lock a/);
  await page.getByText('What you wrote is kept under Sync.').waitFor();
  await page.getByRole('link', { name: 'Open Sync' }).click();
  await page.getByText(/Show \d+ texts? you wrote/).click();
  await page.getByText(typed, { exact: true }).waitFor();
});
