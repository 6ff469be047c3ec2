import { beforeAll, describe, expect, it } from 'vitest';

import { soon } from '#test/support/soon.ts';

import type { DesktopApp } from './support/desktop-app.ts';
import { desktopForTests } from './support/desktop-for-tests.ts';
import { rendererStatuses } from './support/processes.ts';

const { isThere, prepared } = desktopForTests('the window');
let userData: string;

describe('the desktop app', () => {
  beforeAll(async () => {
    if (isThere()) userData = prepared().userData();
  });

  it('opens its window on its own origin', async () => {
    await using app = await launch();
    expect(await app.page.evaluate(() => location.origin)).toBe('benchbook://app');
    expect(await app.page.evaluate(() => isSecureContext)).toBe(true);
    expect(await app.page.title()).toBe('Benchbook');
  });

  it('LANGUAGE-7 speaks the language that was chosen in its page', async () => {
    await using app = await launch();
    const menu = () =>
      app.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? []);
    await app.page.evaluate(() => localStorage.setItem('benchbook.language', 'de'));
    await app.page.reload();
    await soon(menu).toEqual(['Datei', 'Bearbeiten', 'Darstellung', 'Fenster']);
    await app.page.evaluate(() => localStorage.setItem('benchbook.language', 'en'));
    await app.page.reload();
    await soon(menu).toEqual(['File', 'Edit', 'View', 'Window']);
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
    expect(evaluated).toMatch(/script-src|trusted|come from this app only/i);
    await app.page.evaluate(() => location.assign('https://example.com/')).catch(() => undefined);
    expect(await app.page.evaluate(() => location.origin)).toBe('benchbook://app');
  });

  it('ELECTRON-4 the operating system confines every renderer', async (context) => {
    context.skip(process.platform !== 'linux', 'it is read from /proc');
    await using app = await launch();
    const statuses = rendererStatuses(userData);
    expect(statuses.length).toBeGreaterThan(0);
    for (const status of statuses) {
      expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
      // A filter of system calls.
      expect(status).toMatch(/^Seccomp:\s*2$/m);
    }
    expect(app.errors()).not.toContain('no-sandbox is not supported');
  });

  it('ELECTRON-5 ELECTRON-14 denies permissions and windows', async () => {
    await using app = await launch();
    // Web addresses would open the browser of the system.
    for (const address of ['benchbook://app/settings', 'file:///etc/passwd', 'about:blank'])
      expect(await app.page.evaluate((url) => window.open(url) === null, address)).toBe(true);
    const states = await app.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'microphone', 'midi'];
      const asked = names.map(async (name) => {
        const { state } = await navigator.permissions.query({ name: name as PermissionName });
        return state;
      });
      return Promise.all(asked);
    });
    expect(new Set(states)).toEqual(new Set(['denied']));
    expect(app.app.windows()).toHaveLength(1);
  });

  it.each([true, false])(
    'ELECTRON-23 the program ends when its window is closed; after the page has loaded: %s',
    async (isLoaded) => {
      const app = await launch();
      if (isLoaded) await app.page.getByRole('heading', { level: 1 }).waitFor();
      const ended = new Promise((resolve) => void app.app.process().once('exit', resolve));
      await app.page.evaluate(() => window.close()).catch(() => undefined);
      expect(await ended).toBe(0);
      expect(app.errors()).not.toContain('Unhandled');
    },
  );

  it('ELECTRON-7 the app itself breaks no rule of the content security policy', async () => {
    await using app = await launch();
    const complaints: string[] = [];
    app.page.on('console', (message) => {
      if (/content security policy|trusted ?(type|script|html)/i.test(message.text()))
        complaints.push(message.text());
    });
    await app.page.reload();
    await app.page.getByRole('heading', { level: 1 }).waitFor();
    expect(complaints).toEqual([]);
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

  it('ELECTRON-43 opens the key of the device with its PIN after a restart', async () => {
    const data = prepared().userData();
    const ask = async (...calls: [name: string, ...args: unknown[]][]): Promise<unknown[]> => {
      // Without a keyring, whatever the machine of the test has.
      await using app = await launch(data, ['--password-store=basic']);
      return await app.page.evaluate(async (given) => {
        const answers: unknown[] = [];
        for (const [name, ...args] of given) {
          const answer = await window.benchbook?.call(name, args);
          // A page hands no bytes over to the test.
          answers.push(JSON.parse(JSON.stringify(answer)));
        }
        return answers;
      }, calls);
    };
    const [first, created] = await ask(['keyState'], ['keyCreate', { protection: 'pin', pin: '481516' }]);
    expect(first).toEqual({ ok: true, result: { state: 'new', hasSystem: false } });
    const { key } = (created as { result: { key: Record<string, number> } }).result;
    expect(Object.keys(key)).toHaveLength(32);
    const [again, wrong, right] = await ask(['keyState'], ['keyUnlock', '481517'], ['keyUnlock', '481516']);
    expect(again).toMatchObject({ result: { state: 'locked', reason: 'pin', refusal: null } });
    expect(wrong).toMatchObject({ result: { state: 'locked', refusal: 'wrong' } });
    expect(right).toMatchObject({ result: { state: 'open', protection: 'pin', key } });
  });
});

function launch(data = userData, args: string[] = []): Promise<DesktopApp> {
  return prepared().launch(data, args);
}
