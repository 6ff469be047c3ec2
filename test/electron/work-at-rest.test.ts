import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { go } from '#test/e2e/whole-app.ts';
import { rareWord, rawSearch } from '#test/support/raw-search.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';
import { savedDraft } from '#test/support/saved-draft.ts';

import { desktopForTests } from './support/desktop-for-tests.ts';
import { sendSignIn, signInAt } from './support/sign-in.ts';
import { canMakeDisk, makeSmallDisk } from './support/small-disk.ts';

/** Long enough that neither half occurs anywhere by chance. */
const pin = '48 15 16 23 42 cogwheels';

const { prepared } = desktopForTests('the work at rest');
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  await makeForm(ada, await makeGuide(ada));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function setPin(page: Page, label = 'Continue'): Promise<void> {
  await page.getByLabel('New PIN').fill(pin);
  await page.getByLabel('PIN again').fill(pin);
  await page.getByRole('button', { name: label }).click();
}

async function unlock(page: Page, by: string): Promise<void> {
  await page.getByLabel('PIN', { exact: true }).fill(by);
  await page.getByRole('button', { name: 'Unlock' }).click();
}

/** Opens the editor of a new guide and types into its title. */
async function draft(page: Page, title: string): Promise<void> {
  await page.evaluate(() => history.pushState(null, '', '/'));
  await page
    .getByRole('button', { name: 'New guide' })
    .or(page.getByRole('link', { name: 'New guide' }))
    .click();
  await page.getByLabel('Title').first().fill(title);
  await savedDraft(page);
}

describe('the work at rest', () => {
  it('CIPHER-1 ELECTRON-41 a copied folder shows neither work nor token, and the PIN opens it', async () => {
    const data = prepared().userData();
    const word = rareWord();
    let token = '';
    {
      await using app = await prepared().launch(data);
      app.page.on('request', (request) => {
        token = /^api (\S+)$/.exec(request.headers()['authorization'] ?? '')?.[1] ?? token;
      });
      await setPin(app.page);
      await signInAt(app.page, server.url);
      await draft(app.page, word);
    }
    expect(token).not.toBe('');
    expect(await rawSearch(data, { word, token, pin })).toEqual([]);
    await using again = await prepared().launch(data);
    await unlock(again.page, `${pin}?`);
    await again.page.getByText('Wrong PIN').waitFor();
    await unlock(again.page, pin);
    await again.page.getByText(word).first().waitFor();
  });

  it('CIPHER-1 FORM-1 text in a form is unreadable on the disk, and there again at the next start', async () => {
    const data = prepared().userData();
    const word = rareWord();
    {
      await using app = await prepared().launch(data);
      await setPin(app.page);
      await signInAt(app.page, server.url);
      await go(app.page, '/profile');
      await app.page.getByLabel('One-line summary').fill(word);
      await go(app.page, '/');
      await app.page.getByLabel('One-line summary').waitFor({ state: 'detached' });
      await go(app.page, '/profile');
      await app.page.getByText(/Your unsaved changes of .+ were restored/).waitFor();
    }
    expect(await rawSearch(data, { word })).toEqual([]);
    await using again = await prepared().launch(data);
    await unlock(again.page, pin);
    await again.page.getByLabel('Sync status').first().waitFor();
    await go(again.page, '/profile');
    await again.page.getByText(/Your unsaved changes of .+ were restored/).waitFor();
    expect(await again.page.getByLabel('One-line summary').inputValue()).toBe(word);
  });

  it('ELECTRON-46 a forgotten PIN loses no work: a sign-in unlocks it', async () => {
    const data = prepared().userData();
    const word = rareWord();
    {
      await using app = await prepared().launch(data);
      await setPin(app.page);
      await signInAt(app.page, server.url);
      await draft(app.page, word);
    }
    {
      await using app = await prepared().launch(data);
      await app.page.getByRole('button', { name: 'I don’t know the PIN' }).click();
      await app.page.getByText(/Sign in with an account that has used it here: Ada/).waitFor();
      await sendSignIn(app.page, server.url);
      await setPin(app.page);
      await app.page.getByText(word).first().waitFor();
    }
    await using again = await prepared().launch(data);
    await unlock(again.page, pin);
    await again.page.getByText(word).first().waitFor();
  });

  it('ELECTRON-48 what was encrypted and cannot be opened is set aside, never deleted', async () => {
    const data = prepared().userData();
    {
      await using app = await prepared().launch(data);
      await setPin(app.page);
      await app.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    }
    await using app = await prepared().launch(data);
    await app.page.getByText('No account can unlock this device').waitFor();
    await app.page.getByRole('button', { name: 'Start without this work' }).click();
    await app.page.getByRole('button', { name: 'Start empty' }).click();
    await app.page.getByLabel('New PIN').waitFor();
    expect(readdirSync(data).filter((name) => name.startsWith('journals-'))).toHaveLength(1);
  });

  it('ELECTRON-48 CIPHER-6 after a start without the work, the person who was signed in signs in again and works on', async () => {
    const data = prepared().userData();
    const word = rareWord();
    {
      await using app = await prepared().launch(data);
      await setPin(app.page);
      await signInAt(app.page, server.url);
      await draft(app.page, rareWord());
    }
    for (const file of ['device-key.json', join('journals', 'device-key.json')])
      writeFileSync(join(data, file), '{');
    {
      await using app = await prepared().launch(data);
      await app.page.getByRole('button', { name: 'Start without this work' }).click();
      await app.page.getByRole('button', { name: 'Start empty' }).click();
      await setPin(app.page);
      await signInAt(app.page, server.url);
      await draft(app.page, word);
    }
    await using again = await prepared().launch(data);
    await unlock(again.page, pin);
    await again.page.getByText(word).first().waitFor();
    expect(readdirSync(data).filter((name) => name.includes('set-aside'))).toHaveLength(2);
  });

  it('ELECTRON-83 the second copy of the key file opens the work when the first is gone', async () => {
    const data = prepared().userData();
    const word = rareWord();
    {
      await using app = await prepared().launch(data);
      await setPin(app.page);
      await signInAt(app.page, server.url);
      await draft(app.page, word);
    }
    rmSync(join(data, 'device-key.json'));
    {
      await using app = await prepared().launch(data);
      await unlock(app.page, pin);
      await app.page.getByText(word).first().waitFor();
    }
    rmSync(join(data, 'device-key.json'));
    rmSync(join(data, 'journals', 'device-key.json'));
    await using app = await prepared().launch(data);
    await app.page.getByText('It is missing, but encrypted work is on this device.').waitFor();
  });

  it('ELECTRON-84 DATABASE-1 the right PIN opens the work on a full disk, and all of it is there when the disk has space', async (context) => {
    if (!canMakeDisk) {
      process.stderr.write(
        '\n*** NOT TESTED IN ELECTRON: a PIN on a full disk, which only root can make. ***\n\n',
      );
      context.skip();
    }
    using disk = makeSmallDisk(96);
    const word = rareWord();
    {
      await using app = await prepared().launch(disk.path);
      await setPin(app.page);
      await signInAt(app.page, server.url);
      await draft(app.page, word);
    }
    // Chromium frees some space when it opens databases, and the app when the PIN was right.
    disk.fill();
    const filling = setInterval(() => disk.fill(), 5);
    try {
      await using app = await prepared().launch(disk.path);
      await unlock(app.page, `${pin}?`);
      await app.page.getByText('Wrong PIN').waitFor();
      await unlock(app.page, pin);
      // Which databases can be opened depends on the space that is left in their files.
      const waits = app.page.getByText('The disk is full').first();
      const starts = app.page.getByText('check that the disk has free space');
      await app.page.getByText(word).or(waits).or(starts).first().waitFor();
      clearInterval(filling);
      disk.free();
      await app.page.getByText(word).first().waitFor();
      await waits.waitFor({ state: 'hidden' });
    } finally {
      clearInterval(filling);
    }
  });

  it('ELECTRON-41 a station keeps the key in a file that only its account can read', async () => {
    const data = prepared().userData();
    await using app = await prepared().launch(data, ['--keep-key-in-file']);
    await app.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(statSync(join(data, 'device-key.json')).mode & 0o777).toBe(0o600);
  });
});
