import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { savedDraft } from '#test/support/saved-draft.ts';

import { go, keptOffline, signIn, startWholeApp, status } from './whole-app.ts';

const steps = [1, 2, 3, 4, 5, 6];
/** The lines that both people change: three in each step, without the first of all. */
const places = steps.flatMap((step) => [1, 2, 3].map((line) => ({ step, line }))).slice(1);

const lineText = (who: string, step: number, line: number) => `${who} ${step}.${line}`;

/** Writes another text in every contested line of the guide that is open in the editor. */
async function editAll(page: Page, who: string): Promise<void> {
  const parts = page.getByRole('navigation', { name: 'Parts of the guide' });
  for (const step of steps) {
    await parts
      .getByRole('row')
      .nth(step - 1)
      .click();
    await page.getByText(`Step ${step} of 6`).first().waitFor({ state: 'attached' });
    for (const { line } of places.filter((place) => place.step === step))
      await page.getByRole('textbox', { name: `Line ${line}`, exact: true }).fill(lineText(who, step, line));
  }
  await savedDraft(page);
  await page.getByRole('button', { name: 'Save to the server' }).click();
}

test('DECIDE-1 DECIDE-2 DECIDE-4 DECIDE-5 17 conflicts in a guide are resolved with at most five actions', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, openDevice } = await startWholeApp(resources);
  await server.person('Ben', ['Author']);
  const made = await ada.call('POST', '/guides', {
    category: 'Bench Grinder',
    type: 'how-to',
    title: 'Seventeen places',
    steps: steps.map((step) => ({
      title: `Part ${step}`,
      lines: [1, 2, 3].map((line) => ({ text: lineText('Base', step, line) })),
    })),
  });
  const guide = made.body as Guide;
  await ada.call('PUT', `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`);
  const device = await openDevice();
  const page = await device.context.newPage();
  await page.goto(device.wire.url);
  await signIn(page, 'ben');
  await status(page, /^Synced/);
  await keptOffline(page);
  await go(page, `/guides/${guide.guideid}/edit`);
  await page.getByRole('navigation', { name: 'Parts of the guide' }).waitFor();

  await device.goOffline();
  await status(page, /^Offline/);
  await editAll(page, 'Ben');
  const now = (await ada.call('GET', `/guides/${guide.guideid}`)).body as Guide;
  const saved = await ada.call('PATCH', `/guides/${guide.guideid}?revisionid=${now.revisionid}`, {
    steps: now.steps.map(({ stepid, revisionid, lines }, index) => ({
      stepid,
      revisionid,
      lines: lines.map(({ lineid, text_raw }, at) => ({
        lineid,
        text: index === 0 && at === 0 ? text_raw : lineText('Ada', index + 1, at + 1),
      })),
    })),
  });
  expect(saved.status).toBe(200);
  await device.goOnline();

  await status(page, '17 decisions are waiting for you');
  await go(page, `/sync/conflicts/${guide.guideid}`);
  await page.getByRole('heading', { level: 1, name: '17 decisions for you' }).waitFor();
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
  const save = page.getByRole('button', { name: 'Save 17 decisions' });
  expect(await save.isDisabled()).toBe(true);
  await page.getByText('Choose a version for each of the 17, then save.').waitFor();

  const actions = [
    () => page.getByRole('button', { name: 'Use all mine' }).click(),
    () => page.getByRole('button', { name: /^Use Ada’s here: Step 3/ }).click(),
    () => page.getByRole('radio', { name: /^What Ada wrote.*Ada 6\.3/ }).press('Space'),
    () => save.click(),
  ];
  for (const act of actions) await act();
  await page.getByRole('heading', { name: 'All decisions made' }).waitFor();
  await status(page, /^Synced/);
  const result = (await ada.call('GET', `/guides/${guide.guideid}`)).body as Guide;
  const decided = places.map(
    ({ step, line }) => must(result.steps[step - 1]?.lines[line - 1], 'the line').text_raw.split(' ')[0],
  );
  const expected = places.map(({ step, line }) => (step === 3 || (step === 6 && line === 3) ? 'Ada' : 'Ben'));
  expect(decided).toEqual(expected);
});
