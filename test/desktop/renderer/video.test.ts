import { afterAll, beforeAll, expect, test } from 'vitest';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('a video that the server refuses is reported missing, and is shown when this device has it', async () => {
  await using app = await bench.open('/guides/9001');
  const { page } = app;
  await page.route('**/Video/private.mp4', (route) => route.fulfill({ status: 401 }));
  await page.evaluate(() => {
    const video = {
      file: 'video:/Video/private.mp4',
      url: '/Video/private.mp4',
      poster: null,
      mime: 'video/mp4',
    };
    window.fixture.change((now) => ({
      guides: now.guides.map((guide) => ({
        ...guide,
        steps: guide.steps.map((step, index) => (index === 0 ? { ...step, video } : step)),
      })),
    }));
  });
  await page.getByRole('button', { name: 'First step' }).click();
  await page.getByText('This video is not on this device yet').waitFor();
  await app.change({ video: 'blob:here' });
  await expect.poll(() => page.locator('video source').getAttribute('src')).toBe('blob:here');
});
