import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { answerMessageBoxes, attachPage, killPage } from './support/attached-page.ts';
import type { DesktopApp } from './support/desktop-app.ts';
import { desktopForTests } from './support/desktop-for-tests.ts';
import { editorPath, signInAt } from './support/sign-in.ts';

const { prepared } = desktopForTests('crashes');
let server: TestServer;
let ada: TestPerson;
let guide: Guide;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ada = await server.person('Ada');
  guide = await makeGuide(ada);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Opens the app, signed in, with the second step (`Close`) in the editor. */
async function openEditor(userData: string): Promise<DesktopApp> {
  const app = await prepared().launch(userData, ['--keep-key-in-file']);
  await signInAt(app.page, server.url);
  const place = await editorPath(server, ada, guide);
  await app.page.evaluate((to) => history.pushState(null, '', to), place);
  await app.page.getByLabel('Step title').waitFor();
  return app;
}

async function type(page: Page, title: string): Promise<void> {
  await page.getByLabel('Step title').fill(title);
  await page
    .getByRole('status')
    .filter({ hasText: /^\s*Saved on this device/ })
    .first()
    .waitFor();
}

function killsIn(app: DesktopApp): number {
  return app.errors().match(/^render-process-gone: /gm)?.length ?? 0;
}

describe('the desktop app', () => {
  it('ELECTRON-70 ELECTRON-71 shows the same step with all work after its page was killed', async () => {
    const data = prepared().userData();
    await using app = await openEditor(data);
    const { page } = app;
    const address = page.url();
    await type(page, 'Typed before the first');
    for (const [kills, typed] of ['Typed before the first', 'second', 'third', 'fourth'].entries()) {
      if (kills === 2) await answerMessageBoxes(app, 0);
      await killPage(app);
      await soon(() => killsIn(app)).toBe(kills + 1);
      await using again = await attachPage(app, data);
      expect(again.page.url()).toBe(address);
      await soon(() => again.page.getByLabel('Step title').inputValue()).toBe(typed);
      await type(again.page, ['second', 'third', 'fourth', 'end'][kills] ?? '');
    }
    expect(app.errors()).not.toMatch(/Unhandled|journal\w+: /);
  });

  it('ELECTRON-71 ends if the person does not want the page again', async () => {
    const data = prepared().userData();
    const app = await prepared().launch(data, ['--keep-key-in-file']);
    await answerMessageBoxes(app, 1);
    const ended = new Promise((resolve) => void app.app.process().once('exit', resolve));
    for (const kills of [1, 2, 3]) {
      await killPage(app);
      await soon(() => killsIn(app)).toBe(kills);
      if (kills === 3) break;
      await (await attachPage(app, data))[Symbol.asyncDispose]();
    }
    expect(await ended).toBe(0);
  });
});
