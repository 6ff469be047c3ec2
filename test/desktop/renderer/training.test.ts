import { afterAll, beforeAll, expect, test } from 'vitest';

import { doublingSurvey } from '#test/support/hostile-quiz.ts';

import { openWorkbench, type Look, type Workbench } from './app-page.ts';
import { looks, offences } from './axe.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

test('a quiz runs where text can never become markup, and code written by authors has no effect', async () => {
  await using app = await bench.open('/training');
  const { page } = app;
  const address = `${bench.url}/training/attempts/40`;
  await page.route(address, async (route) => {
    const response = await route.fetch();
    const policy = "require-trusted-types-for 'script'; trusted-types default";
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } });
  });
  await page.goto(address);
  await page.getByText('Who takes the lock off?').waitFor();
  const note = page.getByText('Mind the lock');
  expect(await note.evaluate((element) => element.outerHTML)).toContain('<strong>');
  expect(await page.locator('img[onerror]').count()).toBe(0);
  expect(app.errors).toEqual([]);
});

test('a quiz is started, answered and submitted; answers are saved along the way', async () => {
  await using app = await bench.open('/training');
  const { page } = app;
  await page.getByRole('link', { name: 'Take the quiz' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  expect(await app.calls('beginQuiz')).toEqual([[{ quizid: 1, courseStageid: 2 }]]);
  await page.getByText('Whoever put it on').click();
  await expect
    .poll(() => app.calls('saveAnswers'))
    .toEqual([[expect.any(String), { owner: 'Whoever put it on' }]]);
  await page
    .getByRole('textbox', { name: 'Why does everybody have a lock of their own?' })
    .fill('Nobody else');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('What comes first?').waitFor();
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('Waiting for the score').waitFor();
  const [[, answers] = []] = await app.calls('submitAnswers');
  expect(answers).toMatchObject({ owner: 'Whoever put it on', why: 'Nobody else' });
  expect(app.errors).toEqual([]);
});

test('a required question must be answered before the quiz continues', async () => {
  await using app = await bench.open('/training/attempts/40');
  const { page } = app;
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Response required').first().waitFor();
  expect(await page.getByText('What comes first?').count()).toBe(0);
  expect(await app.calls('submitAnswers')).toEqual([]);
});

test('QUIZ-17 a quiz that would block the app is not opened, and says why', async () => {
  await using app = await bench.open('/training');
  const { page } = app;
  await page.evaluate((survey) => {
    window.fixture.change(({ training }) => ({
      training: { ...training, quizzes: training.quizzes.map((quiz) => ({ ...quiz, survey })) },
    }));
  }, doublingSurvey(40));
  await page.getByRole('link', { name: 'Take the quiz' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('This quiz cannot be opened here').waitFor();
  await page.getByText('v10 is computed from more than 1000 values').waitFor();
  expect(app.errors).toEqual([]);
});

test('QUIZ-17 a pattern with unbounded backtracking is skipped; others apply', async () => {
  await using app = await bench.open('/training');
  const { page } = app;
  const fields = [
    { type: 'text', name: 'a', title: 'Costly', validators: [{ type: 'regex', regex: '^(a+)+$' }] },
    {
      type: 'text',
      name: 'b',
      title: 'Plain',
      validators: [{ type: 'regex', regex: '^b+$', text: 'Only the letter b' }],
    },
  ];
  const survey = {
    pages: [{ elements: fields }, { elements: [{ type: 'text', name: 'c', title: 'The end' }] }],
  };
  await page.evaluate((changed) => {
    window.fixture.change(({ training }) => ({
      training: { ...training, quizzes: training.quizzes.map((quiz) => ({ ...quiz, survey: changed })) },
    }));
  }, survey);
  await page.getByRole('link', { name: 'Take the quiz' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('textbox', { name: 'Costly' }).fill(`${'a'.repeat(100)}!`);
  await page.getByRole('textbox', { name: 'Plain' }).fill('c');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Only the letter b').waitFor();
  await page.getByRole('textbox', { name: 'Plain' }).fill('b');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('textbox', { name: 'The end' }).waitFor();
  expect(app.errors).toEqual([]);
});

test('the last typed text is saved when the person leaves the quiz', async () => {
  await using app = await bench.open('/training/attempts/40');
  const { page } = app;
  await page.getByRole('textbox', { name: 'Why does everybody' }).fill('Half a thought');
  await page.getByRole('link', { name: 'My results' }).click();
  await expect.poll(() => app.calls('saveAnswers')).toEqual([['40', { why: 'Half a thought' }]]);
});

test('a refused attempt shows the server’s words and is submitted as another', async () => {
  await using app = await bench.open('/training/attempts/31');
  const { page } = app;
  await page.getByText('Incorrect').waitFor();
  await page.evaluate(() =>
    window.fixture.change(({ training }) => ({
      training: {
        ...training,
        attempts: training.attempts.map((one) => ({
          ...one,
          state: 'refused' as const,
          refusal: { callid: 'call-1', message: 'This attempt was submitted on 5 May' },
        })),
      },
    })),
  );
  await page.getByText('This attempt was submitted on 5 May').waitFor();
  await page.getByRole('button', { name: 'Submit as a new attempt' }).click();
  expect(await app.calls('handInAnew')).toEqual([['call-1']]);
});

test('a guide offers its quiz beside it and after its last step', async () => {
  await using app = await bench.open('/guides/9001');
  const { page } = app;
  await page.getByRole('link', { name: /^Lockout before maintenance/ }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect.poll(() => app.calls('beginQuiz')).toEqual([[{ quizid: 1, guideid: '9001' }]]);
});

test('modules say that they need the server, and play in their own window', async () => {
  await using app = await bench.open('/training');
  const { page } = app;
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Play the module' }).click();
  await opened;
  expect(await app.calls('playModule')).toEqual([[1]]);
  await app.change({
    sync: { ...(await page.evaluate(() => window.fixture.world().sync)), connection: 'offline' },
  });
  expect(await page.getByRole('button', { name: 'Available online only' }).isDisabled()).toBe(true);
});

test('an author imports a survey, and is told about invalid JSON', async () => {
  await using app = await bench.open('/training/quizzes');
  const { page } = app;
  await page.getByRole('button', { name: 'Import a quiz' }).click();
  await page.getByLabel('SurveyJS JSON').fill('{');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('This is not a valid SurveyJS survey in JSON').waitFor();
  await page.getByLabel('SurveyJS JSON').fill('{"title":"Cranes","pages":[]}');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('link', { name: 'Cranes' }).waitFor();
  expect(await app.calls('importQuiz')).toEqual([
    [{ passing_score: 80, surveyjs: { title: 'Cranes', pages: [] } }],
  ]);
});

test('a course is planned, saved and assigned to a person', async () => {
  await using app = await bench.open('/training/plans/1');
  const { page } = app;
  await page.getByLabel('Passing score').nth(1).fill('90');
  await page.getByRole('button', { name: 'Save the course' }).click();
  await page.getByText('Course saved').waitFor();
  const [[courseid, course] = []] = await app.calls('saveCourse');
  expect(courseid).toBe(1);
  expect(course).toMatchObject({ stages: [{ docid: 9001 }, { docid: 1, passing_score: 90 }, { docid: 1 }] });
  await page.getByLabel('Due date (YYYY-MM-DD)').fill('2027-13');
  await page.getByText('Enter a date such as 2027-03-31').waitFor();
});

test('a version is published, and a package is imported with its progress', async () => {
  await using app = await bench.open('/training/modules/1');
  const { page } = app;
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect.poll(() => app.calls('makeCurrent')).toEqual([[1, 12]]);
  await page.getByRole('button', { name: 'Import a new version' }).click();
  await page.getByText('Web address').click();
  await page.getByLabel('Address of the package').fill('https://vendor.example.org/a.zip');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Importing: Unpacking').waitFor();
  await page.getByRole('button', { name: 'Stop the import' }).click();
  await page.getByText('Stopped', { exact: true }).first().waitFor();
});

test('TRAINING-UI-1 an import ends with “Publish”, which the list of versions offers too', async () => {
  await using app = await bench.open('/training/modules/1');
  const { page } = app;
  await page.getByRole('button', { name: 'Import a new version' }).click();
  await page.getByText('Web address').click();
  await page.getByLabel('Address of the package').fill('https://vendor.example.org/ready.zip');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a new version' });
  await dialog.getByText('Nobody can take it until you publish it.').waitFor();
  await dialog.getByRole('button', { name: 'Publish later' }).waitFor();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published').first().waitFor();
  const [[importid] = []] = await app.calls('importFromAddress');
  expect(await app.calls('makeCurrent')).toEqual([[1, importid]]);
});

test('TRAINING-UI-2 an author meets neither answers nor “Delete” where a quiz is taken', async () => {
  await using app = await bench.open('/training/quizzes/2');
  const { page } = app;
  await page.getByRole('heading', { name: 'Your attempts' }).waitFor();
  expect(await page.getByRole('button', { name: /Delete quiz|Show the questions/ }).count()).toBe(0);
  const nav = page.getByRole('navigation', { name: 'Training sections' });
  expect(await nav.innerText()).toMatch(/Take\s+Courses[\s\S]*Manage\s+Course plans/);
  await page.getByRole('link', { name: 'Manage', exact: true }).click();
  await page.getByRole('button', { name: 'Delete quiz' }).waitFor();
  await page.getByRole('button', { name: 'Show the questions' }).click();
  await page.getByText('Correct answer').first().waitFor();
  await page.getByRole('link', { name: 'Go to the quiz' }).click();
  await page.getByRole('heading', { name: 'Your attempts' }).waitFor();
});

test('a shared account is told that it takes no quizzes', async () => {
  await using app = await bench.open('/training');
  await app.page.evaluate(() =>
    window.fixture.change(({ session }) => ({
      session: { ...session, user: { userid: 9103, username: 'Hall', privileges: ['User', 'Kiosk'] } },
    })),
  );
  await app.page.getByText('Shared accounts can’t take quizzes').waitFor();
});

const narrow: [string, Look] = ['320 px', { density: 'touch', width: 320, height: 700 }];

test('axe finds nothing in a running quiz, and nothing is wider than the window in any look', async () => {
  await using app = await bench.open('/training/attempts/40');
  await app.page.getByText('Who takes the lock off?').waitFor();
  for (const [name, look] of [...looks, narrow]) {
    await app.wear(look);
    expect([name, await offences(app.page, look)]).toEqual([name, []]);
    const beyond = await app.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([name, Math.max(beyond, 0)]).toEqual([name, 0]);
  }
}, 120_000);
