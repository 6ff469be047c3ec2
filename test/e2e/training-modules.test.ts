import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { OwnCourse } from '#shared/model/course.ts';
import type { TrainingResult } from '#shared/model/training.ts';
import { must } from '#shared/must.ts';
import { sharedBrowser } from '#test/support/browser.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import {
  aicc,
  cmi5,
  scorm12,
  scorm2004,
  sequenced2004,
  xapi,
  type Files,
} from '#test/support/training-packages.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { builtApp } from '#test/support/production-build.ts';
import { assigned, playerOf } from '#test/support/training-world.ts';

import { keptOffline, signIn } from './whole-app.ts';

let resources: AsyncDisposableStack;
let server: TestServer;
let browser: Browser;
let author: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  const { path: appDir } = resources.use(await temporaryFolder('training-app'));
  // Stands for the app: only its origin and storage matter.
  await writeFile(join(appDir, 'index.html'), '<!doctype html><title>App</title>');
  server = resources.use(await startServer({ appDir }));
  author = await server.person('Ana', ['User', 'Author']);
  ben = await server.person('Ben', ['User']);
  browser = await sharedBrowser();
});
afterAll(() => resources.disposeAsync());

/** The page around the lesson, in the frame of the app. */
const player = (page: Page) => page.frameLocator('iframe');

/** The frame with the lesson, once it shows a place. */
async function lesson(page: Page, place: string): Promise<Frame> {
  await player(page).frameLocator('iframe').locator(`body[data-place=${place}]`).waitFor();
  return must(
    page.frames().find((frame) => frame.url().includes('/content/')),
    'the frame of the lesson',
  );
}

async function resultOf(moduleid: number): Promise<TrainingResult | undefined> {
  const { body } = await author.call('GET', `/external_training_modules/${moduleid}/results`);
  return (body as TrainingResult[])[0];
}

const packages: [standard: string, files: Files][] = [
  ['SCORM 1.2', scorm12()],
  ['SCORM 2004', scorm2004('4th')],
  ['xAPI', xapi()],
  ['cmi5', cmi5()],
  ['AICC', aicc()],
];

test.each(packages)(
  'TRAINING-12 a module of %s is played to its end, and a reload continues where it was',
  async (_, files) => {
    const { moduleid, course } = await assigned(server, author, ben, files, { passing_score: 80 });
    await using context = await browser.newContext();
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (line) => {
      if (line.text().includes('Content Security Policy')) errors.push(line.text());
    });
    await page.goto((await playerOf(ben, moduleid)).url);
    const first = await lesson(page, 'slide');
    expect(await page.title()).toBe('Lockout');
    expect(await player(page).getByText('Continue').isVisible()).toBe(false);
    await expect.poll(() => first.locator('body').getAttribute('data-learner')).toBe('Ben');
    await first.getByRole('button', { name: 'Next' }).click();
    await lesson(page, 'question');
    await expect.poll(async () => (await resultOf(moduleid))?.completion).toBe('incomplete');
    await page.reload();
    const second = await lesson(page, 'question');
    await second.getByLabel('Pull the plug').check();
    await second.getByRole('button', { name: 'Answer' }).click();
    await second.getByText('Right').waitFor();
    await expect
      .poll(() => resultOf(moduleid))
      .toMatchObject({ completion: 'completed', success: 'passed', score: 90 });
    const { body } = await ben.call('GET', '/user/courses');
    const own = (body as OwnCourse[]).find((one) => one.course.courseid === course.courseid);
    expect(own?.progress).toMatchObject({ stages: [{ score: 90 }], completed_date: expect.any(Number) });
    expect(errors).toEqual([]);
  },
);

/** The part of a sequenced module, once it shows a place. */
async function part(page: Page, id: string, place: string): Promise<Frame> {
  await expect.poll(() => page.frames().some((frame) => frame.url().includes(`part=${id}`))).toBe(true);
  return lesson(page, place);
}

async function answered(frame: Frame, label: string): Promise<void> {
  await frame.getByRole('button', { name: 'Next' }).click();
  await frame.getByLabel(label).check();
  await frame.getByRole('button', { name: 'Answer' }).click();
}

test('TRAINING-19 sequencing decides what comes next, a reload continues in it, and the tree shows the structure of the module', async () => {
  const { moduleid } = await assigned(server, author, ben, sequenced2004());
  await using context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto((await playerOf(ben, moduleid)).url);
  const list = player(page).getByRole('list', { name: 'Parts' });
  const first = await part(page, 'TEST', 'slide');
  expect(await list.getByRole('button', { name: 'Exam' }).isDisabled()).toBe(true);
  expect(await player(page).getByRole('button', { name: 'Back' }).isDisabled()).toBe(true);
  // A person who passes skips the lesson immediately.
  await answered(first, 'Pull the plug');
  const exam = await part(page, 'EXAM', 'slide');
  // A person who fails takes it again from its beginning.
  await answered(exam, 'Open the guard');
  await expect.poll(() => resultOf(moduleid)).toMatchObject({ completion: 'completed', success: 'failed' });
  const again = await part(page, 'EXAM', 'slide');
  await again.getByRole('button', { name: 'Next' }).click();
  await lesson(page, 'question');
  await player(page).getByText('Saved').waitFor();
  await page.reload();
  const same = await part(page, 'EXAM', 'question');
  await same.getByLabel('Pull the plug').check();
  await same.getByRole('button', { name: 'Answer' }).click();
  await expect
    .poll(() => resultOf(moduleid))
    .toMatchObject({ completion: 'completed', success: 'passed', score: 90 });
  await player(page).getByRole('button', { name: 'Continue' }).click();
  await player(page).getByText('The module has ended').waitFor();
  await page.reload();
  await player(page).getByRole('button', { name: 'Begin again' }).click();
  await part(page, 'TEST', 'slide');
  expect(errors).toEqual([]);
});

test('TRAINING-10 a page whose session has ended says that nothing is saved any more', async () => {
  const { moduleid, course } = await assigned(server, author, ben, scorm12());
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.goto((await playerOf(ben, moduleid)).url);
  const frame = await lesson(page, 'slide');
  await author.call('DELETE', `/courses/${course.courseid}`);
  await frame.getByRole('button', { name: 'Next' }).click();
  await player(page)
    .getByRole('status')
    .filter({ hasText: /^Not saved/ })
    .waitFor();
  expect(await resultOf(moduleid)).toMatchObject({ completion: 'not attempted' });
});

test('TRAINING-20 a learner opens a module in the app, bypassing the cached app, and again after a reload', async () => {
  await using real = await startServer({ appDir: await builtApp() });
  const [ana, learner] = [await real.person('Ana', ['User', 'Author']), await real.person('Ben', ['User'])];
  const { moduleid } = await assigned(real, ana, learner, scorm12());
  await using context = await browser.newContext();
  const app = await context.newPage();
  await app.goto(`${real.url}/training`);
  await signIn(app, 'ben');
  const open = app.getByRole('button', { name: 'Play the module' });
  await open.waitFor();
  await keptOffline(app);
  const [page] = await Promise.all([context.waitForEvent('page'), open.click()]);
  const frame = await lesson(page, 'slide');
  expect(new URL(page.url()).origin).toBe(real.url);
  expect(new URL(frame.url()).origin).not.toBe(real.url);
  await page.reload();
  await (await lesson(page, 'slide')).getByRole('button', { name: 'Next' }).click();
  await expect
    .poll(async () => (await ana.call('GET', `/external_training_modules/${moduleid}/results`)).body)
    .toMatchObject([{ completion: 'incomplete' }]);
});

test('TRAINING-11 content reaches neither the storage of the app, nor its tokens, nor its API', async () => {
  const { moduleid } = await assigned(server, author, ben, scorm12());
  await using context = await browser.newContext();
  const app = await context.newPage();
  await app.goto(server.url);
  await app.evaluate(async (token) => {
    localStorage.setItem('secret', token);
    sessionStorage.setItem('secret', token);
    await new Promise((resolve) => {
      indexedDB.open('secret').addEventListener('success', resolve);
    });
  }, ben.token);
  // As the app opens it: from its own page, in a new one.
  const [page] = await Promise.all([
    context.waitForEvent('page'),
    app.evaluate((url) => void window.open(url), (await playerOf(ben, moduleid)).url),
  ]);
  const frame = await lesson(page, 'slide');
  const tried = await frame.evaluate(
    (url) => (Reflect.get(window, 'pry') as (app: string) => Promise<Record<string, unknown>>)(url),
    server.url,
  );
  expect(tried).toEqual({
    storage: null,
    session: null,
    cookie: '',
    top: 'SecurityError',
    opener: null,
    databases: '',
    call: 'TypeError',
    frame: 'SecurityError',
  });
  expect(JSON.stringify(tried)).not.toContain(ben.token);
  // Data that it stores in the browser is gone when it is opened again; the app's is not.
  await frame.evaluate(() => localStorage.setItem('left', 'behind'));
  await page.goto((await playerOf(ben, moduleid)).url);
  const next = await lesson(page, 'slide');
  expect(await next.evaluate(() => localStorage.getItem('left'))).toBeNull();
  expect(await app.evaluate(() => localStorage.getItem('secret'))).toBe(ben.token);
});
