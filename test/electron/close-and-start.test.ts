import { once } from 'node:events';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { go, startOrder, status } from '#test/e2e/whole-app.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

import { attachWhenReady } from './support/attached-page.ts';
import { desktopForTests } from './support/desktop-for-tests.ts';
import { editorPath, signInAt } from './support/sign-in.ts';
import { ownedFolder } from './support/unprivileged.ts';

const archive = join(import.meta.dirname, '../fixtures/omanual/own/minimal-1.0.omanual');

const { prepared } = desktopForTests('closing and starting');
let server: TestServer;
let ada: TestPerson;
let guide: Guide;

beforeAll(async () => {
  ({ server, ada, guide } = await workshop());
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** A server with a guide that has a form. */
async function workshop(): Promise<{ server: TestServer; ada: TestPerson; guide: Guide }> {
  const own = await startServer();
  await own.category('Bench Grinder');
  const person = await own.person('Ada');
  const made = await makeGuide(person);
  await makeForm(person, made);
  return { server: own, ada: person, guide: made };
}

/** A folder for user data on which Ada is signed in. */
async function signedIn(at = server): Promise<string> {
  const data = prepared().userData();
  await using app = await prepared().launch(data, ['--keep-key-in-file']);
  await signInAt(app.page, at.url);
  return data;
}

async function titleIn(page: Page): Promise<string> {
  await page.getByLabel('Step title').waitFor();
  return page.getByLabel('Step title').inputValue();
}

describe('closing and starting the desktop app', () => {
  it('ELECTRON-77 closing the window while a person types ends the program with all text saved', async () => {
    const data = await signedIn();
    const path = await editorPath(server, ada, guide);
    let expected = 'Close';
    const type = async (page: Page, words: string): Promise<void> => {
      await page.getByLabel('Sync status').first().waitFor();
      await go(page, path);
      expect(await titleIn(page)).toBe(expected);
      await page.getByLabel('Step title').fill('');
      await page.getByLabel('Step title').pressSequentially(words);
      expected = words;
    };
    for (const words of ['The first text', 'Another one']) {
      const { app, page, errors } = await prepared().launch(data);
      await type(page, words);
      const ended = once(app.process(), 'exit');
      await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
      expect((await ended)[0]).toBe(0);
      // Nothing waited for the limit.
      expect(errors()).not.toContain('did not save in time');
    }
    for (const words of ['Typed before the log-out', 'And before the last']) {
      const program = prepared().start(data);
      const { page } = await attachWhenReady(data);
      await type(page, words);
      const ended = once(program, 'exit');
      // Electron closes its windows, as when a person quits it.
      program.kill('SIGTERM');
      expect((await ended)[0]).toBe(0);
    }
    await using app = await prepared().launch(data);
    await go(app.page, path);
    expect(await titleIn(app.page)).toBe(expected);
  });

  it('ELECTRON-75 the window opens where it was closed', async () => {
    const data = prepared().userData();
    const bounds = { x: 120, y: 90, width: 700, height: 600 };
    {
      await using first = await prepared().launch(data, ['--keep-key-in-file']);
      await first.app.evaluate(
        ({ BrowserWindow }, given) => BrowserWindow.getAllWindows()[0]?.setBounds(given),
        bounds,
      );
      await soon(() =>
        first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds()),
      ).toEqual(bounds);
    }
    await using second = await prepared().launch(data);
    await soon(() =>
      second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds()),
    ).toEqual(bounds);
  });

  it('ELECTRON-78 without a server, the window shows the library, and work can be recorded', async () => {
    const gone = await workshop();
    const data = await signedIn(gone.server);
    await gone.server[Symbol.asyncDispose]();
    {
      await using app = await prepared().launch(data);
      await status(app.page, /^Offline/);
      await app.page.getByText('Belt').first().waitFor();
      await go(app.page, `/guides/${gone.guide.guideid}`);
      await startOrder(app.page, 'WO-1');
      await app.page.getByLabel('Torque').fill('12.5');
      await app.page
        .getByRole('status')
        .filter({ hasText: /^\s*Saved on this device/ })
        .first()
        .waitFor();
    }
    await using again = await prepared().launch(data);
    await go(again.page, `/guides/${gone.guide.guideid}`);
    await again.page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Open' }).click();
    await soon(() => again.page.getByLabel('Torque').inputValue()).toBe('12.5');
  });

  // Windows cannot suspend a process.
  it.skipIf(process.platform === 'win32')(
    'ELECTRON-85 a start while the window closes shows the archive as soon as the page has saved',
    async () => {
      const data = prepared().userData();
      const folder = ownedFolder('/tmp', 'benchbook-opened');
      copyFileSync(archive, join(folder, 'lamp.omanual'));
      {
        await using app = await prepared().launch(data, ['--keep-key-in-file']);
        await app.page.getByRole('heading', { name: 'Sign in' }).waitFor();
        const pageProcess = await app.app.evaluate(({ BrowserWindow }) =>
          BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
        );
        // The page saves when it goes on.
        process.kill(must(pageProcess, 'the process of the page'), 'SIGSTOP');
        await app.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
        const second = prepared().start(data, [join(folder, 'lamp.omanual')]);
        expect((await once(second, 'exit'))[0]).toBe(0);
        const opened = app.app.waitForEvent('window');
        process.kill(must(pageProcess, 'the process of the page'), 'SIGCONT');
        await (await opened).getByText('Removing Sample Lamp Cover').first().waitFor();
      }
      rmSync(folder, { recursive: true });
    },
  );

  it('ELECTRON-79 an archive that a person opens is shown, at the first start and in the running app', async () => {
    const data = prepared().userData();
    const folder = ownedFolder('/tmp', 'benchbook-opened');
    copyFileSync(archive, join(folder, 'lamp.omanual'));
    copyFileSync(archive, join(folder, 'again.omanual'));
    {
      await using app = await prepared().launch(data, ['--keep-key-in-file', join(folder, 'lamp.omanual')]);
      await app.page.getByText('Removing Sample Lamp Cover').first().waitFor();
      await go(app.page, '/settings');
      await app.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
      const second = prepared().start(data, [join(folder, 'again.omanual')]);
      expect((await once(second, 'exit'))[0]).toBe(0);
      await app.page.getByText('Removing Sample Lamp Cover').first().waitFor();
      const isMinimized = (): Promise<boolean | undefined> =>
        app.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized());
      await soon(isMinimized).toBe(false);
    }
    rmSync(folder, { recursive: true });
  });
});
