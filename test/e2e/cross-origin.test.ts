import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import { sharedBrowser } from '#test/support/browser.ts';
import { serveFolder } from '#test/support/serve-folder.ts';
import { startServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

test('ORIGIN-1 ORIGIN-3 a page of another site reads the people of a public site only where the site allows it', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  await using folder = await temporaryFolder('other-site');
  await writeFile(join(folder.path, 'index.html'), '<!doctype html><title>Another site</title>');
  await using site = await serveFolder(folder.path);
  const page = await (await sharedBrowser()).newPage();
  await page.goto(`${site.url}/index.html`);
  const read = (token?: string): Promise<string> =>
    page.evaluate(
      ([url, authorization]) =>
        fetch(url, authorization === undefined ? {} : { headers: { authorization } }).then(
          (answer) => answer.text(),
          () => 'nothing',
        ),
      [`${server.url}/api/2.0/users`, token === undefined ? undefined : `api ${token}`] as const,
    );
  expect([await read(), await read(ana.token)]).toEqual(['nothing', 'nothing']);
  await changeSite(server.services, { cors_origins: ['any'] });
  expect(await read()).toContain('Ana');
  expect(await read(ana.token)).toBe('nothing');
  await changeSite(server.services, { cors_origins: [new URL(site.url).origin] });
  expect(await read(ana.token)).toContain('Ana');
  const image = await page.evaluate(
    (url) =>
      fetch(url, { mode: 'no-cors' }).then(
        () => 'taken in',
        () => 'nothing',
      ),
    `${server.url}/api/2.0/users`,
  );
  expect(image).toBe('nothing');
  await page.close();
});
