import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { runCli } from '#server/cli/program.ts';
import { startServer, type Running } from '#server/main.ts';
import { readConfig } from '#server/platform/config.ts';
import { launchProfile } from '#test/support/browser.ts';
import { builtApp } from '#test/support/production-build.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

interface Started extends AsyncDisposable {
  running: Running;
  code: string;
}

/** An empty server, as an administrator starts it. */
async function startEmpty(data: string): Promise<Started> {
  const said: string[] = [];
  const config = readConfig(['--no-demo', '--port', '0', '--data', data], {});
  if (config === null) throw new Error('no settings');
  const running = await startServer(config, {
    appDir: await builtApp(),
    say: (line) => void said.push(line),
  });
  const [, code = ''] = /enter the code (\S+)$/m.exec(said.join('\n')) ?? [];
  return { running, code, [Symbol.asyncDispose]: () => running.stop() };
}

async function benchbook(...args: string[]): Promise<number> {
  const terminal = { env: {}, out: () => undefined, err: () => undefined };
  return runCli(args, { ...terminal, input: async () => '' });
}

async function setUp(page: Page, code: string): Promise<void> {
  await page.getByRole('link', { name: 'Set up this server' }).click();
  for (const [name, value] of [
    ['Code', code],
    ['Name of the site', 'North plant'],
    ['Your name', 'Ada'],
    ['E-mail', 'ada@example.com'],
    ['Password', 'a long password'],
  ] as const)
    await page.getByRole('textbox', { name }).fill(value);
  await page.getByRole('button', { name: 'Set up the site' }).click();
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
}

test('SETUP-1 SETUP-3 an empty server is set up in the browser, and its backup is restored on another one', async () => {
  await using folder = await temporaryFolder('first-run');
  await using profiles = new AsyncDisposableStack();
  const openPage = async (url: string): Promise<Page> => {
    const profile = profiles.use(await temporaryFolder('first-run-profile')).path;
    const context = await launchProfile(profile);
    profiles.defer(() => context.close());
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
  const data = join(folder.path, 'data');
  const backups = join(folder.path, 'backups');
  {
    await using first = await startEmpty(data);
    await setUp(await openPage(first.running.url), first.code);
    expect(await benchbook('backup', backups, '--data', data)).toBe(0);
  }
  rmSync(data, { recursive: true });

  await using second = await startEmpty(data);
  const page = await openPage(`${second.running.url}/setup`);
  await page.getByRole('textbox', { name: 'Code' }).fill(second.code);
  await page.getByText('Restore a backup').click();
  await page.getByRole('textbox', { name: 'Backup folder' }).fill(backups);
  await page.getByRole('button', { name: 'Show backups' }).click();
  await page.getByRole('button', { name: 'Restore this backup' }).click();
  await page.getByText('The backup is restored').waitFor({ timeout: 120_000 });
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password').fill('a long password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'All guides' }).waitFor();
});
