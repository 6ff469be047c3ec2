import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { buildDesktop } from '#desktop/build/build.ts';
import { must } from '#shared/must.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const binary = findBinary();
const missing =
  binary === undefined
    ? "Electron's binary is not installed (its package fetches it at the first start; run `npx install-electron`)"
    : undefined;

if (missing !== undefined) {
  process.stderr.write(
    `\n*** THE ELECTRON SUITE DID NOT RUN: ${missing}. The window itself is untested here. ***\n\n`,
  );
}

let resources: AsyncDisposableStack;
let out: string;
let userData: string;

describe('the desktop app', () => {
  beforeAll(async () => {
    resources = new AsyncDisposableStack();
    if (missing !== undefined) return;
    out = resources.use(await temporaryFolder('electron-out')).path;
    userData = resources.use(await temporaryFolder('electron-data')).path;
    await buildDesktop(out);
  });

  afterAll(() => resources.disposeAsync());

  beforeEach((context) => context.skip(missing !== undefined, missing));

  it('opens its window on its own origin', async () => {
    await using app = await launch();
    expect(new URL(app.page.url()).origin).toBe('benchbook://app');
    expect(await app.page.evaluate(() => isSecureContext)).toBe(true);
    expect(await app.page.title()).toBe('Benchbook');
  });

  it('gives the page no access to Node or Electron', async () => {
    await using app = await launch();
    const reached = await app.page.evaluate(() => {
      const names = ['require', 'module', 'process', 'Buffer', 'global', '__dirname', 'electron'];
      return names.filter((name) => name in window);
    });
    expect(reached).toEqual([]);
    expect(await app.page.evaluate(() => Object.keys(window.benchbook ?? {}))).toEqual(['call']);
  });

  it('runs no foreign code and navigates nowhere else', async () => {
    await using app = await launch();
    const evaluated = await app.page.evaluate(() => {
      const script = document.createElement('script');
      script.src = 'https://example.com/x.js';
      return new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
        try {
          document.head.append(script);
        } catch (error) {
          resolve(String(error));
        }
      });
    });
    expect(evaluated).toMatch(/script-src|trusted/i);
    await app.page.evaluate(() => location.assign('https://example.com/')).catch(() => undefined);
    expect(new URL(app.page.url()).origin).toBe('benchbook://app');
  });

  it('JOURNAL-2 keeps the journal when it is killed', async () => {
    const first = await launch();
    const text = 'x'.repeat(10_000);
    const saved = await first.page.evaluate(async (content) => {
      const call = (name: string, args: unknown[]): Promise<unknown> =>
        window.benchbook?.call(name, args) ?? Promise.reject();
      const opened = (await call('journalOpen', ['e2e'])) as { result: number };
      return call('journalAppend', [opened.result, 'segment-00000001', 0, new TextEncoder().encode(content)]);
    }, text);
    expect(saved).toMatchObject({ ok: true });
    first.app.process().kill('SIGKILL');
    await first.app.waitForEvent('close').catch(() => undefined);

    await using second = await launch();
    const read = await second.page.evaluate(async () => {
      const call = (name: string, args: unknown[]): Promise<unknown> =>
        window.benchbook?.call(name, args) ?? Promise.reject();
      const opened = (await call('journalOpen', ['e2e'])) as { result: number };
      const answer = (await call('journalRead', [opened.result, 'segment-00000001'])) as {
        result: Uint8Array;
      };
      return new TextDecoder().decode(answer.result);
    });
    expect(read).toBe(text);
  });
});

async function launch(): Promise<AsyncDisposable & { app: ElectronApplication; page: Page }> {
  const app = await _electron.launch({
    executablePath: must(binary, 'the binary'),
    args: [join(out, 'main', 'main.cjs'), `--user-data-dir=${userData}`, '--no-sandbox'],
  });
  const page = await app.firstWindow();
  return { app, page, [Symbol.asyncDispose]: () => app.close() };
}

/** The path of Electron's binary; never downloads it. */
function findBinary(): string | undefined {
  const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  const pathFile = join(folder, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const dist = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist');
  const path = join(dist, readFileSync(pathFile, 'utf8'));
  return existsSync(path) ? path : undefined;
}
