import { afterAll, beforeAll, expect, test } from 'vitest';

import { demoFeedback } from '#test/support/fixture-feedback.ts';

import { openWorkbench, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('FEEDBACK-6 two taps give feedback on a step, which gets a note and is taken back', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  const { page } = app;
  await page.getByRole('button', { name: 'Feedback', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Unsafe' }).click();
  await page.getByText('Thank you. The author gets your feedback.').waitFor();
  expect(await app.calls('giveFeedback')).toEqual([['90004', 'unsafe']]);
  await page.getByText('Your feedback: Unsafe').waitFor();
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByLabel('Your note for the author').fill('No guard');
  await page.getByRole('button', { name: 'Save note' }).click();
  const [[, , words, about]] = (await app.calls('comment')) as [[string, string, string, string]];
  expect(words).toBe('No guard');
  await page.getByRole('button', { name: 'Take back' }).click();
  expect(await app.calls('removeComment')).toEqual([[about]]);
});

test('FEEDBACK-6 the keyboard alone gives feedback', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  const { page } = app;
  await page.getByRole('button', { name: 'Feedback', exact: true }).focus();
  for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.getByText('Your feedback: Hard to understand').waitFor();
  expect(await app.calls('giveFeedback')).toEqual([['90004', 'unclear']]);
});

test('FEEDBACK-6 what became of feedback is in the comments of the step', async () => {
  await using app = await bench.open('/guides/9001#s90004');
  const { page } = app;
  await page.getByRole('button', { name: 'Feedback', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Step missing' }).click();
  await page.getByText('Your feedback: Step missing').waitFor();
  const done = { username: 'Mira Sol', mine: false, at: Date.now(), pending: false };
  const guides = await page.evaluate(() => window.fixture.world().guides);
  await app.change({
    guides: guides.map((guide) => ({
      ...guide,
      steps: guide.steps.map((step) => ({
        ...step,
        comments: step.comments.map((one) =>
          one.feedback === null ? one : { ...one, feedback: { ...one.feedback, done } },
        ),
      })),
    })),
  });
  await page.getByText(/^Step missing ?Done by Mira Sol, /).waitFor();
  expect(await page.getByText('Your feedback: Step missing').count()).toBe(0);
});

test('FEEDBACK-5 the author closes feedback with an answer, and reopens it; the navigation counts what is open', async () => {
  await using app = await bench.open('/feedback', { feedback: true });
  const { page } = app;
  await page.getByRole('link', { name: 'Feedback, 1 waiting for you' }).waitFor();
  const yours = page.getByRole('region', { name: 'For you' });
  const link = yours.getByRole('link', { name: / · Step 4: Fit the belt$/ });
  expect(await link.getAttribute('href')).toBe('/guides/9001/edit#s90004');
  await yours.getByText('Tim Okafor: No guard.').waitFor();
  await yours.getByRole('button', { name: /^Done/ }).click();
  await page.getByLabel('Answer to Tim Okafor (optional)').fill('There is one now');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await yours.waitFor({ state: 'detached' });
  expect(await app.calls('closeFeedback')).toEqual([['7101', 'There is one now']]);
  await page.getByRole('link', { name: 'Feedback', exact: true }).waitFor();
  const closed = page.getByRole('region', { name: /^Done/ });
  await closed.getByText('You: There is one now').waitFor();
  await closed
    .getByRole('button', { name: /^Reopen/ })
    .first()
    .click();
  await yours.waitFor();
  expect(await app.calls('reopenFeedback')).toEqual([['7101']]);
});

test('FEEDBACK-5 the navigation has feedback only for people who get some', async () => {
  await using app = await bench.open('/');
  const link = app.page.getByRole('link', { name: /^Feedback/ });
  expect(await link.count()).toBe(0);
  await app.change({ feedback: demoFeedback() });
  await link.waitFor();
});
