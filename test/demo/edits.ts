import type { Locator } from 'playwright-core';

import { savedDraft } from '#test/support/saved-draft.ts';

import type { Device } from './device.ts';
import type { Report } from './report.ts';

/** "Building the North-West Upper Wall Sub-Module", a recorded guide of nine steps. */
export const editedGuide = 152;

/** Words from only one of the two edits, which must be in the guide in the end. */
export const wordsOfBoth = ['10 foot', 'straight', 'two nails', 'with screws', '9 foot'];

/** Ana rewrites a line of step 2 and moves step 5 before step 4. */
export async function editAsAna(ana: Device): Promise<void> {
  await openEditor(ana);
  await chooseStep(ana, 1);
  await line(ana).fill(
    'Begin with a straight 10 foot long 2x8. Cut it to 6\' 11 1/2" as shown in the image.',
  );
  await chooseStep(ana, 4);
  await ana.button('Move step up').click();
  await save(ana);
}

/** Ben edits a line of step 5, the title, and a word in the line that Ana rewrote. */
export async function editAsBen(ben: Device): Promise<void> {
  await openEditor(ben);
  await ben.page
    .getByRole('navigation', { name: 'Parts of the guide' })
    .getByRole('button', { name: 'About this guide' })
    .click();
  await ben.page
    .getByRole('textbox', { name: 'Title' })
    .fill('Building the North-West Upper Wall Sub-Module with screws');
  await chooseStep(ben, 4);
  await line(ben).fill('Fasten each stud to the plates with two nails.');
  await chooseStep(ben, 1);
  await line(ben).fill('Begin with a 9 foot long 2x8. Cut it to 6\' 11 1/2" as shown in the image.');
  await save(ben);
}

/** Ben decides the one conflict: he keeps both lengths in his own words. */
export async function reviseOverlap(ben: Device, report: Report): Promise<void> {
  const { page } = ben;
  await ben.go('/sync');
  // The list moves while the rest of his work is still being sent.
  await page.getByText('nothing', { exact: true }).waitFor();
  await page.getByText('Needs a decision').first().click();
  await page
    .getByRole('link', { name: /decide/i })
    .or(page.getByRole('button', { name: /decide/i }))
    .first()
    .click();
  await page.getByText('Step 2, line 1').first().waitFor();
  const shown = await page.getByRole('main').innerText();
  report.promise(
    'The conflict shows what both wrote',
    shown.includes('10 foot') && shown.includes('9 foot'),
    shown,
  );
  await ben.shot('3-ben-conflict');
  await page.getByText('Write it anew').click();
  await page
    .getByRole('textbox')
    .first()
    .fill(
      'Begin with a straight 2x8, 10 foot long (9 foot will do). Cut it to 6\' 11 1/2" as shown in the image.',
    );
  await ben.button('Save decision').click();
  report.fact('Ben decided in the app to keep both texts in one line');
}

async function openEditor(device: Device): Promise<void> {
  await device.go(`/guides/${editedGuide}/edit`);
  await device.page.getByRole('navigation', { name: 'Parts of the guide' }).waitFor();
}

async function chooseStep(device: Device, index: number): Promise<void> {
  await device.page
    .getByRole('navigation', { name: 'Parts of the guide' })
    .getByRole('row')
    .nth(index)
    .click();
  await device.page
    .getByText(`Step ${index + 1} of 9`)
    .first()
    .waitFor({ state: 'attached' });
}

function line(device: Device): Locator {
  return device.page.getByRole('textbox', { name: 'Line 1', exact: true });
}

async function save(device: Device): Promise<void> {
  await savedDraft(device.page);
  await device.button('Save to the server').click();
  await device.page.getByText('waiting for the network').first().waitFor();
}
