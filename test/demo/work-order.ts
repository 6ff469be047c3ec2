import type { Locator } from 'playwright-core';

import type { Device } from './device.ts';
import type { Report } from './report.ts';

export interface WorkOrderRun {
  number: string;
  /** By the demo's own stopwatch: from start to finish, and without the pause. */
  totalMs: number;
  activeMs: number;
}

/** Our own guide about replacing the drive belt of a bench grinder. */
export const grinderGuide = 9001;
const number = 'WO-1042';

/** Ben's recorded values, by label, as the API returns them. */
export const recordedValues: [string, string][] = [
  ['Plug locked, both wheels stand still', '1'],
  ['Screw torque after refitting (Nm)', '2.4'],
  ['Cover undamaged', 'Pass'],
  ['Condition of the old belt', 'Glazed'],
  ['Print on the new belt', '13 x 480 Li'],
  // Above its limit.
  ['Belt deflection at 10 N (mm)', '9.9'],
  ['Clamp bolt torque (Nm)', '24'],
  ['Test run of one minute', 'Pass'],
  ['Remarks', 'Runs quietly.\nNo smell of rubber.'],
];

/** What Ben reports about the belt deflection, and what Ana decides as the lead of his team. */
export const deviation = {
  note: 'The belt slipped off the rear pulley.',
  reason: 'The belt holds at 12 N.',
};

/** Presses until the dialog opens: a press that arrives before the screen has changed opens the one of the guide before. */
async function openStartDialog(ben: Device): Promise<void> {
  const field = ben.page.getByLabel('Work order number');
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    if (!(await field.isVisible())) await ben.button('Start work order').first().click();
    const isOpen = await field.waitFor({ timeout: 15_000 }).then(
      () => true,
      () => false,
    );
    if (isOpen) return;
  }
}

/** Ben's timed work order with pause and resume, every kind of field, a photo, and a killed page in the middle. */
export async function runWorkOrder(ben: Device, report: Report, photo: Buffer): Promise<WorkOrderRun> {
  const { page } = ben;
  // Through the library: the guide that he edited has a button of the same name.
  await ben.go('/');
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  await ben.go(`/guides/${grinderGuide}`);
  await openStartDialog(ben);
  await page.getByLabel('Work order number').fill(number);
  const startedAt = await press(ben.button('Start', page.getByRole('dialog')));
  await ben.button('Pause').waitFor();
  await toStep(ben, 'Unplug and let it stop');
  await page.getByText('Plug locked, both wheels stand still').click();
  await saved(ben);
  await toStep(ben, 'Take off the belt cover');
  await page.getByLabel('Screw torque after refitting').fill('2.4');
  await page.getByText('Pass', { exact: true }).click();
  await saved(ben);
  await ben.shot('2-ben-recording');

  const pausedAt = await press(ben.button('Pause'));
  await ben.button('Resume').waitFor();
  await toStep(ben, 'Seat the new belt');
  await page.waitForTimeout(4000);
  const pausedMs = (await press(ben.button('Resume'))) - pausedAt;
  await ben.button('Pause').waitFor();
  await chooseFile(ben, 'Take or choose a photo', {
    name: 'belt.jpg',
    mimeType: 'image/jpeg',
    buffer: photo,
  });
  await page.getByText('belt.jpg').waitFor();
  await saved(ben);

  report.expect('Nothing is gone after the page was killed: the work order, its values and its photo');
  await ben.killAndReopen();
  const pause = ben.button('Pause');
  await pause.or(ben.button('Start work order')).or(ben.button('Sign in')).first().waitFor();
  // Where the guide or the sign-in shows instead, the order is lost, and this wait fails.
  await pause.waitFor({ timeout: 40_000 });
  await ben.page.getByText('belt.jpg').waitFor();
  report.fact(
    "Ben's page was killed during the work order and reopened offline: the clock still runs, the photo is there",
  );
  await toStep(ben, 'Take off the belt cover');
  const torque = await ben.page.getByLabel('Screw torque after refitting').inputValue();
  report.promise('… and the value that he had recorded is there', torque === '2.4', torque);
  await ben.shot('2-ben-after-the-kill');
  await recordTheRest(ben);

  const finishedAt = await finish(ben);
  const totalMs = finishedAt - startedAt;
  report.promise(
    `Ben finished work order ${number} offline, with a pause of ${(pausedMs / 1000).toFixed(1)} s`,
    true,
  );
  return { number, totalMs, activeMs: totalMs - pausedMs };
}

async function recordTheRest(ben: Device): Promise<void> {
  const { page } = ben;
  await toStep(ben, 'Compare the belts');
  await page.getByRole('button', { name: /Condition of the old belt/ }).click();
  await page.getByRole('option', { name: 'Glazed' }).click();
  await page.getByLabel('Print on the new belt').fill('13 x 480 Li');
  await saved(ben);
  await toStep(ben, 'Set the tension');
  await page.getByRole('textbox', { name: 'Belt deflection at 10 N' }).fill('9.9');
  await page.getByRole('textbox', { name: 'Clamp bolt torque' }).fill('24');
  await saved(ben);
  const panel = page.getByRole('region', { name: 'Belt deflection at 10 N' });
  await panel.getByLabel('What happened?').fill(deviation.note);
  await ben.button('Report and continue', panel).click();
  await page.getByText('Waiting for a lead').first().waitFor();
  await ben.shot('2-ben-deviation');
  await toStep(ben, 'Test run');
  await page.getByText('Pass', { exact: true }).click();
  await page.getByLabel('Remarks').fill('Runs quietly.\nNo smell of rubber.');
  await chooseFile(ben, 'Record or choose a video', {
    name: 'run.mp4',
    mimeType: 'video/mp4',
    buffer: smallVideo(),
  });
  await page.getByText('run.mp4').waitFor();
  await chooseFile(ben, 'Choose a document', {
    name: 'release.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(smallPdf),
  });
  await page.getByText('release.pdf').waitFor();
  await saved(ben);
}

async function toStep(ben: Device, title: string): Promise<void> {
  await ben.page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: title }).click();
  await ben.page.getByRole('heading', { level: 1, name: title }).waitFor();
}

/** Waits until the form says that everything entered is safe on this device. */
async function saved(ben: Device): Promise<void> {
  await ben.page.getByRole('heading', { level: 1 }).click();
  await ben.page.getByRole('main').getByText('Saved on this device').first().waitFor();
}

async function chooseFile(
  ben: Device,
  words: string,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const chooser = ben.page.waitForEvent('filechooser');
  await ben.button(words).click();
  await (await chooser).setFiles(file);
}

/**
 * Presses a button. Returns when the page received the click, ms since 1970, which is exact even if a busy machine
 * presses late.
 */
async function press(button: Locator): Promise<number> {
  const felt = button
    .page()
    .evaluate(
      () =>
        new Promise<number>((resolve) =>
          addEventListener('pointerup', () => resolve(Date.now()), { capture: true, once: true }),
        ),
    );
  const [pressedAt] = await Promise.all([felt, button.click()]);
  return pressedAt;
}

/** Returns the stopwatch's reading at Ben's click on the button that counts. */
async function finish(ben: Device): Promise<number> {
  await ben.page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: 'Conclusion' })
    .click();
  await ben.button('Finish').first().click();
  const confirm = ben.button('Finish', ben.page.getByRole('alertdialog').or(ben.page.getByRole('dialog')));
  await confirm.waitFor();
  // The app asks why required values are missing.
  for (const reason of await ben.page.getByRole('textbox', { name: /^Why is/ }).all())
    await reason.fill('The gauge is at calibration');
  const finishedAt = await press(confirm);
  await ben.page.getByText(`Work order ${number} is finished`).first().waitFor();
  return finishedAt;
}

/** The smallest file that is an MP4 by its content: a file type box and an empty movie box. */
function smallVideo(): Buffer {
  const box = (type: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(content.length + 8);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, content]);
  };
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1')),
    box('moov', Buffer.alloc(0)),
    box('mdat', Buffer.alloc(64)),
  ]);
}

const smallPdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj
trailer<</Root 1 0 R/Size 4>>
%%EOF
`;
