import { afterAll, beforeAll, expect, test } from 'vitest';

import { runningOrder } from '#test/support/demo-orders.ts';
import { demoDeviations } from '#test/support/fixture-deviations.ts';
import { demoTraced } from '#test/support/fixture-tracing.ts';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('the board shows each order in the column of its state, and what waits for a decision', async () => {
  await using app = await bench.open('/board', { lead: true, running: true });
  const column = (name: string) => app.page.getByRole('region', { name });
  await column('Running').getByRole('link', { name: 'WO-1042' }).waitFor();
  await column('Running').getByText('4 of 10 steps visited').waitFor();
  await column('Paused').getByRole('link', { name: 'WO-1039' }).waitFor();
  await column('Stopped or suspended').getByText('Ben Okafor').waitFor();
  await column('Deviations to decide').getByText('Belt deflection').waitFor();
  await column('Running').getByRole('link', { name: 'WO-1042' }).click();
  await app.page.getByRole('heading', { name: 'WO-1042' }).waitFor();
});

test('STATION-ENGINE-15 orders and deviations say at which station they were recorded', async () => {
  await using app = await bench.open('/board', { lead: true });
  const { page } = app;
  const order = runningOrder();
  const station = 'Press 2';
  const values = Object.entries(order.values).map(([id, value]) => [id, { ...value, station }]);
  await app.change({
    orders: [
      {
        ...order,
        stations: [station, ''],
        values: Object.fromEntries(values),
        history: [
          { type: 'start', username: 'Ana Ruiz', at: Date.now(), note: null, station },
          { type: 'pause', username: 'Ana Ruiz', at: Date.now(), note: null, station: '' },
          { type: 'resume', username: 'Ana Ruiz', at: Date.now(), note: null },
        ],
      },
    ],
    deviations: demoDeviations({ isLead: true }).map((one) => ({ ...one, station })),
    traced: {
      server: demoTraced().map((one) => ({ ...one, stations: [station] })),
      here: [],
      pageSize: 50,
      isRefused: false,
    },
  });
  const card = page.getByRole('region', { name: 'Running' }).getByRole('listitem');
  await card.getByText(/· recorded at Press 2 · recorded at a station$/).waitFor();
  await page
    .getByText(/· recorded at Press 2$/)
    .first()
    .waitFor();
  await card.getByRole('link', { name: 'WO-1042' }).click();
  await page.getByText('Press 2, a station', { exact: true }).waitFor();
  await page.getByText(/^Started .* · Ana Ruiz · recorded at Press 2$/).waitFor();
  await page.getByText(/^Paused .* · Ana Ruiz · recorded at a station$/).waitFor();
  await page.getByText(/^Resumed .* · Ana Ruiz$/).waitFor();
  await page.getByRole('row', { name: /^Screw torque.* · recorded at Press 2$/ }).waitFor();
  await page.evaluate(() => history.pushState(null, '', '/trace?number=BG-2041'));
  await page.getByText(/^By Ana Ruiz and Ben Okafor.* · recorded at Press 2$/).waitFor();
});

test('a running order is on every screen, and leads back to its step', async () => {
  await using app = await bench.open('/people', { running: true });
  const bar = app.page.getByRole('region', { name: 'Your running work order' });
  await bar.getByText('WO-1042').waitFor();
  await bar.getByRole('link', { name: 'Continue' }).click();
  await app.page.getByRole('button', { name: 'Next step' }).waitFor();
  expect(new URL(app.page.url()).hash).toBe('#s90004');
  expect(await bar.count()).toBe(0);
});

test('a paused order is shown as paused', async () => {
  await using app = await bench.open('/people');
  const bar = app.page.getByRole('region', { name: 'Your running work order' });
  await bar.getByText('Wheel dressing · Paused').waitFor();
});

test('nothing is shown to a person without an open order', async () => {
  await using app = await bench.open('/people', { empty: true });
  await app.page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  expect(await app.page.getByRole('region', { name: 'Your running work order' }).count()).toBe(0);
});
