import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import type { DesktopApp } from './support/desktop-app.ts';
import { desktopForTests } from './support/desktop-for-tests.ts';
import { openSites } from './support/sites.ts';

const { prepared } = desktopForTests('attacks on the window');

function launch(args: string[] = []): Promise<DesktopApp> {
  return prepared().launch(prepared().userData(), args);
}

/** Calls the main process as the page does. */
function call(page: Page, name: string, ...args: unknown[]): Promise<unknown> {
  return page.evaluate(([called, given]) => window.benchbook?.call(called, given), [name, args] as const);
}

describe('attacks on the running app', () => {
  it('ELECTRON-52 the page gets nothing from a private address until the person allows it', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/to') response.writeHead(302, { location: '/file' });
      response.end('the file');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://localhost:${(server.address() as AddressInfo).port}/to`;
    await using launched = await launch();
    const { app, page } = launched;
    const nothing = { range: null, ifRange: null };
    expect(await call(page, 'remoteOpen', url, nothing)).toMatchObject({ kind: 'private-network' });
    expect(asked).toEqual([]);

    for (const [button, expected] of [
      [0, { ok: true, result: false }],
      [1, { ok: true, result: true }],
    ] as const) {
      // What the person selects in the dialog, which a test cannot reach.
      await app.evaluate(({ dialog }, response) => {
        dialog.showMessageBox = () => Promise.resolve({ response, checkboxChecked: false });
      }, button);
      expect(await call(page, 'remoteAllow', url)).toEqual(expected);
    }
    expect(await call(page, 'remoteOpen', url, nothing)).toMatchObject({ result: { status: 200 } });
    expect(asked).toContain('/file');
    server.closeAllConnections();
    server.close();
  });

  it('ELECTRON-13 no way of leading the window elsewhere works', async () => {
    await using sites = await openSites();
    await using launched = await launch(sites.args);
    const { page } = launched;
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const code of [
      `const form = document.createElement('form'); form.action = site; document.body.append(form); form.submit()`,
      `const meta = document.createElement('meta'); meta.httpEquiv = 'refresh'; meta.content = '0;url=' + site; document.head.append(meta)`,
      ...['_self', '_top', '_parent'].map(
        (target) =>
          `const a = document.createElement('a'); a.href = site; a.target = '${target}'; document.body.append(a); a.click()`,
      ),
      `location.replace(site)`,
      `location.href = 'javascript:void(globalThis.ran = true)'`,
      `location.href = 'data:text/html,<h1>other'`,
      `location.href = URL.createObjectURL(new Blob(['<h1>other'], { type: 'text/html' }))`,
      `location.href = 'file:///etc/hostname'`,
      `location.href = 'benchbook://other/'`,
      `location.href = 'view-source:' + site`,
      `location.href = 'chrome://version'`,
      `const frame = document.createElement('iframe'); frame.src = 'https://www.youtube-nocookie.com/leave?to=' + encodeURIComponent(site + '/left'); document.body.append(frame)`,
    ]) {
      await page.evaluate(`try { ((site) => { ${code} })('${sites.url}') } catch {}`);
      // The browser handles this request after the attempt.
      await page.evaluate(() => fetch('benchbook://app/index.html').then((answer) => answer.status));
      expect([page.url(), await page.evaluate(() => 'ran' in globalThis)], code).toEqual([
        'benchbook://app/',
        false,
      ]);
    }
    await expect.poll(() => sites.left.length).toBe(1);
    expect(sites.asked).toEqual([]);
    expect(await call(page, 'appInfo')).toMatchObject({ ok: true });
  });

  it('ELECTRON-57 the page reads nothing but its own files through its address', async () => {
    await using launched = await launch();
    const { page } = launched;
    await page.getByRole('heading', { level: 1 }).waitFor();
    const addresses = [
      '../main/main.cjs',
      '..%2fmain%2fmain.cjs',
      '%2e%2e/main/main.cjs',
      '..%5cmain%5cmain.cjs',
      './/../main/main.cjs',
      'assets/../../main/main.cjs',
      '%252e%252e/main/main.cjs',
      '..;/main/main.cjs',
      '%00/main.cjs',
      'index.html%00.cjs',
      '/etc/passwd',
      '//etc/passwd',
      'file:///etc/passwd',
      '../../../../../../etc/passwd',
      '%c0%ae%c0%ae/main/main.cjs',
      'C:/Windows/win.ini',
      '~/.ssh/id_rsa',
    ].map((path) => `benchbook://app/${path}`);
    const others = ['benchbook://main/main.cjs', 'benchbook://app@other/main.cjs', 'benchbook:main/main.cjs'];
    const texts = await page.evaluate(
      (given) =>
        Promise.all(
          given.map((address) =>
            fetch(address).then(
              (answer) => answer.text(),
              () => 'no answer',
            ),
          ),
        ),
      [...addresses, ...others],
    );
    for (const [index, text] of texts.entries())
      expect(text, [...addresses, ...others][index]).not.toMatch(/require\(|root:|for 16-bit/);
    const methods = await page.evaluate(() =>
      Promise.all(
        ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].map((method) =>
          fetch('benchbook://app/index.html', { method }).then(
            ({ status }) => status,
            () => 0,
          ),
        ),
      ),
    );
    expect(methods.filter((status) => status >= 200 && status < 400)).toEqual([]);
  });

  it('ELECTRON-55 a second start with hostile arguments hands over files, and changes nothing else', async () => {
    const data = prepared().userData();
    const folder = mkdtempSync(join(dirname(data), 'given-'));
    chmodSync(folder, 0o755);
    const at = (name: string): string => join(folder, name);
    mkdirSync(at('folder.zip'));
    execFileSync('mkfifo', [at('pipe.zip')]);
    symlinkSync('/dev/zero', at('device.zip'));
    symlinkSync(at('none'), at('nowhere.zip'));
    writeFileSync(at('a "quoted"\n$(id)`id`.zip'), 'not an archive');
    await using launched = await prepared().launch(data);
    const { page, app } = launched;
    await page.getByRole('heading', { level: 1 }).waitFor();
    const argv = [
      'electron',
      '.',
      '--inspect=0',
      '--user-data-dir=/',
      '--remote-debugging-port=1',
      '--no-sandbox',
    ];
    const files = ['folder.zip', 'pipe.zip', 'device.zip', 'nowhere.zip', 'a "quoted"\n$(id)`id`.zip'];
    await app.evaluate(({ app: program }, [given, cwd]) => program.emit('second-instance', {}, given, cwd), [
      [...argv, ...files, '../../../../dev/null', '-x.zip'],
      folder,
    ] as const);
    const answers = await page.evaluate(async () => {
      const ask = (name: string, ...args: unknown[]) => window.benchbook?.call(name, args) as Promise<Answer>;
      interface Answer {
        ok: boolean;
        kind?: string;
        result: { ticket: number; name: string; size: number }[];
      }
      const { result } = await ask('openedFiles', 0);
      // More than there are threads that read files.
      const reads = result.flatMap(({ ticket }) => [1, 2, 3].map(() => ask('openedFileRead', ticket, 0, 10)));
      const read = await Promise.all(reads);
      return {
        listed: result.map(({ name, size }) => [name, size]),
        read: read.map(({ kind }) => kind ?? 'ok'),
      };
    });
    expect(answers.listed).toEqual(files.map((name) => [name, name.startsWith('a ') ? 14 : 0]));
    expect(answers.read).toEqual([...Array<string>(12).fill('unavailable'), ...Array<string>(3).fill('ok')]);
    expect(await call(page, 'journalOpen', 'after')).toMatchObject({ ok: true });
    rmSync(folder, { recursive: true });
  });
});
