import { afterAll, beforeAll, expect, test } from 'vitest';

import { demoOffline } from '#test/support/fixture-offline.ts';

import { openWorkbench, type Workbench } from './app-page.ts';
import { keyboard } from './keyboard.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('KEYS-1 signing in', async () => {
  await using app = await bench.open('/', { signedOut: true });
  const keys = keyboard(app.page);
  await keys.to('combobox', 'Server address');
  await keys.press('Control+a');
  await keys.type('guides.example.org');
  await keys.to('textbox', 'E-mail');
  await keys.type('ana@example.org');
  await keys.to('textbox', 'Password');
  await keys.type('a long password');
  await keys.use('button', 'Sign in');
  await app.page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
  await keys.to('button', /^Search|Go to/);
  expect(await app.calls('signIn')).toEqual([
    ['https://guides.example.org', 'ana@example.org', 'a long password'],
  ]);
});

test('KEYS-1 finding a guide with the palette and opening it', async () => {
  await using app = await bench.open('/');
  const { page } = app;
  const keys = keyboard(page);
  await keys.press('Tab');
  await keys.press('Control+k');
  await page.getByRole('option', { selected: true }).waitFor();
  await keys.type('drive belt');
  await page.getByRole('option', { name: /Drive Belt/, selected: true }).waitFor();
  await keys.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Bench Grinder Drive Belt Replacement' }).waitFor();
  await keys.use('button', 'First step');
  await page.getByRole('button', { name: 'Next step' }).waitFor();
});

test('KEYS-1 reading steps and enlarging a picture', async () => {
  await using app = await bench.open('/guides/9001#s90002');
  const { page } = app;
  const keys = keyboard(page);
  await keys.use('button', 'Next step');
  await keys.press('Enter');
  await page.getByRole('heading', { name: 'Take off the belt cover' }).waitFor();
  await keys.use('button', 'Picture 2 of 2');
  await keys.to('button', /^Enlarge picture/, 'Shift+Tab');
  await keys.press('Enter');
  const area = page.getByRole('group', { name: /^Picture: plus and minus/ });
  await keys.to('group', /^Picture: plus and minus/);
  await keys.press('+', 3);
  await expect.poll(() => area.locator('[data-scale]').getAttribute('data-scale')).not.toBe('1');
  await keys.use('button', 'Zoom out');
  await keys.press('Escape');
  await area.waitFor({ state: 'detached' });
  await keys.to('button', /^Enlarge picture/);
  await keys.use('button', 'Next step');
  await page.getByRole('heading', { name: 'Slacken the motor plate' }).waitFor();
});

test('KEYS-1 KEYS-3 a work order from its start to its end, with values of every common kind', async () => {
  await using app = await bench.open('/guides/9001');
  const { page } = app;
  const keys = keyboard(page);
  await keys.use('button', 'Start work order');
  await keys.to('textbox', 'Work order number');
  await keys.type('WO-7');
  await keys.press('Enter');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await keys.use('button', 'First step');
  await keys.press('ArrowRight', 3);
  await page.getByRole('heading', { name: 'Take off the belt cover' }).waitFor();
  await keys.to('textbox', /^Screw torque after refitting/);
  await keys.type('2.4');
  await keys.to('radio', /.*/);
  await keys.press('Space');
  await keys.use('button', 'Next step');
  await keys.press('Enter', 2);
  await keys.use('button', /Condition of the old belt/);
  await keys.press('ArrowDown');
  await keys.press('Enter');
  await keys.to('textbox', /^Print on the new belt/);
  await keys.type('A 2041');
  await keys.use('button', 'Next step');
  await keys.press('Enter');
  await keys.to('textbox', /^Belt deflection/);
  await keys.type('6');
  await keys.to('textbox', /^Clamp bolt torque/);
  await keys.type('25');
  await keys.use('button', /^Next step|Test run/);
  await keys.use('button', 'Conclusion');
  await keys.use('button', 'Finish');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await keys.to('textbox', /^Why is/);
  await keys.type('The camera is broken');
  await keys.use('button', 'Finish');
  await page.getByText('Work order WO-7 is finished').waitFor();
  await keys.press('Tab');
});

test('KEYS-1 KEYS-2 suspending a work order with a note, and continuing it', async () => {
  await using app = await bench.open('/guides/9001', { running: true });
  const { page } = app;
  const keys = keyboard(page);
  await keys.use('button', 'More actions for this work order');
  await keys.to('menuitem', 'Suspend for handover', 'ArrowDown');
  await keys.press('Enter');
  await page.getByRole('dialog').waitFor();
  await keys.to('textbox', 'Note for the next person');
  await keys.type('Mind the spring.');
  await keys.use('button', 'Suspend for handover');
  await page.getByText(/Suspended by you/).waitFor();
  await page.getByText('Mind the spring.').waitFor();
  await keys.use('button', 'Continue');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await keys.use('button', 'Pause');
  await keys.use('button', 'Resume');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
});

test('KEYS-1 KEYS-4 a comment and an answer', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  const { page } = app;
  const keys = keyboard(page);
  await keys.use('button', /comment/i);
  await keys.to('textbox', 'Comments on this step');
  await keys.type('Mind the spring.');
  await keys.use('button', 'Post comment');
  await page.getByText('3 comments').waitFor();
  await keys.use('button', 'Reply');
  await keys.to('textbox', /^Reply to/);
  await keys.type('Thank you.');
  await keys.use('button', 'Post reply');
  await page.getByRole('article').getByText('Thank you.').waitFor();
  await keys.press('Tab');
  expect(await app.calls('comment')).toHaveLength(2);
  await keys.use('button', 'Edit');
  await keys.type(' Twice.');
  await keys.use('button', 'Save');
  await keys.use('button', 'Delete');
  await page.getByRole('dialog').waitFor();
  await keys.use('button', 'Delete');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await keys.press('Tab');
});

test('KEYS-1 a guide gets another title, a step with two lines that moves, and is saved', async () => {
  await using app = await bench.open('/guides/9001');
  const { page } = app;
  const keys = keyboard(page);
  await keys.use('link', 'Edit guide');
  await keys.to('textbox', 'Title');
  await keys.press('Control+a');
  await keys.type('Belt of the grinder');
  await keys.use('button', 'Add step');
  await page.getByRole('heading', { name: 'Step 11 of 11' }).waitFor();
  await keys.to('textbox', 'Step title');
  await keys.type('Clean up');
  await keys.to('textbox', 'Line 1');
  await keys.type('Sweep the floor.');
  await keys.press('Enter');
  await keys.type('Mind the sparks.');
  await keys.press('Alt+ArrowRight');
  await keys.to('button', /^Bullet of line 2/, 'Shift+Tab');
  await keys.press('Enter');
  await keys.to('menuitemradio', 'Caution', 'ArrowDown');
  await keys.press('Enter');
  await page.getByRole('button', { name: 'Bullet of line 2: Caution' }).waitFor();
  await keys.to('row', /.*/, 'Shift+Tab');
  await keys.to('row', /Clean up/, 'ArrowDown');
  await keys.press('Alt+ArrowUp');
  await page.getByRole('heading', { name: 'Step 10 of 11' }).waitFor();
  await keys.press('Tab');
  // Tab returns to the tool that had the focus last.
  await keys.to('button', /^(Move step up|Remove step)$/);
  await keys.to('button', 'Duplicate step', 'ArrowLeft');
  await keys.press('Enter');
  await page.getByRole('heading', { name: 'Step 11 of 12' }).waitFor();
  // The title of the new step has the focus.
  await keys.to('button', /^(Move step up|Remove step)$/, 'Shift+Tab');
  await keys.to('button', 'Remove step', 'ArrowRight');
  await keys.press('Enter');
  await page.getByText('“Clean up” was removed').waitFor();
  await keys.use('button', 'Save to the server');
  await expect.poll(() => app.calls('saveDraft')).toEqual([['9001']]);
  await keys.press('Tab');
  await keys.press('Tab');
});

test('KEYS-1 KEYS-5 a marker is drawn on a picture, which is cropped', async () => {
  await using app = await bench.open('/guides/9001/edit#s90004');
  const { page } = app;
  const keys = keyboard(page);
  await keys.use('button', 'Draw markers');
  await keys.to('button', 'Marker 1: circle, red');
  await keys.press('Enter');
  await keys.press('ArrowRight');
  await keys.press('+');
  // The other markers are between it and the tools, which are one stop of Tab.
  await keys.to('button', 'Add circle');
  await keys.to('button', 'Colour: Red', 'ArrowRight');
  await keys.press('Enter');
  await keys.to('menuitemradio', 'Light blue', 'ArrowDown');
  await keys.press('Enter');
  await page.getByRole('button', { name: 'Marker 1: circle, light blue' }).waitFor();
  await keys.to('button', 'Add circle', 'ArrowLeft');
  await keys.press('Enter');
  await keys.to('button', 'Marker 5: circle, light blue', 'Shift+Tab');
  await keys.press('Delete');
  await keys.use('button', 'Done');
  await keys.to('button', 'Draw markers');
  await keys.to('button', 'Crop and rotate', 'ArrowRight');
  await keys.press('Enter');
  await page.getByRole('application', { name: /^Frame/ }).waitFor();
  await keys.press('Shift+ArrowLeft', 4);
  await keys.use('button', 'Apply');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await keys.press('Tab');
  expect(await app.calls('replaceDraftPicture')).toHaveLength(1);
});

test('KEYS-1 decisions about a guide that two people edited', async () => {
  await using app = await bench.open('/sync', { busy: true });
  const { page } = app;
  const keys = keyboard(page);
  await keys.use('link', 'Decide');
  await page.getByRole('heading', { level: 1, name: '3 decisions for you' }).waitFor();
  await keys.to('radio', /What you wrote/);
  await keys.press('Space');
  await keys.press('ArrowDown');
  await keys.to('button', 'Use all mine', 'Shift+Tab');
  await keys.press('Enter');
  await keys.use('button', 'Undo');
  await keys.to('button', 'Use all mine', 'Shift+Tab');
  await keys.press('Enter');
  await page.getByText('All 3 are decided.').waitFor();
  await keys.use('button', 'Save 3 decisions');
  await page.getByRole('heading', { name: 'All decisions made' }).waitFor();
  await keys.press('Tab');
  expect(await app.calls('resolveConflicts')).toHaveLength(1);
});

test('KEYS-1 an account with a role and a team', async () => {
  await using app = await bench.open('/administration', { administrator: true });
  const { page } = app;
  const keys = keyboard(page);
  // The main navigation has a link of the same name.
  await keys.use('link', 'Skip to content');
  await keys.use('link', 'People');
  await keys.use('button', 'Add a person');
  await page.getByRole('dialog').waitFor();
  await keys.to('textbox', 'Name');
  await keys.type('Fay');
  await keys.to('textbox', /^E-mail address/);
  await keys.type('fay@example.com');
  await keys.use('button', 'Create account');
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
  await proof.waitFor();
  await keys.to('textbox', /Current password/);
  await keys.type('a long password');
  await keys.use('button', 'Confirm');
  await proof.waitFor({ state: 'detached' });
  await keys.press('Tab');
  await page.getByRole('link', { name: 'Fay' }).waitFor();
  await keys.use('link', 'Fay');
  await page.getByRole('heading', { level: 1, name: 'Fay' }).waitFor();
  await keys.to('checkbox', /^Author/);
  await keys.press('Space');
  await keys.to('checkbox', /^Line B/);
  await keys.press('Space');
  await keys.use('button', 'Save');
  await page.getByText('Account saved').waitFor();
  await keys.press('Tab');
});

test('KEYS-1 a work order is planned for a team', async () => {
  await using app = await bench.open('/planned', { lead: true });
  const { page } = app;
  const keys = keyboard(page);
  await keys.use('button', 'Plan an order');
  await page.getByRole('dialog').waitFor();
  await keys.to('textbox', 'Work order number');
  await keys.type('WO-2001');
  await keys.to('combobox', /^Guide/);
  await keys.type('Wheel');
  await page
    .getByRole('option', { name: /Wheel dressing/ })
    .first()
    .waitFor();
  await keys.press('ArrowDown');
  await keys.press('Enter');
  await keys.use('button', /Who does it/);
  await keys.to('option', 'Team: Line B', 'ArrowDown');
  await keys.press('Enter');
  await keys.to('radio', /.*/);
  await keys.press('ArrowRight');
  await keys.use('button', 'Plan an order');
  await page.getByRole('heading', { name: 'WO-2001' }).waitFor();
  await keys.press('Tab');
  await keys.use('button', 'More about WO-2001');
  await keys.to('menuitem', 'Withdraw', 'ArrowDown');
  await keys.press('Enter');
  await page.getByRole('dialog').waitFor();
  await keys.use('button', 'Withdraw');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await keys.press('Tab');
});

test('KEYS-1 an approval is signed', async () => {
  await using app = await bench.open('/', { approvals: true });
  const { page } = app;
  const keys = keyboard(page);
  await keys.use('link', 'Approvals, 1 waiting for you');
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  await keys.use('link', 'Bench Grinder Drive Belt Replacement');
  await keys.use('button', 'Sign');
  await page.getByRole('dialog').waitFor();
  await keys.to('radio', /Approved/);
  await keys.press('Space');
  await keys.to('textbox', /Your password/);
  await keys.type('open sesame');
  await keys.use('button', 'Sign');
  await page.getByText('You have signed').waitFor();
  await keys.press('Tab');
});

test('KEYS-1 a quiz is taken', async () => {
  await using app = await bench.open('/training');
  const { page } = app;
  const keys = keyboard(page);
  await keys.use('link', 'Take the quiz');
  await keys.use('button', 'Start');
  await page.getByText('Who takes the lock off?').waitFor();
  await keys.to('radio', 'Whoever put it on');
  await keys.press('Space');
  await keys.to('textbox', 'Why does everybody have a lock of their own?');
  await keys.type('Nobody else');
  await keys.use('button', 'Next');
  await page.getByText('What comes first?').waitFor();
  await keys.use('button', 'Submit');
  await page.getByText('Waiting for the score').waitFor();
  await keys.press('Tab');
});

test('KEYS-1 what a device keeps offline', async () => {
  await using app = await bench.open('/settings');
  const { page } = app;
  await app.change({ offline: demoOffline() });
  const keys = keyboard(page);
  await keys.use('button', 'Change…');
  const dialog = page.getByRole('dialog', { name: 'What this device keeps offline' });
  await dialog.waitFor();
  await keys.to('combobox', 'Add a tag');
  await keys.type('bel');
  await page.getByRole('option', { name: 'belt' }).waitFor();
  await keys.press('ArrowDown');
  await keys.press('Enter');
  await dialog.getByText('belt').waitFor();
  // The next field opens its list, too, and Escape closes it.
  await keys.press('Tab');
  await keys.press('Escape');
  await keys.use('button', 'Keep this offline');
  await dialog.waitFor({ state: 'detached' });
  expect(await app.calls('keepOffline')).toEqual([
    [expect.objectContaining({ tags: ['belt'], categories: ['Grinder'] })],
  ]);
});
