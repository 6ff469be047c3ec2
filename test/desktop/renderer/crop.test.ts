import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { parseMarkup } from '#shared/formats/wikitext/markup.ts';
import type { ImageRef } from '#shared/model/image.ts';

import { openWorkbench, type AppPage, type Look, type Workbench } from './app-page.ts';
import { offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

/** A step whose first picture is 1600 × 1200 pixels and has markers. */
const marked = '/guides/9001/edit#s90004';

/** The pictures of the step in the draft. */
function pictures(app: AppPage): Promise<ImageRef[]> {
  return app.page.evaluate(() => {
    const media = window.fixture.world().drafts[0]?.content.steps[3]?.media;
    return media?.type === 'image' ? media.data : [];
  });
}

function frameOf(app: AppPage): Locator {
  return app.page.getByRole('application', { name: 'Frame: what stays of the picture' });
}

async function openCrop(look: Look = {}): Promise<AppPage> {
  const app = await bench.open(marked, {}, look);
  await startCrop(app);
  return app;
}

async function startCrop(app: AppPage): Promise<void> {
  await app.page.getByRole('button', { name: 'Crop and rotate' }).click();
  await frameOf(app).waitFor();
}

function dialogOf(app: AppPage): Locator {
  return app.page.getByRole('dialog', { name: 'Crop and rotate' });
}

/** Puts one picture from a file into the step, instead of those that it has, and opens the dialog. */
async function openCropOf(buffer: Buffer, mimeType: string, look: Look = {}): Promise<AppPage> {
  const app = await bench.open(marked, {}, look);
  const chooser = app.page.waitForEvent('filechooser');
  await app.page.getByRole('button', { name: 'Add picture' }).click();
  await (await chooser).setFiles({ name: 'Own photo.x', mimeType, buffer });
  await expect.poll(() => pictures(app)).toHaveLength(3);
  await app.page.getByRole('button', { name: 'Picture 3 of 3' }).click();
  await startCrop(app);
  return app;
}

/** The last picture of the step as it is stored: its type, and the colours at these shares of width and height. */
async function stored(app: AppPage, places: [x: number, y: number][]) {
  const { guid } = must((await pictures(app)).at(-1), 'a picture');
  return app.page.evaluate(
    async ([of, at]) => {
      const { file, filename } = await window.fixture.actions.readPicture(of);
      const bitmap = await createImageBitmap(file);
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      const colours = at.map(([x, y]) => [
        ...(context?.getImageData(Math.floor(x * width), Math.floor(y * height), 1, 1).data ?? []),
      ]);
      return { type: file.type, filename, width, height, colours };
    },
    [guid, places] as const,
  );
}

describe('PICTURE-4 by keys', () => {
  test('the arrow keys move and resize the frame, Enter applies, and undo brings the old picture back', async () => {
    await using app = await openCrop();
    const [before] = await pictures(app);
    const { keyboard } = app.page;
    for (let count = 0; count < 25; count += 1) await keyboard.press('Shift+ArrowLeft');
    for (let count = 0; count < 10; count += 1) await keyboard.press('Shift+ArrowUp');
    await dialogOf(app).getByText('1,200 × 1,040 pixels').waitFor();
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await dialogOf(app).waitFor({ state: 'detached' });
    const [after, ...others] = await pictures(app);
    expect(others).toHaveLength(1);
    expect(after).toMatchObject({ id: 0, width: 1200, height: 1040, guid: expect.stringMatching(/^tmp:/) });
    const [call] = await app.calls('replaceDraftPicture');
    expect(call?.slice(0, 3)).toEqual(['9001', '90004', before?.guid]);
    await app.page.getByRole('img', { name: /picture 1 of 2/i }).waitFor();
    await keyboard.press('Control+z');
    await expect.poll(async () => (await pictures(app))[0]).toEqual(before);
    expect(app.errors).toEqual([]);
  });

  test('Escape cancels, and without a change there is nothing to apply', async () => {
    await using app = await openCrop();
    const before = await pictures(app);
    const apply = dialogOf(app).getByRole('button', { name: 'Apply' });
    expect(await apply.isDisabled()).toBe(true);
    await app.page.keyboard.press('Enter');
    await app.page.keyboard.press('Shift+ArrowLeft');
    expect(await apply.isDisabled()).toBe(false);
    await dialogOf(app).getByRole('button', { name: 'Whole picture' }).click();
    expect(await apply.isDisabled()).toBe(true);
    await app.page.keyboard.press('Escape');
    await dialogOf(app).waitFor({ state: 'detached' });
    expect(await pictures(app)).toEqual(before);
    expect(await app.calls('replaceDraftPicture')).toEqual([]);
  });

  test('Enter on a button presses it', async () => {
    await using app = await openCrop();
    await dialogOf(app).getByRole('button', { name: 'Rotate right' }).focus();
    await app.page.keyboard.press('Enter');
    await dialogOf(app).getByText('1,200 × 1,600 pixels').waitFor();
    expect(await app.calls('replaceDraftPicture')).toEqual([]);
  });
});

describe('PICTURE-4 by pointer', () => {
  test('a corner and a side are dragged, and the frame is moved', async () => {
    await using app = await openCrop();
    /** From and to are shares of the picture. */
    const drag = async (from: [number, number], to: [number, number]) => {
      const board = must(await frameOf(app).locator('..').boundingBox(), 'a place on the screen');
      const at = ([left, top]: [number, number]): [number, number] => [
        board.x + board.width * left,
        board.y + board.height * top,
      ];
      await app.page.mouse.move(...at(from));
      await app.page.mouse.down();
      await app.page.mouse.move(...at(to), { steps: 4 });
      await app.page.mouse.up();
    };
    await drag([1, 1], [0.75, 0.5]);
    await drag([0, 0.25], [0.25, 0.25]);
    await drag([0.5, 0.25], [0.6, 0.5]);
    await dialogOf(app).getByRole('button', { name: 'Apply' }).click();
    await dialogOf(app).waitFor({ state: 'detached' });
    const [after] = await pictures(app);
    // A pixel of the screen is more than two of the picture.
    expect(Math.abs((after?.width ?? 0) - 800)).toBeLessThan(12);
    expect(Math.abs((after?.height ?? 0) - 600)).toBeLessThan(12);
  });

  test.each([
    ['desktop', 24],
    ['touch', 48],
    ['kiosk', 48],
  ] as const)('handles are large enough (%s)', async (density, least) => {
    await using app = await openCrop({ density });
    const sizes = await frameOf(app)
      .locator('span')
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map((box) => [box.width, box.height]),
      );
    expect(sizes).toHaveLength(8);
    for (const side of sizes.flat()) expect(side).toBeGreaterThanOrEqual(least);
  });

  test('fingers get handles of 48 pixels, and drag them', async () => {
    await using app = await openCrop({ width: 390, height: 780, touch: true });
    const corner = frameOf(app).locator('span').last();
    const box = must(await corner.boundingBox(), 'a place on the screen');
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(48);
    const session = await app.page.context().newCDPSession(app.page);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', [{ x, y }]);
    for (const share of [0.5, 1]) await touch('touchMove', [{ x: x + 60 * share, y: y - 60 * share }]);
    await touch('touchEnd', []);
    const apply = dialogOf(app).getByRole('button', { name: 'Apply' });
    await expect.poll(() => apply.isDisabled()).toBe(false);
  });

  test('4:3 stays 4:3 while a corner is dragged and the picture is turned', async () => {
    await using app = await openCrop();
    await dialogOf(app).getByRole('button', { name: 'Rotate left' }).click();
    await dialogOf(app).getByRole('radio', { name: '4:3' }).check({ force: true });
    await dialogOf(app).getByText('1,200 × 900 pixels').waitFor();
    expect(await frameOf(app).locator('span').count()).toBe(4);
    await dialogOf(app).getByRole('button', { name: 'Rotate right' }).click();
    await dialogOf(app).getByText('1,200 × 900 pixels').waitFor();
  });
});

describe('PICTURE-1 markers', () => {
  test('the dialog says which markers are dropped before it drops them', async () => {
    await using app = await openCrop();
    const before = parseMarkup((await pictures(app))[0]?.markup ?? '').draw;
    expect(before.length).toBeGreaterThan(0);
    const warning = dialogOf(app).getByText(/outside the frame and will be removed/);
    expect(await warning.count()).toBe(0);
    const { x, y, width, height } = must(await frameOf(app).boundingBox(), 'a place on the screen');
    await app.page.mouse.move(x + width, y + height);
    await app.page.mouse.down();
    await app.page.mouse.move(x + width * 0.1, y + height * 0.1, { steps: 3 });
    await app.page.mouse.up();
    await warning.waitFor();
    await app.page.keyboard.press('Enter');
    await dialogOf(app).waitFor({ state: 'detached' });
    const after = parseMarkup((await pictures(app))[0]?.markup ?? '').draw;
    expect(after.length).toBeLessThan(before.length);
  });

  test('markers turn with the picture', async () => {
    await using app = await openCrop();
    const before = parseMarkup((await pictures(app))[0]?.markup ?? '').draw;
    await dialogOf(app).getByRole('button', { name: 'Rotate right' }).click();
    await dialogOf(app).getByRole('button', { name: 'Apply' }).click();
    await dialogOf(app).waitFor({ state: 'detached' });
    const [after] = await pictures(app);
    expect(after).toMatchObject({ width: 1200, height: 1600 });
    const [first] = parseMarkup(after?.markup ?? '').draw;
    expect(parseMarkup(after?.markup ?? '').draw).toHaveLength(before.length);
    expect(first?.kind).toBe(before[0]?.kind);
  });
});

/** A picture with a red left and a blue right half, 40 × 20 pixels as it is seen. */
function halves() {
  const half = { width: 20, height: 20, channels: 3 as const };
  return sharp({ create: { ...half, width: 40, background: '#0000ff' } }).composite([
    { input: { create: { ...half, background: '#ff0000' } }, left: 0, top: 0 },
  ]);
}

function isNear(colour: number[] | undefined, wanted: number[]): boolean {
  return wanted.every((value, index) => Math.abs(value - (colour?.[index] ?? -1000)) < 12);
}

describe('PICTURE-3 the file', () => {
  test('a photo that its camera held upright is cropped as it is seen, and becomes a JPEG', async () => {
    const upright = await halves().png().toBuffer();
    // Stored lying on its side, with the orientation that turns it upright again.
    const photo = await sharp(upright).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    await using app = await openCropOf(photo, 'image/jpeg');
    await dialogOf(app).getByText('40 × 20 pixels').waitFor();
    await dialogOf(app).getByRole('button', { name: 'Rotate right' }).click();
    await app.page.keyboard.press('Escape');
    await startCrop(app);
    await dialogOf(app).getByRole('button', { name: 'Rotate right' }).click();
    await dialogOf(app).getByRole('button', { name: 'Apply' }).click();
    await dialogOf(app).waitFor({ state: 'detached' });
    const made = await stored(app, [
      [0.5, 0.2],
      [0.5, 0.8],
    ]);
    expect(made).toMatchObject({ type: 'image/jpeg', width: 20, height: 40 });
    expect(isNear(made.colours[0], [255, 0, 0])).toBe(true);
    expect(isNear(made.colours[1], [0, 0, 255])).toBe(true);
    const [call] = await app.calls('replaceDraftPicture');
    expect(call?.[3]).toMatchObject({ filename: expect.stringMatching(/\.jpg$/) });
  });

  test('a PNG stays a PNG, with its transparency, and each pixel stays as it was', async () => {
    const blue = Buffer.from(Array.from({ length: 40 * 20 }, () => [0, 0, 255, 128]).flat());
    const png = await sharp(blue, { raw: { width: 40, height: 20, channels: 4 } })
      .png()
      .toBuffer();
    await using app = await openCropOf(png, 'image/png');
    for (let count = 0; count < 20; count += 1) await app.page.keyboard.press('Shift+ArrowLeft');
    await dialogOf(app).getByText('20 × 20 pixels').waitFor();
    for (let count = 0; count < 20; count += 1) await app.page.keyboard.press('ArrowRight');
    await app.page.keyboard.press('Enter');
    await dialogOf(app).waitFor({ state: 'detached' });
    const made = await stored(app, [
      [0.02, 0.5],
      [0.98, 0.5],
    ]);
    expect(made).toMatchObject({ type: 'image/png', width: 20, height: 20 });
    for (const colour of made.colours) {
      expect(isNear(colour, [0, 0, 255])).toBe(true);
      expect(colour[3]).toBeGreaterThan(120);
      expect(colour[3]).toBeLessThan(136);
    }
  });
});

test('PICTURE-4 a picture that the server would refuse is not applied before it is cropped', async () => {
  const huge = await sharp({ create: { width: 7200, height: 7000, channels: 3, background: '#445566' } })
    .png()
    .toBuffer();
  await using app = await openCropOf(huge, 'image/png');
  const apply = dialogOf(app).getByRole('button', { name: 'Apply' });
  await dialogOf(app).getByText('The server takes pictures of up to 50 megapixels.').waitFor();
  await dialogOf(app).getByRole('button', { name: 'Rotate right' }).click();
  expect(await apply.isDisabled()).toBe(true);
  await frameOf(app).focus();
  for (let count = 0; count < 4; count += 1) await app.page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => apply.isDisabled()).toBe(false);
});

test('a picture that cannot be had or opened is told, and nothing can be applied', async () => {
  await using app = await bench.open(marked);
  await app.page.evaluate(() => {
    window.fixture.actions.readPicture = () =>
      Promise.resolve({ file: new Blob(['no picture']), filename: 'x', isSmaller: false });
  });
  await app.page.getByRole('button', { name: 'Crop and rotate' }).click();
  await dialogOf(app).getByRole('alert').getByText('This picture cannot be opened here').waitFor();
  expect(await dialogOf(app).getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
});

test.each<[string, Look]>([
  ['desktop', {}],
  ['phone, dark', { width: 390, height: 780, theme: 'dark' }],
  ['kiosk, bright', { density: 'kiosk', theme: 'bright' }],
])('every control of the crop dialog has a name, and axe finds nothing (%s)', async (_, look) => {
  await using app = await openCrop(look);
  for (let count = 0; count < 20; count += 1) await app.page.keyboard.press('Shift+ArrowLeft');
  expect(await offences(app.page, {})).toEqual([]);
  expect(app.errors).toEqual([]);
});
