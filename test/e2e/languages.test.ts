import { expect, test } from 'vitest';

import { keptOffline, startWholeApp } from './whole-app.ts';

test('LANGUAGE-1 a German browser shows the built app in German, offline too, and the settings change it to English', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, openDevice } = await startWholeApp(resources);
  const device = await openDevice({ locale: 'de-DE' });
  const page = await device.context.newPage();
  await page.goto(server.url);
  await page.getByLabel('E-Mail').fill('ada@example.com');
  await page.getByLabel('Passwort').fill('a long password');
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByRole('heading', { level: 1, name: 'Alle Anleitungen' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  await page.getByRole('link', { name: 'Bibliothek', exact: true }).waitFor();
  await page
    .getByText(/^Abgeglichen/)
    .first()
    .waitFor();
  await keptOffline(page);
  await device.goOffline();
  await page.goto(`${server.url}/settings`);
  await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
  // Two areas in files of their own: the text of a screen that is loaded later, and of the frame.
  await page.getByRole('heading', { name: 'Was dieses Gerät offline bereithält' }).waitFor();
  await page.getByText('English', { exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByRole('heading', { name: 'What this device keeps offline' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
});

test('LANGUAGE-4 a page whose code does not arrive says so in its language, and loads it on request', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, openDevice } = await startWholeApp(resources);
  const device = await openDevice({ locale: 'de-DE' });
  const page = await device.context.newPage();
  await page.route(/assets\/first-.*\.js/, (route) => route.abort());
  await page.goto(server.url);
  await page.getByRole('heading', { name: 'Die App konnte nicht geladen werden' }).waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Erneut versuchen' }).click();
  await page.getByLabel('Passwort').waitFor();
});
