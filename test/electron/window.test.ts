import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { prepareDesktop, type Desktop } from './support/desktop-app.ts';

let desktop: Desktop | { missing: string };
let userData: string;

describe('the desktop app', () => {
  beforeAll(async () => {
    desktop = await prepareDesktop();
    if ('missing' in desktop)
      process.stderr.write(
        `\n*** THE ELECTRON SUITE DID NOT RUN: ${desktop.missing}. The window itself is untested here. ***\n\n`,
      );
    else userData = desktop.userData();
  });

  afterAll(async () => {
    if (!('missing' in desktop)) await desktop[Symbol.asyncDispose]();
  });

  beforeEach((context) => context.skip('missing' in desktop));

  it('ELECTRON-23 opens its window on its own origin, and ends when it is closed', async () => {
    await using app = await launch();
    expect(await app.page.evaluate(() => location.origin)).toBe('benchbook://app');
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
      return new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
        try {
          script.src = 'https://example.com/x.js';
          document.head.append(script);
        } catch (error) {
          resolve(String(error));
        }
      });
    });
    expect(evaluated).toMatch(/script-src|trusted/i);
    await app.page.evaluate(() => location.assign('https://example.com/')).catch(() => undefined);
    expect(await app.page.evaluate(() => location.origin)).toBe('benchbook://app');
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

function launch(): ReturnType<Desktop['launch']> {
  if ('missing' in desktop) throw new Error(desktop.missing);
  return desktop.launch(userData);
}
