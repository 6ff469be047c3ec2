import { expect, test } from 'vitest';

import { makeGuide } from '#test/support/workshop.ts';

import { keptOffline, signIn, startWholeApp, status } from './whole-app.ts';

test('FEEDBACK-4 FEEDBACK-6 two taps offline become a task of the author, and the technician sees that it is done', async () => {
  await using resources = new AsyncDisposableStack();
  const { ada, server, openDevice } = await startWholeApp(resources);
  await server.person('Tim', ['User']);
  const guide = await makeGuide(ada);
  const first = `#s${guide.steps[0]?.stepid}`;

  const there = await openDevice();
  const technician = await there.context.newPage();
  await technician.goto(there.wire.url);
  await signIn(technician, 'tim');
  await status(technician, /^Synced/);
  const address = `${there.wire.url}/guides/${guide.guideid}`;
  await technician.goto(address);
  await technician.getByText('Ready offline').waitFor();
  await technician.goto(address + first);
  await keptOffline(technician);
  await there.goOffline();
  await status(technician, /^Offline/);
  let taps = 0;
  await technician.exposeFunction('countTap', () => (taps += 1));
  await technician.evaluate(() =>
    document.addEventListener('click', () => void Reflect.get(window, 'countTap')(), { capture: true }),
  );
  await technician.getByRole('button', { name: 'Feedback', exact: true }).click();
  await technician.getByRole('menuitem', { name: 'Unsafe' }).click();
  await technician.getByText('Thank you. The author gets your feedback.').waitFor();
  await technician.getByText('Your feedback: Unsafe').waitFor();
  await expect.poll(() => taps).toBe(2);
  await there.goOnline();
  await status(technician, /^Synced/);

  const here = await openDevice();
  const author = await here.context.newPage();
  await author.goto(here.wire.url);
  await signIn(author);
  await author.getByRole('link', { name: 'Feedback, 1 waiting for you' }).click();
  const task = author.getByRole('region', { name: 'For you' });
  await task.getByText(/^Tim, /).waitFor();
  await task.getByText('Unsafe').waitFor();
  await status(author, /^Synced/);
  await here.goOffline();
  await status(author, /^Offline/);
  await task.getByRole('button', { name: /^Done/ }).click();
  await author.getByLabel('Answer to Tim (optional)').fill('There is a guard now');
  await author.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await author
    .getByRole('region', { name: /^Done/ })
    .getByText(/^Done by you, /)
    .waitFor();
  await here.goOnline();
  await status(author, /^Synced/);
  await author.getByRole('link', { name: 'Belt · Step 1: Open' }).click();
  await expect.poll(() => author.getByLabel('Step title').inputValue()).toBe('Open');
  await author.getByRole('link', { name: 'Read the guide' }).first().click();
  await author.getByRole('heading', { name: 'Open', exact: true }).waitFor();
  expect(new URL(author.url()).hash).not.toBe('');

  await technician.getByText(/Done by Ada, /).waitFor();
  await technician.getByText('There is a guard now').waitFor();
  expect(await technician.getByText('Your feedback: Unsafe').count()).toBe(0);
});
