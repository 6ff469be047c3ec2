import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildClient } from '#desktop/build/build-package.ts';
import { changeSite } from '#server/core/site.ts';
import { sharedBrowser } from '#test/support/browser.ts';
import { serveFolder } from '#test/support/serve-folder.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

let server: TestServer;
let browser: Awaited<ReturnType<typeof sharedBrowser>>;

beforeAll(async () => {
  server = await startServer();
  browser = await sharedBrowser();
});
afterAll(() => server[Symbol.asyncDispose]());

test('the API page shows the operations and calls only its own server', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const outside: string[] = [];
  const inside: string[] = [];
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await context.route('**/*', async (route) => {
    const url = route.request().url();
    const isOurs = url.startsWith(server.url) || url.startsWith('data:') || url.startsWith('blob:');
    (isOurs ? inside : outside).push(url);
    await (isOurs ? route.continue() : route.abort());
  });
  await page.goto(`${server.url}/api/2.0/doc`);
  await page.getByText('Repair-Guide Documentation Service API').first().waitFor();
  await page.goto(`${server.url}/api/2.0/doc#tag/guides/PATCH/guides/{guideid}`);
  await page.getByText('Edit a guide').first().waitFor();
  await page
    .getByText('The current revisionid of the guide; If-Match may carry it instead')
    .first()
    .waitFor();
  // Its samples are those of the document, which name the scheme of the token.
  await page.getByText('Authorization: api $BENCHBOOK_TOKEN').first().waitFor();
  await page.getByText('Title of the category; case-sensitive').first().waitFor();
  expect(inside).toContain(`${server.url}/api/2.0/openapi.json`);
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test('the page may not load external content, whatever it contains', async () => {
  const response = await fetch(`${server.url}/api/2.0/doc/`);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(policy.match(/script-src [^;]*/)?.[0]).not.toContain('unsafe-inline');
  expect(await response.text()).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test('the client works in a browser, from a page of another origin', async () => {
  await using folder = await temporaryFolder('client-page');
  await buildClient(folder.path);
  await writeFile(join(folder.path, 'index.html'), '<!doctype html><title>Client</title>');
  await using pages = await serveFolder(folder.path);
  await changeSite(server.services, { cors_origins: [new URL(pages.url).origin] });
  const ana = await server.person('Ana');
  await server.category('Bench Grinder');
  await writeFile(join(folder.path, 'try.js'), script);
  const page = await browser.newPage();
  await page.goto(`${pages.url}/index.html`);
  const titles = await page.evaluate(
    `import('/try.js').then((it) => it.attempt('${server.url}', '${ana.token}'))`,
  );
  expect(titles).toEqual(['First', 'Second', 'conflict']);
  await page.close();
});

const script = `
import { connect, each } from './client.js';

export async function attempt(url, token) {
  const api = connect({ url, token });
  const made = await api.guides.create({ body: { category: 'Bench Grinder', type: 'repair', title: 'First' } });
  await api.guides.create({ body: { category: 'Bench Grinder', type: 'repair', title: 'Second' } });
  const params = { guideid: made.guideid };
  const edit = (summary) => api.guides.patch({ params, revisionid: made.revisionid, body: { summary } });
  await edit('One');
  const late = await edit('Two');
  const titles = [];
  for await (const guide of each(api.users.ownGuides, { query: { limit: 1 } })) titles.push(guide.title);
  return [...titles, late.conflict ? 'conflict' : 'saved'];
}
`;
