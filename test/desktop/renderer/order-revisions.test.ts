import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { changedRevision } from '#test/support/fixture-revisions.ts';

import { openWorkbench, type AppPage, type Look, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

/** The running order at its first step, after its guide became revision 8. The order's text has another title. */
async function openChanged(look: Look = {}): Promise<AppPage> {
  const app = await bench.open('/guides/9001#s90001', { running: true }, look);
  await app.page.evaluate(
    (view) =>
      window.fixture.change(({ guides }) => {
        const guide = guides.find(({ guideid }) => guideid === '9001');
        if (guide === undefined) throw new Error('The guide is missing');
        return {
          orderRevision: { entryid: '501', view: { ...view, guide: { ...guide, title: 'As it was' } } },
        };
      }),
    changedRevision,
  );
  await app.page.getByText('The guide changed: Revision 8 of').waitFor();
  return app;
}

test('WORK-REVISION-6 the order bar names the revision, and the steps stay those of the order', async () => {
  await using app = await openChanged();
  await app.page.getByText('Revision 7 of Nov 3, 2026 · approved').waitFor();
  await app.page.getByText('As it was').first().waitFor();
  expect(app.errors).toEqual([]);
});

test('WORK-REVISION-5 the person sees what changed and keeps the revision, or changes to the new one', async () => {
  await using app = await openChanged();
  await app.page.getByRole('button', { name: 'Show what changed' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByRole('heading', { name: /Lock the plug and try the switch/ }).waitFor();
  await dialog.getByText('Revision 8 of Nov 5, 2026 · not approved').waitFor();
  await dialog.getByRole('button', { name: 'Keep revision 7' }).click();
  await app.page.getByText('You work by Revision 7 of Nov 3, 2026').waitFor();
  await app.page.getByRole('button', { name: 'Show what changed' }).click();
  await dialog.getByRole('button', { name: 'Change to revision 8' }).click();
  await app.page.getByText('Revision 8 of Nov 5, 2026 · not approved').waitFor();
  expect(await app.calls('decideRevision')).toEqual([
    ['501', 'keep'],
    ['501', 'switch'],
  ]);
});

test('the record names the revision, on the screen and as a file', async () => {
  await using app = await bench.open('/work-orders/501', { running: true });
  await app.page.getByText('Revision 7 of Nov 3, 2026 · approved').waitFor();
  const download = app.page.waitForEvent('download');
  await app.page.getByRole('button', { name: 'Export as CSV' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8');
  expect(csv).toContain('Revision,,Started by,"Revision 7 of Nov 3, 2026 · approved",,,Ana Ruiz,');
});
