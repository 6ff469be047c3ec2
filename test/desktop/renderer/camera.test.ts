import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { browserArguments, ensureBrowser } from '#test/support/browser.ts';

import { openWorkbench, type AppPage, type Look, type Workbench } from './app-page.ts';
import { offences } from './axe.ts';

let browser: Browser;
let bench: Workbench;
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: ensureBrowser(() => undefined),
    args: [
      ...browserArguments,
      '--use-fake-device-for-media-stream=device-count=2',
      '--use-fake-ui-for-media-stream',
    ],
  });
  browser.on('context', (context) => context.setDefaultTimeout(20_000));
  bench = await openWorkbench(undefined, browser);
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await browser.close();
});

/** A step with a field for a photo, once the app knows that there is a camera. */
async function openStep(look: Look = {}): Promise<AppPage> {
  const app = await bench.open('/guides/9001#s90008', { running: true }, look);
  await app.page.waitForFunction(async () =>
    (await navigator.mediaDevices.enumerateDevices()).some(({ kind }) => kind === 'videoinput'),
  );
  return app;
}

const names = { take: 'Take the photo', use: 'Use this photo', again: 'Take another' };

/** Whether the video shows something that moves. */
const isLive = ({ page }: AppPage): Promise<boolean> =>
  page.evaluate(() => {
    const video = document.querySelector<HTMLVideoElement>('[role="dialog"] video');
    const [track] = video?.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks() : [];
    return video !== null && video.videoWidth > 0 && track?.readyState === 'live';
  });

/** Counts the cameras that are on. */
async function watchTracks({ page }: AppPage): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const tracks: MediaStreamTrack[] = [];
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wish) => {
      const stream = await open(wish);
      tracks.push(...stream.getTracks());
      return stream;
    };
    Object.assign(window, { tracks });
  });
  return () =>
    page.evaluate(
      () =>
        (Reflect.get(window, 'tracks') as MediaStreamTrack[]).filter(
          ({ readyState }) => readyState === 'live',
        ).length,
    );
}

const takePhoto = ({ page }: AppPage) => page.getByRole('button', { name: 'Take or choose a photo' });

describe('the viewfinder', () => {
  test.for([
    ['a computer', {}],
    ['a phone', { density: 'touch', width: 390, height: 844, touch: true }],
    ['a dark kiosk', { density: 'kiosk', theme: 'dark', width: 1280, height: 800 }],
  ] as const)('CAMERA-1 CAMERA-2 CAMERA-3 takes a photo that was looked at, on %s', async ([, look]) => {
    await using app = await openStep(look);
    const { page } = app;
    const lit = await watchTracks(app);
    await takePhoto(app).click();
    const dialog = page.getByRole('dialog', { name: 'Take a photo' });
    await expect.poll(() => isLive(app)).toBe(true);
    expect(await offences(page, look)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await dialog.getByRole('button', { name: names.take }).click();
    await dialog.getByRole('img', { name: 'The photo' }).waitFor();
    expect(await lit()).toBe(0);
    await dialog.getByRole('button', { name: names.again }).click();
    await expect.poll(() => isLive(app)).toBe(true);
    await dialog.getByRole('button', { name: names.take }).click();
    await dialog.getByRole('button', { name: names.use }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await lit()).toBe(0);
    await expect.poll(() => app.calls('recordFile')).toHaveLength(1);
  });

  test('CAMERA-2 works by keyboard alone, and Escape turns the camera off', async () => {
    await using app = await openStep();
    const { page } = app;
    const lit = await watchTracks(app);
    await takePhoto(app).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => isLive(app)).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(lit).toBe(0);
    await takePhoto(app).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => isLive(app)).toBe(true);
    // The main button has the focus.
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe(names.take);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe(names.use);
    await page.keyboard.press('Enter');
    await expect.poll(() => app.calls('recordFile')).toHaveLength(1);
  });

  test('switches to the other camera', async () => {
    await using app = await openStep();
    const { page } = app;
    const camera = () =>
      page.evaluate(() => {
        const video = document.querySelector<HTMLVideoElement>('[role="dialog"] video');
        const [track] = video?.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks() : [];
        return track?.getSettings().deviceId ?? '';
      });
    await takePhoto(app).click();
    await expect.poll(() => isLive(app)).toBe(true);
    const first = await camera();
    await page.getByRole('button', { name: 'Other camera' }).click();
    await expect.poll(async () => ['', first].includes(await camera())).toBe(false);
    await page.getByRole('button', { name: 'Other camera' }).click();
    await expect.poll(camera).toBe(first);
  });

  test.for([
    ['NotAllowedError', 'The app may not use the camera'],
    ['NotFoundError', 'There is no camera'],
    ['NotReadableError', 'The camera does not start'],
  ] as const)(
    'CAMERA-4 %s is explained, tried again, and a file can be chosen instead',
    async ([name, words]) => {
      await using app = await openStep();
      const { page } = app;
      await page.evaluate((error) => {
        const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
        let tries = 0;
        navigator.mediaDevices.getUserMedia = (wish) => {
          tries += 1;
          return tries === 1 ? Promise.reject(new DOMException('', error)) : open(wish);
        };
      }, name);
      await takePhoto(app).click();
      await page.getByText(words).waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => isLive(app)).toBe(true);
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      const pixel =
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      await (
        await choosing
      ).setFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') });
      await expect.poll(() => app.calls('recordFile')).toHaveLength(1);
    },
  );

  test('CAMERA-1 without a camera, the dialog of the system opens', async () => {
    await using app = await bench.open('/guides/9001', { running: true });
    const { page } = app;
    await page.addInitScript(() => {
      navigator.mediaDevices.enumerateDevices = () => Promise.resolve([]);
    });
    await page.goto(new URL('/guides/9001#s90008', page.url()).href);
    await page.reload();
    const choosing = page.waitForEvent('filechooser');
    await takePhoto(app).click();
    await choosing;
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('CAMERA-2 a code is taken as soon as the camera shows it', async () => {
    await using app = await bench.open('/', { running: true });
    const { page } = app;
    await page.evaluate(() => {
      let looks = 0;
      class BarcodeDetector {
        detect = () => Promise.resolve((looks += 1) < 3 ? [] : [{ rawValue: 'WO-1042' }]);
      }
      Object.assign(window, { BarcodeDetector });
    });
    await page.keyboard.press('Control+k');
    await page.getByRole('button', { name: 'Scan with the camera' }).click();
    await page.getByRole('dialog', { name: 'Scan a code' }).waitFor();
    await page.waitForURL(/\/guides\/9001/);
  });
});
