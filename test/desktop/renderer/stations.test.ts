import { afterAll, beforeAll, expect, test } from 'vitest';

import { rightPassword } from '#test/support/fixture-account.ts';
import { demoStation } from '#test/support/fixture-station.ts';
import { typeKeys } from '#test/support/type-keys.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';
import { askSignOut, manyPeople, runOwn, scan } from './station-walk.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const kiosk = { width: 1280, height: 800, density: 'kiosk' } as const;

test('a badge is taken on the PIN screen too, and the running order is one press away', async () => {
  await using app = await bench.open('/guides/9001', { station: 'locked', running: true }, kiosk);
  await app.page.getByRole('heading', { name: 'Scan your badge' }).waitFor();
  await app.page.getByRole('button', { name: 'Ben Okafor' }).click();
  await app.page.getByRole('heading', { name: 'Ben Okafor' }).waitFor();
  await scan(app, 'ANA');
  await app.page.getByRole('link', { name: 'Continue at step 4' }).click();
  await app.page.getByRole('button', { name: 'Next step' }).waitFor();
  expect(new URL(app.page.url()).hash).toBe('#s90004');
  expect(await app.calls('signInAtStation')).toEqual([[{ badge: 'ANA' }]]);
  await expect
    .poll(async () => (await app.calls('noteStationAddress')).at(-1))
    .toEqual(['/guides/9001#s90004']);
});

test('a PIN is entered with the pad or a keyboard, never shown, and a wait is counted down', async () => {
  await using app = await bench.open('/', { station: 'locked' }, kiosk);
  await app.page.getByRole('button', { name: 'Ana Ruiz' }).click();
  const pad = app.page.getByRole('group', { name: 'PIN' });
  for (const digit of ['0', '0', '0']) await pad.getByRole('button', { name: digit, exact: true }).click();
  await app.page.keyboard.press('0');
  await pad.getByLabel('4 digits entered').waitFor();
  await pad.getByRole('button', { name: 'Sign in' }).click();
  await app.page.getByText(/^Too many wrong PINs. Try again in 00:00:[0-3]\d.$/).waitFor();
  expect(await pad.getByRole('button', { name: '1', exact: true }).isDisabled()).toBe(true);
});

test('scans that are no badge change nothing, leave nothing in fields, and two at once are one try', async () => {
  await using app = await bench.open('/', { station: 'locked' }, kiosk);
  await app.change({ station: manyPeople() });
  const find = app.page.getByLabel('Find a name');
  await find.fill('Be');
  await typeKeys(app, 'NOBODY', 0.005);
  await app.page.getByText(/^Nobody at this station has this badge/).waitFor();
  expect(await find.inputValue()).toBe('Be');
  await typeKeys(app, 'long'.repeat(100), 0.002);
  await app.page.getByRole('button', { name: 'Ben Okafor' }).click();
  await scan(app, 'BE');
  // Half a scan, and a whole one while the PIN is entered.
  await app.page.keyboard.type('12', { delay: 90 });
  await app.page.evaluate(() => {
    for (const key of [...Array.from('NOBODY1'), 'Enter', ...Array.from('NOBODY2'), 'Enter'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
  await app.page.getByLabel('0 digits entered').waitFor();
  await expect
    .poll(() => app.calls('signInAtStation'))
    .toEqual([[{ badge: 'NOBODY' }], [{ badge: 'NOBODY1' }]]);
});

test('half a scan leaves nothing in the PIN or in a field, and neither half is a try', async () => {
  await using app = await bench.open('/', { station: 'locked' }, kiosk);
  await app.change({ station: manyPeople() });
  const find = app.page.getByLabel('Find a name');
  await find.fill('Be');
  await typeKeys(app, '0413', 0.005, { isCut: true });
  await expect.poll(() => find.inputValue()).toBe('Be');
  await app.page.getByRole('button', { name: 'Ben Okafor' }).click();
  const pad = app.page.getByRole('group', { name: 'PIN' });
  const none = pad.getByLabel('0 digits entered');
  for (const half of ['04', '0413', '041358821377']) {
    // The focus is on this key, which Enter would press.
    await pad.getByRole('button', { name: '5', exact: true }).click();
    await pad.getByLabel('1 digit entered').waitFor();
    await typeKeys(app, half, 0.005, { isCut: true });
    await none.waitFor();
    // The other half comes late, in one or two parts.
    await typeKeys(app, '8821', 0.005, { isCut: true, later: 0.4 });
    await typeKeys(app, half.slice(0, -1), 0.005, { later: 0.8 });
    await none.waitFor();
  }
  expect(await app.calls('signInAtStation')).toEqual([]);
  // It is scanned again at once.
  await typeKeys(app, '0413', 0.005, { isCut: true });
  await typeKeys(app, '04135882', 0.005, { later: 0.4 });
  await expect.poll(() => app.calls('signInAtStation')).toEqual([[{ badge: '04135882' }]]);
  await app.page.keyboard.type('1357', { delay: 80 });
  await app.page.keyboard.press('Enter');
  await app.page.getByRole('button', { name: /^Ben Okafor: sign out/ }).waitFor();
});

test('a number that is scanned at the home screen leads to its order, or is looked up', async () => {
  const world = { station: 'signed-in', running: true, planned: true } as const;
  await using app = await bench.open('/station', world, kiosk);
  await app.page.getByRole('link', { name: 'Continue at step 4' }).first().waitFor();
  await typeKeys(app, 'wo-1042', 0.005);
  await app.page.getByRole('button', { name: 'Next step' }).waitFor();
  await app.page.goBack();
  await app.page.getByRole('link', { name: 'Continue at step 4' }).first().waitFor();
  await typeKeys(app, 'WO-1101', 0.005);
  await expect.poll(async () => (await app.calls('startPlannedOrder')).length).toBe(1);
  await app.page.goBack();
  await app.page.getByRole('link', { name: 'Continue at step 4' }).first().waitFor();
  await typeKeys(app, 'BG-2041', 0.005);
  await expect.poll(() => new URL(app.page.url()).pathname).toBe('/trace');
});

test('a locked station says who was there, what runs, and what waits', async () => {
  await using app = await bench.open('/', { station: 'locked', busy: true }, kiosk);
  const lock = { why: 'idle', userid: 9101, username: 'Ana Ruiz', at: Date.now() } as const;
  await app.change({ station: { ...demoStation(null), lock, standing: 'shut-out' } });
  await app.page.getByText(/nobody touched the screen for 2 minutes. Ana Ruiz can go on/).waitFor();
  await app.page.getByText('step 4, Remove the cover').waitFor();
  await app.page.getByRole('heading', { name: 'This station is shut out from the server' }).waitFor();
  await app.page.getByText('3 changes wait until it is enrolled again.').waitFor();
  await app.page.getByRole('button', { name: 'When something is wrong' }).click();
  await app.page.getByText(/^The server has not answered since /).waitFor();
  await app.page.getByText('The clock of this station is 14 minutes slow.').waitFor();
  await app.page.getByText(/^Tom Weber: 2 changes since .*; 2 need a lead/).waitFor();
  await app.page.getByRole('img', { name: 'The same as a QR code' }).waitFor();
});

test('signing out asks what happens to a running order; a hand-over needs a note', async () => {
  await using app = await bench.open('/station', { station: 'signed-in', running: true }, kiosk);
  await runOwn(app);
  await askSignOut(app);
  const dialog = app.page.getByRole('dialog');
  await dialog.getByText('Hand over').click();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await dialog.getByText('Say what is done and what is next').waitFor();
  await dialog.getByLabel('Note for whoever takes over').fill('Left hinge checked.');
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await app.page.getByText('Ana Ruiz signed out.').waitFor();
  expect(await app.calls('signOutOfStation')).toEqual([
    [{ orders: 'hand-over', note: 'Left hinge checked.' }],
  ]);
});

test('another person takes over the screen without the lock screen between', async () => {
  await using app = await bench.open('/station', { station: 'signed-in' }, kiosk);
  await app.page.getByRole('button', { name: 'Switch person' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Ben Okafor' }).click();
  await app.page.keyboard.type('1357', { delay: 80 });
  await app.page.keyboard.press('Enter');
  await app.page.getByRole('button', { name: /^Ben Okafor: sign out/ }).waitFor();
  expect(await app.calls('lockStation')).toEqual([]);
});

test('only the ways to sign in that the station allows are offered to the next person', async () => {
  await using app = await bench.open('/station', { station: 'signed-in' }, kiosk);
  await app.change({ station: { ...demoStation('Ana Ruiz'), signIn: ['pin'] } });
  await app.page.getByRole('button', { name: 'Switch person' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByText('Enter your PIN. The orders of Ana Ruiz go on.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Ben Okafor' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Enter a PIN' }).click();
  await app.page.keyboard.type('1357', { delay: 80 });
  await app.page.keyboard.press('Enter');
  await expect.poll(() => app.calls('signInAtStation')).toEqual([[{ pin: '1357' }]]);
});

test('a device becomes a station with a code, and stops being one with the exit code or a password', async () => {
  await using app = await bench.open('/sign-in', { signedOut: true });
  await app.page.getByRole('link', { name: 'This device is a station' }).click();
  await app.page.getByLabel('Server address').fill('https://guides.example.org');
  await app.page.getByLabel('Code of the station').fill('wrong');
  await app.page.getByRole('button', { name: 'Make it a station' }).click();
  await app.page.getByText('Enter the ten characters of the code').waitFor();
  await app.page.getByLabel('Code of the station').fill('7q4xm r2kd9');
  await app.page.getByRole('button', { name: 'Make it a station' }).click();
  await app.page.getByRole('button', { name: 'When something is wrong' }).click();
  await app.page.getByRole('button', { name: 'End station mode' }).click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'End station mode' }).click();
  await dialog.getByText('Enter the eight digits of the exit code').waitFor();
  await dialog.getByLabel('Exit code').fill('1111 2222');
  await dialog.getByRole('button', { name: 'End station mode' }).click();
  await dialog.getByText('The code was not accepted. Try again').waitFor();
  expect(await dialog.getByLabel('Exit code').inputValue()).toBe('');
  await dialog.getByRole('button', { name: 'Use a password' }).click();
  await dialog.getByRole('button', { name: 'End station mode' }).click();
  await dialog.getByText('Enter the e-mail address and the password of an administrator').waitFor();
  await dialog.getByLabel('E-mail').fill('mira@example.org');
  await dialog.getByLabel('Password').fill(rightPassword);
  await dialog.getByRole('button', { name: 'End station mode' }).click();
  await app.page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('touches reach the engine, and a station that nobody touches says that it is about to lock', async () => {
  await using app = await bench.open('/station', { station: 'signed-in' }, kiosk);
  await app.change({ station: { ...demoStation('Ana Ruiz'), idleSeconds: 12 } });
  await app.page.getByText(/^Locks in \d+ s$/).waitFor();
  const before = (await app.calls('touchStation')).length;
  await app.page.mouse.click(640, 400);
  await app.page.getByText(/^Locks in/).waitFor({ state: 'detached' });
  expect((await app.calls('touchStation')).length).toBe(before + 1);
});

test('the keyboard on the screen types into fields, also those of dialogs, and takes no focus', async () => {
  await using app = await bench.open(
    '/station',
    { station: 'signed-in', running: true },
    { ...kiosk, touch: true },
  );
  await runOwn(app);
  await askSignOut(app);
  const dialog = app.page.getByRole('dialog');
  await dialog.getByText('Hand over').tap();
  const note = dialog.getByLabel('Note for whoever takes over');
  await note.tap();
  const keyboard = app.page.getByRole('group', { name: 'Keyboard on the screen' });
  await keyboard.getByRole('button', { name: 'Capital letters' }).tap();
  for (const key of ['O', 'k', 'x']) await keyboard.getByRole('button', { name: key, exact: true }).tap();
  await keyboard.getByRole('button', { name: 'Delete a character' }).tap();
  expect(await note.inputValue()).toBe('Ok');
  await dialog.getByRole('button', { name: 'Sign out' }).tap();
  await app.page.getByText('Ana Ruiz signed out.').waitFor();
  expect(await app.calls('signOutOfStation')).toEqual([[{ orders: 'hand-over', note: 'Ok' }]]);
});

/** Confirms a change with the password. */
async function prove({ page }: AppPage): Promise<void> {
  await page.getByRole('dialog').getByLabel('Password').fill(rightPassword);
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
}

test('an administrator makes a station, reads its code, decides about former members, and shuts it out', async () => {
  await using app = await bench.open('/stations', { administrator: true });
  await app.page.getByText(/6 changes wait on it, the oldest from/).waitFor();
  await app.page.getByLabel('Name').fill('Packing 1');
  await app.page.getByRole('button', { name: 'Make a station' }).click();
  await prove(app);
  await app.page.getByText('7Q4XM-R2KD9').waitFor();
  await app.page.getByText('4802 1375').waitFor();
  await app.page.getByRole('img', { name: 'The code as a QR code' }).waitFor();
  await app.page.getByRole('link', { name: 'Assembly 3' }).click();
  await app.page.getByRole('button', { name: 'Accept what Tom Weber recorded' }).click();
  await app.page.getByText('Accepted', { exact: true }).waitFor();
  await app.page.getByRole('button', { name: 'Shut out' }).click();
  await app.page.getByRole('dialog').getByRole('button', { name: 'Shut out' }).click();
  await app.page.getByText('Assembly 3 is shut out').waitFor();
  expect(await app.calls('decideFormer')).toEqual([[9190, 9106, 'accept']]);
  expect(await app.calls('revokeStation')).toEqual([[9190]]);
});

test('badges are issued and PINs set on the screen of the person, with a proof', async () => {
  await using app = await bench.open('/people/9102', { administrator: true });
  await app.page.getByLabel('New PIN').fill('1234');
  await app.page.getByRole('button', { name: 'Set PIN' }).click();
  await app.page.getByText('Do not use digits in a row, such as 1234').waitFor();
  await app.page.getByLabel('New PIN').fill('2468');
  await app.page.keyboard.press('Enter');
  await prove(app);
  await app.page.getByText('The PIN is set. Stations learn of it at their next contact.').waitFor();
  await app.page.getByLabel('Badge number').fill('04A2');
  await app.page.keyboard.press('Enter');
  await prove(app);
  await app.page.getByText('The badge is issued.').waitFor();
  expect(await app.calls('setStationPin')).toEqual([[9102, '2468', { password: rightPassword }]]);
  expect(await app.calls('issueBadge')).toEqual([[9102, '04A2', '', { password: rightPassword }]]);
});

test('ADMIN-3 ADMIN-19 the form of a station asks before it is left, sends only what changed, and does not overwrite', async () => {
  await using app = await bench.open('/stations', { administrator: true });
  const { page } = app;
  await page.getByRole('link', { name: 'Assembly 3' }).click();
  // The list has a field for a name too.
  await page.getByRole('heading', { level: 1, name: 'Assembly 3' }).waitFor();
  const name = page.getByRole('textbox', { name: /^Name/ });
  await name.fill('Assembly 4');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.evaluate(() => history.back());
  await question.getByText('Stay here').click();
  await page.evaluate(async () => {
    const { actions } = window.fixture;
    await actions.changeStation(9190, { place: 'Hall 9' }, await actions.readStation(9190));
  });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Not saved: somebody else changed this station meanwhile.').waitFor();
  expect(await page.getByRole('textbox', { name: /^Place/ }).inputValue()).toBe('Hall 9');
  expect(await name.inputValue()).toBe('Assembly 4');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await app.calls('changeStation')).at(-1)?.slice(0, 2)).toEqual([9190, { name: 'Assembly 4' }]);
  await page.evaluate(() => history.back());
  await page.getByRole('heading', { level: 1, name: 'Stations' }).waitFor();
  expect(await question.count()).toBe(0);
});
