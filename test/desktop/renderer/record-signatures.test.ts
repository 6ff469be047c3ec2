import { afterAll, beforeAll, expect, test } from 'vitest';

import type { OrderRecordView } from '#desktop/engine/areas/order-records.ts';
import type { WorkRecordFile } from '#shared/model/work-record.ts';
import { orderCsv } from '#desktop/renderer/screens/work-orders/order-csv.ts';
import { otherOrders } from '#test/support/demo-orders.ts';
import { must } from '#shared/must.ts';

import { openWorkbench, type AppPage, type Look, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const sha256 = '5f2a'.repeat(16);
const time = '2026-11-27T10:00:00.000Z';

function signatureOf(applies: boolean): WorkRecordFile['signatures'][number] {
  return {
    record_signatureid: 1,
    userid: 9102,
    name: 'Ben Okafor',
    meaning: 'performed',
    comment: 'As planned',
    method: 'password',
    sha256,
    date: Date.UTC(2026, 10, 27, 10, 30) / 1000,
    applies,
  };
}

/** The sealed record of order 504, which Ben signed. */
function recordOf({ seal = 'matches', meanings = [] }: Partial<OrderRecordView>): OrderRecordView {
  return {
    seal,
    meanings,
    file: {
      record: {
        format: 'benchbook-work-record',
        version: 1,
        entryid: 504,
        workorderid: 'WO-1017',
        guideid: 9001,
        guide_title: 'Belt',
        status: 'complete',
        started: time,
        ended: time,
        duration: 0,
        active_duration: 0,
        pause_duration: 0,
        time_adjusted: false,
        people: [],
        revisions: [],
        history: [],
        step_times: [],
        values: [],
        missing: [],
      },
      sha256,
      confirmations: [],
      signatures: [signatureOf(seal === 'matches')],
      deviations: [],
    },
  };
}

async function open(record: Partial<OrderRecordView>, look: Look = {}): Promise<AppPage> {
  const app = await bench.open('/work-orders/504', {}, look);
  await app.change({ orderRecord: recordOf(record) });
  await app.page.getByText('Performed by Ben Okafor').waitFor();
  return app;
}

test('WORK-RECORD-6 a signature is shown with name, meaning and time in UTC; a changed record says so', async () => {
  await using app = await open({ seal: 'differs', meanings: ['released'] });
  const signature = app.page.getByRole('listitem').filter({ hasText: 'Performed by Ben Okafor' });
  await signature.getByText('2026-11-27 10:30:00 UTC · signed with password').waitFor();
  await signature.getByText('As planned').waitFor();
  await signature.getByText('Record changed since').waitFor();
  // A record that is not what was stored is not signed.
  expect(await app.page.getByRole('button', { name: 'Sign the record' }).count()).toBe(0);
  await app.page.emulateMedia({ media: 'print' });
  expect(await signature.getByText('2026-11-27 10:30:00 UTC').isVisible()).toBe(true);
});

test('WORK-RECORD-5 a lead chooses what the signature means and proves who they are', async () => {
  await using app = await open({ meanings: ['reviewed', 'released'] });
  await app.page.getByRole('button', { name: 'Sign the record' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Sign the record of WO-1017' });
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await dialog.getByText('Choose what your signature means').waitFor();
  await dialog.getByText('Enter your current password').waitFor();
  await dialog.getByText('I release it').click();
  await dialog.getByRole('textbox', { name: 'Comment' }).fill('To stock');
  await dialog.getByLabel('Current password').fill('a guess');
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await dialog.getByText('This is not the password of that person').waitFor();
  await dialog.getByLabel('Current password').fill('a long password');
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
  await app.page.getByText('Released by Ana Ruiz').waitFor();
  expect((await app.calls('signRecord')).at(-1)).toEqual([
    '504',
    { meaning: 'released', comment: 'To stock', sha256 },
    { password: 'a long password' },
  ]);
});

test('WORK-RECORD-5 offline the app says that signing needs the server', async () => {
  await using app = await open({ meanings: ['released'] });
  await app.page.evaluate(() =>
    window.fixture.change(({ sync }) => ({ sync: { ...sync, connection: 'offline' } })),
  );
  await app.page.getByText('You need a connection to sign').waitFor();
  expect(await app.page.getByRole('button', { name: 'Sign the record' }).count()).toBe(0);
});

test('WORK-RECORD-6 COSIGN-4 the CSV has signatures and second persons', () => {
  const order = must(
    otherOrders().find(({ entryid }) => entryid === '504'),
    'the order',
  );
  const [first] = Object.values(order.values);
  const at = Date.UTC(2026, 10, 27, 9);
  const value = { ...must(first, 'a value'), label: 'Checked by', fieldType: 'Text Input' as const };
  const named = { named: null, at: null, method: null, isLate: false };
  const values = {
    1: { ...value, value: 'Ben', second: { state: 'named' as const, name: 'Ben', ...named } },
    2: {
      ...value,
      value: 'Ben',
      second: {
        state: 'confirmed' as const,
        name: 'Cy',
        named: 'Ben',
        at,
        method: 'password' as const,
        isLate: true,
      },
    },
    3: { ...value, value: '', second: { state: 'lost' as const, name: 'Ben', ...named } },
  };
  const { file } = recordOf({ seal: 'differs' });
  const lines = orderCsv({ ...order, values }, [], [], file).split('\r\n');
  const ofSecond = lines.filter((line) => line.startsWith('Second person'));
  expect(ofSecond).toEqual([
    'Second person,Deleted step,Checked by,"Named, not verified",,,Ben,,,',
    'Second person,Deleted step,Checked by,Confirmed,,,Cy,2026-11-27T09:00:00.000Z,"Cy, with password, 2026-11-27 09:00:00 UTC, after the end of the order. Ben was named.",',
    'Second person,Deleted step,Checked by,No longer confirmed,,,Ben,,The values changed after Ben confirmed them or was named.,',
  ]);
  expect(lines.join('\n')).toContain(
    `Signature,,Performed by,${sha256},,,Ben Okafor,2026-11-27T10:30:00.000Z,"signed with password\nAs planned\nRecord changed since",`,
  );
});
