import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { prepareDesktop, type Desktop, type DesktopApp } from './support/desktop-app.ts';

let desktop: Desktop | { missing: string };

beforeAll(async () => {
  desktop = await prepareDesktop();
  if ('missing' in desktop) process.stderr.write(`The attacks were not tried: ${desktop.missing}\n`);
});
afterAll(async () => {
  if ('launch' in desktop) await desktop[Symbol.asyncDispose]();
});

function launch(args: string[] = []): Promise<DesktopApp> {
  if ('missing' in desktop) throw new Error(desktop.missing);
  return desktop.launch(desktop.userData(), args);
}

/** Calls the main process as the page does. */
function call(page: Page, name: string, ...args: unknown[]): Promise<unknown> {
  return page.evaluate(([called, given]) => window.benchbook?.call(called, given), [name, args] as const);
}

describe('attacks on the running app', () => {
  beforeEach((context) => context.skip('missing' in desktop));

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
});
