import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { parseMarkup, type Drawing } from '#shared/formats/wikitext/markup.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';
import { offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

/** A step whose picture has markers. */
const marked = '/guides/9001/edit#s90004';

async function drawings(app: AppPage): Promise<readonly Drawing[]> {
  const markup = await app.page.evaluate(() => {
    const media = window.fixture.world().drafts[0]?.content.steps[3]?.media;
    return media?.type === 'image' ? (media.data[0]?.markup ?? '') : '';
  });
  return parseMarkup(markup).draw;
}

async function openMarkers(path = marked): Promise<AppPage> {
  const app = await bench.open(path);
  await app.page.getByRole('button', { name: 'Draw markers' }).click();
  return app;
}

function markers(app: AppPage): Locator {
  return app.page.getByRole('group', { name: 'Markers on the picture' }).getByRole('button');
}

test('a marker is added, moved, enlarged, coloured and removed by keyboard', async () => {
  await using app = await openMarkers();
  const before = await drawings(app);
  await app.page.getByRole('button', { name: 'Add circle' }).focus();
  await app.page.keyboard.press('Enter');
  await expect.poll(async () => (await drawings(app)).length).toBe(before.length + 1);
  const added = markers(app).last();
  expect(await added.getAttribute('aria-label')).toBe(`Marker ${before.length + 1}: circle, red`);
  await added.focus();
  await app.page.keyboard.press('ArrowRight');
  await app.page.keyboard.press('Shift+ArrowUp');
  await app.page.keyboard.press('+');
  const moved = { kind: 'circle', from: { x: 816, y: 536 }, radius: 174, color: 'red' };
  await expect.poll(async () => (await drawings(app)).at(-1)).toEqual(moved);
  await app.page.getByRole('button', { name: 'Colour: Red' }).click();
  await app.page.getByRole('menuitemradio', { name: 'Light blue' }).click();
  await expect.poll(async () => (await drawings(app)).at(-1)?.color).toBe('lightBlue');
  await added.focus();
  await app.page.keyboard.press('Delete');
  await expect.poll(() => drawings(app)).toEqual(before);
  await app.page.keyboard.press('Control+z');
  await expect.poll(async () => (await drawings(app)).length).toBe(before.length + 1);
});

test('a marker is dragged to another place and resized by its handle', async () => {
  await using app = await openMarkers();
  await app.page.getByRole('button', { name: 'Add rectangle' }).click();
  const stage = app.page.getByRole('group', { name: 'Markers on the picture' });
  const { x, y, width, height } = must(await stage.boundingBox(), 'a place on the screen');
  const at = (left: number, top: number): [number, number] => [
    x + (width * left) / 1600,
    y + (height * top) / 1200,
  ];
  const { mouse } = app.page;
  await mouse.move(...at(800, 600));
  await mouse.down();
  await mouse.move(...at(900, 700), { steps: 4 });
  await mouse.up();
  await expect.poll(async () => round((await drawings(app)).at(-1))).toEqual([750, 550, 1050, 850]);
  await mouse.move(...at(1050, 850));
  await mouse.down();
  await mouse.move(...at(1200, 900), { steps: 4 });
  await mouse.up();
  await expect.poll(async () => round((await drawings(app)).at(-1))).toEqual([750, 550, 1200, 900]);
  await mouse.move(...at(800, 600));
  await mouse.down();
  await mouse.move(x - 400, y - 400, { steps: 4 });
  await mouse.up();
  await expect.poll(async () => round((await drawings(app)).at(-1))).toEqual([0, 0, 450, 350]);
});

/** The corners, rounded to ten pixels of the picture, which a pointer can hit. */
function round(drawing: Drawing | undefined): number[] {
  if (drawing === undefined || drawing.kind === 'circle') return [];
  return [drawing.from.x, drawing.from.y, drawing.to.x, drawing.to.y].map(
    (value) => Math.round(value / 10) * 10,
  );
}

test('every control of the marker tool has a name, and axe finds nothing', async () => {
  await using app = await openMarkers();
  await app.page.getByRole('button', { name: 'Add arrow' }).click();
  expect(await offences(app.page, {})).toEqual([]);
  expect(app.errors).toEqual([]);
  await app.page.getByRole('button', { name: 'Done' }).click();
  await app.page.getByRole('button', { name: 'Draw markers' }).waitFor();
});
