import { afterAll, beforeAll, expect, test } from 'vitest';

import { text } from '#desktop/renderer/text/en.ts';
import { administrationText } from '#desktop/renderer/text/en/administration.ts';

import { openWorkbench, type AppPage, type Workbench } from './app-page.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(async () => bench[Symbol.asyncDispose]());

const administrator = { administrator: true };
const phone = { width: 390, height: 844, density: 'touch' as const };

function sections({ page }: AppPage) {
  return page.getByRole('navigation', { name: 'Administration sections' });
}

/** Whether the browser asks before the window is closed. */
function asksOnClose({ page }: AppPage): Promise<boolean> {
  return page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
}

test('ADMIN-1 the main navigation leads to the sections, each of which names itself as the present one', async () => {
  await using app = await bench.open('/', administrator);
  const { page } = app;
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'Administration' }).click();
  for (const name of Object.values(administrationText.sections)) {
    await sections(app).getByRole('link', { name, exact: true }).click();
    await page.locator('main h1').waitFor();
    await expect.poll(() => sections(app).locator('[aria-current="page"]').allInnerTexts()).toEqual([name]);
    expect(await main.locator('[aria-current="page"]').allInnerTexts()).toEqual(['Administration']);
  }
  expect(app.errors).toEqual([]);
});

test('ADMIN-1 on a phone the first screen lists the sections, and each leads back to it', async () => {
  await using app = await bench.open('/administration', administrator, phone);
  const { page } = app;
  await sections(app).getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  expect(await sections(app).isVisible()).toBe(false);
  await page.locator('main').getByRole('link', { name: 'Administration' }).click();
  await sections(app).getByRole('link', { name: 'Audit log' }).waitFor();
});

test('ADMIN-2 a bar counts the changes that are not saved, and discards them', async () => {
  await using app = await bench.open('/settings/site', administrator);
  const { page } = app;
  const field = page.getByLabel('Short name');
  const before = await field.inputValue();
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  await field.fill('Hall 3');
  await page.getByText('1 change not saved').waitFor();
  await page.getByText('Guides are released in versions').click();
  await page.getByText('2 changes not saved').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  expect(await field.inputValue()).toBe(before);
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  expect(await app.calls('changeSite')).toEqual([]);
});

test('ADMIN-3 a link asks before changes are left, and both answers are kept to; so does closing the window', async () => {
  await using app = await bench.open('/administration', administrator);
  const { page } = app;
  await sections(app).getByRole('link', { name: 'Site', exact: true }).click();
  const field = page.getByLabel('Short name');
  await field.fill('Hall 3');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await sections(app).getByRole('link', { name: 'Mail' }).click();
  await question.getByText('Stay here').click();
  await question.waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('Hall 3');
  expect(await asksOnClose(app)).toBe(true);
  await sections(app).getByRole('link', { name: 'Overview' }).click();
  await question.getByText('Your change on this page is lost.').waitFor();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await sections(app).getByRole('link', { name: 'Site', exact: true }).click();
  expect(await field.inputValue()).not.toBe('Hall 3');
  expect(await asksOnClose(app)).toBe(false);
  await sections(app).getByRole('link', { name: 'Mail' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mail' }).waitFor();
});

test('ADMIN-4 everybody else is told whom to ask, at every address, and sees no form', async () => {
  await using app = await bench.open('/administration');
  const { page } = app;
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  for (const path of ['/administration', '/administration/mail', '/settings/site', '/settings/audit']) {
    await page.goto(bench.url + path);
    await page.getByRole('heading', { name: 'This is for administrators' }).waitFor();
    await page.getByText('Ask an administrator of this site').waitFor();
    expect(await page.locator('main').getByRole('textbox').count()).toBe(0);
  }
  await page.locator('main').getByRole('link', { name: text.app.toLibrary }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');
});

/**
 * Brings a field to the middle, and waits until the page has said that it scrolled:
 * a list that opens before that closes again.
 */
const scrollToMiddle = async (field: Element) => {
  field.scrollIntoView({ block: 'center', behavior: 'instant' });
  for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
};

test('ADMIN-5 languages, the time zone and kinds of guides are chosen by name', async () => {
  await using app = await bench.open('/settings/site', administrator);
  const { page } = app;
  const languages = page.getByRole('group', { name: 'Languages' });
  await languages.getByText('English').waitFor();
  const added = languages.getByRole('combobox', { name: 'Add a language' });
  await added.evaluate(scrollToMiddle);
  await added.fill('franç');
  await page.getByRole('option', { name: /French/ }).click();
  // The list stays open for the next language.
  await page.keyboard.press('Escape');
  await languages.getByText('French', { exact: true }).waitFor();
  await languages.getByRole('button', { name: 'Remove German' }).click();
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.evaluate(scrollToMiddle);
  await zone.fill('new york');
  await page.getByRole('option', { name: /America\/New_York/ }).click();
  const kinds = page.getByRole('group', { name: 'Kinds of guides' });
  const kind = kinds.getByRole('combobox', { name: 'Add a kind of guide' });
  await kind.evaluate(scrollToMiddle);
  await kind.fill('How');
  await page.getByRole('option', { name: 'How-to' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('radiogroup', { name: 'Who can read' }).getByText('People who sign in').click();
  await page
    .getByRole('button', { name: 'Main language' })
    .or(page.getByLabel('Main language'))
    .first()
    .click();
  await page.getByRole('option', { name: 'French' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Settings saved').waitFor();
  expect((await app.calls('changeSite')).map(([edit]) => edit)).toEqual([
    {
      langid: 'fr',
      languages: ['en', 'fr'],
      time_zone: 'America/New_York',
      guide_types: ['repair', 'maintenance', 'how-to'],
      private: true,
    },
  ]);
});
