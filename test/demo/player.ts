import type { Locator } from 'playwright-core';

import type { Device } from './device.ts';

/** Starts a work order from the guide. Returns when the page received the click, ms since 1970. */
export async function startOrder(device: Device, guideid: number, number: string): Promise<number> {
  const { page } = device;
  // Through the library: a guide that was open before has a button of the same name.
  await device.go('/');
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  await device.go(`/guides/${guideid}`);
  await openStartDialog(device);
  await page.getByLabel('Work order number').fill(number);
  const startedAt = await press(device.button('Start', page.getByRole('dialog')));
  await device.button('Pause').waitFor();
  return startedAt;
}

/** Presses until the dialog opens: a press that arrives before the screen has changed opens the one of the guide before. */
async function openStartDialog(device: Device): Promise<void> {
  const field = device.page.getByLabel('Work order number');
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    if (!(await field.isVisible())) await device.button('Start work order').first().click();
    const isOpen = await field.waitFor({ timeout: 15_000 }).then(
      () => true,
      () => false,
    );
    if (isOpen) return;
  }
}

export async function toStep(device: Device, title: string): Promise<void> {
  await choosePlace(device, title);
  await atStep(device, title);
}

/** Chooses an entry of the list of steps, which a kiosk shows on demand. */
async function choosePlace({ page }: Device, name: string): Promise<void> {
  const list = page.getByRole('navigation', { name: 'Steps' });
  const fold = page.getByRole('banner').getByRole('button', { name: /^(Overview|Conclusion|Step \d+ of)/ });
  await list.or(fold).first().waitFor();
  if (await fold.isVisible()) await fold.click();
  await list.getByRole('button', { name }).click();
}

export async function atStep(device: Device, title: string): Promise<void> {
  await device.page.getByRole('heading', { level: 1, name: title }).waitFor();
}

/** Waits until the form says that everything entered is safe on this device. */
export async function saved(device: Device): Promise<void> {
  await device.page.getByRole('heading', { level: 1 }).click();
  await device.page.getByRole('main').getByText('Saved on this device').first().waitFor();
}

export async function chooseFile(
  device: Device,
  button: Locator,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const chooser = device.page.waitForEvent('filechooser');
  await button.click();
  await (await chooser).setFiles(file);
}

/**
 * Presses a button. Returns when the page received the click, ms since 1970, which is exact even if a busy machine
 * presses late.
 */
export async function press(button: Locator): Promise<number> {
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

/** Finishes the order, with a reason for each missing value. Returns when the page received the click that counts. */
export async function finishOrder(device: Device, number: string): Promise<number> {
  const { page } = device;
  await choosePlace(device, 'Conclusion');
  await device.button('Finish').first().click();
  const confirm = device.button('Finish', page.getByRole('alertdialog').or(page.getByRole('dialog')));
  await confirm.waitFor();
  for (const reason of await page.getByRole('textbox', { name: /^Why is/ }).all())
    await reason.fill('The gauge is at calibration');
  const finishedAt = await press(confirm);
  await page.getByText(`Work order ${number} is finished`).first().waitFor();
  return finishedAt;
}
