import { typeKeys } from '#test/support/type-keys.ts';

import type { Device } from './device.ts';

/** A team of the demo content, of Ana, Ben and Mira. */
const team = 'Maintenance';

/** A person of the demo content. */
export interface Person {
  userid: number;
  name: string;
}

export interface NewStation {
  name: string;
  place: string;
  idleSeconds: number;
}

/** An administrator makes a station of the team. Returns its id and the code for its device. */
export async function makeStation(
  admin: Device,
  password: string,
  { name, place, idleSeconds }: NewStation,
): Promise<{ stationid: number; code: string }> {
  const { page } = admin;
  await admin.go('/stations');
  await page.getByLabel('Name', { exact: false }).first().fill(name);
  await page.getByLabel('Place').fill(place);
  await page.getByRole('group', { name: 'Teams' }).getByText(team, { exact: true }).click();
  await admin.button('Make a station').click();
  await prove(admin, password);
  const panel = page.getByRole('status').filter({ hasText: 'Code for the device' });
  // The second one is the exit code.
  const code = await panel.locator('code').first().innerText();
  await admin.shot('6-mira-code');
  await page.getByRole('link', { name }).click();
  await page.getByLabel('Locks after').fill(String(idleSeconds));
  await admin.button('Save').click();
  await page.getByText('Saved', { exact: true }).waitFor();
  return { stationid: Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]), code };
}

/** Issues a badge, which a reader types into the form. */
export async function issueBadge(
  admin: Device,
  password: string,
  person: Person & { badge: string },
): Promise<void> {
  await openPerson(admin, person);
  await admin.page.getByLabel('Badge number').click();
  await typeKeys(admin, person.badge, 0.01);
  await prove(admin, password);
  await admin.page.getByText('The badge is issued').first().waitFor();
}

export async function setPin(
  admin: Device,
  password: string,
  person: Person & { pin: string },
): Promise<void> {
  await openPerson(admin, person);
  await admin.page.getByLabel('New PIN').fill(person.pin);
  await admin.button('Set PIN').click();
  await prove(admin, password);
  await admin.page.getByText('The PIN is set').first().waitFor();
}

async function openPerson(admin: Device, { userid, name }: Person): Promise<void> {
  await admin.go(`/people/${userid}`);
  await admin.page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Confirms a change with the password of the administrator. */
async function prove(admin: Device, password: string): Promise<void> {
  const dialog = admin.page.getByRole('dialog');
  await dialog.getByLabel('Password').fill(password);
  await admin.button('Confirm', dialog).click();
  await dialog.waitFor({ state: 'detached' });
}
