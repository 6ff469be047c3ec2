import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { conformanceCases } from '#desktop/build/conformance/write-conformance.ts';
import { packageWith, guideDocument, stepDocument } from '#desktop/build/conformance/documents.ts';
import { buildOmanualCheck } from '#desktop/build/omanual-check.ts';
import { must } from '#shared/must.ts';
import { offences } from '#test/desktop/renderer/axe.ts';
import { browserPatience, sharedBrowser } from '#test/support/browser.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const resources = new AsyncDisposableStack();
let server: TestServer;

beforeAll(async () => {
  const { path: appDir } = resources.use(await temporaryFolder('omanual-check'));
  await mkdir(join(appDir, 'assets'));
  await writeFile(join(appDir, 'index.html'), '<!doctype html><title>App</title>');
  await writeFile(join(appDir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await buildOmanualCheck(join(appDir, 'omanual'));
  server = resources.use(await startServer({ appDir }));
});
afterAll(() => resources.disposeAsync());

interface Opened extends AsyncDisposable {
  page: Page;
  /** Addresses requested since the page was loaded. */
  requests: string[];
  complaints: string[];
}

async function open(options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await (await sharedBrowser()).newContext({ locale: 'en', ...options });
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${server.url}/omanual/check`, { waitUntil: 'networkidle' });
  context.on('request', (request) => {
    // The code of the worker is part of the page.
    if (!request.url().startsWith('blob:')) requests.push(request.url());
  });
  return { page, requests, complaints, [Symbol.asyncDispose]: () => context.close() };
}

type Chosen = { name: string; mimeType: string; buffer: Buffer };

function fileOf(name: string): Chosen {
  const { content } = must(
    conformanceCases.find((one) => one.name === name),
    name,
  );
  return { name: `${name}.omanual`, mimeType: '', buffer: Buffer.from(content) };
}

async function verdictOf(page: Page, file: Chosen): Promise<string> {
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText(file.name, { exact: true }).waitFor();
  return page.locator('.verdict h2').innerText();
}

test('CHECK-PAGE-1 valid, invalid and hostile files are checked, and no request leaves the page', async () => {
  await using opened = await open();
  const { page, requests, complaints } = opened;
  const verdicts = {
    valid: 'No problems found',
    advice: 'Valid, with advice',
    invalid: 'Not valid',
    refused: 'Not valid',
  };
  const policy = (await fetch(`${server.url}/omanual/check`)).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe/);
  for (const { name, verdict } of conformanceCases.filter((_, at) => at % 4 === 0))
    expect([name, await verdictOf(page, fileOf(name))]).toEqual([name, verdicts[verdict]]);
  expect(requests).toEqual([]);
  expect(complaints).toEqual([]);
  // Even code that wanted to send something could not.
  await page.evaluate(`fetch('/healthz').catch(() => undefined)`);
  expect(requests).toEqual([]);
  expect(complaints.join()).toContain('connect-src');
});

test('CHECK-PAGE-2 a problem is explained with what to do and its place, also when its text is markup', async () => {
  await using opened = await open();
  const { page } = opened;
  await verdictOf(page, fileOf('bullet'));
  const problem = page.locator('.problem');
  await problem.getByRole('heading', { name: 'A line has an unknown bullet' }).waitFor();
  const text = await problem.innerText();
  expect(text).toMatch(/The bullet "pink" is none of black/);
  expect(text).toMatch(/guide\/steps\/step\/lines\/line \(2:\d+\)/);
  expect(text).toMatch(/What to do: Use black, red/);
  const lines = Array.from({ length: 40 }, () => '<line bullet="&lt;img src=x&gt;" level="9">x</line>').join(
    '',
  );
  const buffer = Buffer.from(guideDocument(stepDocument(lines)));
  await verdictOf(page, { name: 'many.xml', mimeType: '', buffer });
  const kinds = (await page.locator('.problem h3').allInnerTexts()).map((text) => text.split('\n')[0]);
  expect(kinds).toEqual(['Error', 'Error', 'Advice']);
  expect(await page.locator('img').count()).toBe(0);
  const [rest] = await page.getByText('+ 35 places').all();
  await rest?.click();
  const bullet = page.locator('.problem', { hasText: 'unknown bullet' });
  expect(await bullet.locator('.where:visible').count()).toBe(40);
});

test('CHECK-PAGE-2 a file that changes while it is checked is named as such, and its name turns no sentence', async () => {
  await using opened = await open();
  const { page } = opened;
  const { path } = resources.use(await temporaryFolder('changed'));
  const file = join(path, 'changed.omanual');
  await writeFile(file, busyPackage().buffer);
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('Checking changed.omanual').waitFor();
  await writeFile(file, 'short');
  await page.getByText('It may have been moved or changed').waitFor();
  const buffer = Buffer.from('x');
  await page.locator('input[type=file]').setInputFiles({ name: 'a\u202elmx.xml', mimeType: '', buffer });
  await page.getByText('a\\u202elmx.xml is neither a ZIP package nor an XML document.').waitFor();
});

test('CHECK-PAGE-3 a file that keeps the checker busy ends after its time, or when it is stopped', async () => {
  await using opened = await open();
  const { page } = opened;
  const busy = busyPackage();
  await page.clock.install();
  await page.locator('input[type=file]').setInputFiles(busy);
  await page.getByText('Checking busy.omanual').waitFor();
  const tooLong = page.getByText('The check took too long and was stopped.');
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(60_000);
        return tooLong.isVisible();
      },
      { timeout: browserPatience },
    )
    .toBe(true);
  expect(await page.locator('.verdict h2').innerText()).toBe('Not checked');
  await page.locator('input[type=file]').setInputFiles(busy);
  // Without waiting until the button is still, for which the check might end.
  await page.getByRole('button', { name: 'Stop' }).dispatchEvent('click');
  await page.getByText('You stopped the check.').waitFor();
  expect(await verdictOf(page, fileOf('guide'))).toBe('No problems found');
});

test('CHECK-PAGE-4 the page can be used by keyboard, in German, on a phone, and by dropping a file', async () => {
  await using opened = await open({ locale: 'de-AT', viewport: { width: 360, height: 740 } });
  const { page } = opened;
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await page.bringToFront();
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Tab');
  await expect
    .poll(() => page.evaluate('document.activeElement.id'), { timeout: browserPatience })
    .toBe('file');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(fileOf('value'));
  await page.getByRole('heading', { name: 'Nicht gültig' }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Nicht gültig');
  await page.getByText('line/@level ist "high"; nötig ist eine ganze Zahl.').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await offences(page, {})).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await offences(page, { theme: 'dark' })).toEqual([]);
  const dropped = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(guideDocument(stepDocument('')))}], 'dropped.xml'));
    return data;
  })()`);
  await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped });
  await page.getByText('dropped.xml', { exact: true }).waitFor();
});

/** A package of many large guides, each of which takes a second. Their numbers keep it from being refused as a bomb. */
function busyPackage(): Chosen {
  const line = (at: number): string =>
    `<line bullet="black" level="0">Turn screw ${at * 7919} <strong>slowly</strong></line>`;
  const step = (at: number): string =>
    `<step number="${at}"><lines>${[1, 2, 3, 4, 5, 6, 7].map((nth) => line(at * nth)).join('')}</lines></step>`;
  const guide = guideDocument(
    `<steps>${Array.from({ length: 2000 }, (_, at) => step(at + 1)).join('')}</steps>`,
  );
  const names = Array.from({ length: 40 }, (_, at) => [`g-${at}/guide.xml`, guide]);
  return { name: 'busy.omanual', mimeType: '', buffer: Buffer.from(packageWith(Object.fromEntries(names))) };
}
