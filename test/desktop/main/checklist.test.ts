import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { parseAst } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { must } from '#shared/must.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { ourPage, preventable, standInElectron, StandInContents } from './electron-stand-in.ts';

const root = join(import.meta.dirname, '../../..');
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let electron: ReturnType<typeof standInElectron>;

// One test per item of Electron's security checklist, in its order and with its numbers.
describe("Electron's security checklist", () => {
  beforeAll(async () => {
    folder = await temporaryFolder('main');
    electron = standInElectron(folder.path);
    vi.resetModules();
    vi.doMock('electron', () => electron);
    await import('#desktop/main/main.ts');
    electron.app.ready.resolve();
    await vi.waitFor(() => expect(electron.windows[0]?.did).toContain('load benchbook://app/'), {
      timeout: 60_000,
    });
  });

  afterAll(async () => {
    vi.doUnmock('electron');
    await folder[Symbol.asyncDispose]();
  });

  it('ELECTRON-1 loads its page from a secure origin of its own', () => {
    expect(electron.windows[0]?.did).toEqual(['load benchbook://app/']);
    expect(electron.app.did[0]).toMatch(/^scheme benchbook .*"secure":true/);
  });

  it.each([
    ['ELECTRON-2', 'nodeIntegration', false],
    ['ELECTRON-2', 'nodeIntegrationInWorker', false],
    ['ELECTRON-2', 'nodeIntegrationInSubFrames', false],
    ['ELECTRON-3', 'contextIsolation', true],
    ['ELECTRON-4', 'sandbox', true],
    ['ELECTRON-6', 'webSecurity', true],
    ['ELECTRON-8', 'allowRunningInsecureContent', false],
    ['ELECTRON-9', 'experimentalFeatures', false],
    ['ELECTRON-11', 'webviewTag', false],
    ['ELECTRON-13', 'navigateOnDragDrop', false],
  ] as const)('%s opens its window with %s %s', (_item, preference, value) => {
    expect(preferences()[preference]).toBe(value);
  });

  it('ELECTRON-4 sandboxes every renderer before any window opens', () => {
    expect(electron.app.did).toContain('enableSandbox');
  });

  it('ELECTRON-5 denies unused permissions, and all of them to other pages', () => {
    const { request, check, device } = electron.session.defaultSession;
    const granted = (permission: string, requestingUrl: string): boolean[] => {
      const answers: boolean[] = [];
      request?.(undefined, permission, (answer) => answers.push(answer), { requestingUrl });
      return [...answers, check?.(undefined, permission, requestingUrl, {}) ?? true];
    };
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'midi',
      'openExternal',
      'display-capture',
      'hid',
      'usb',
    ]) {
      expect(granted(permission, 'benchbook://app/')).toEqual([false, false]);
    }
    expect(granted('fullscreen', 'benchbook://app/')).toEqual([true, true]);
    expect(granted('fullscreen', 'https://example.com/')).toEqual([false, false]);
    expect(device?.()).toBe(false);
  });

  it('ELECTRON-7 sends a policy that runs only its own code', async () => {
    const response = await must(
      electron.served.get('benchbook'),
      'a handler',
    )(new Request('benchbook://app/missing.js'));
    const policy = must(response.headers.get('content-security-policy'), 'a policy').split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy.join(' ')).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
  });

  it('ELECTRON-10 enables no blink features', () => {
    expect(Object.keys(preferences())).not.toContain('enableBlinkFeatures');
    expect(Object.keys(preferences())).not.toContain('additionalArguments');
  });

  it('ELECTRON-12 lets no webview attach', () => {
    const event = preventable();
    contents().fire('will-attach-webview', event);
    expect(event.prevented).toBe(true);
  });

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])(
    'ELECTRON-13 keeps to its own origin on %s',
    (kind) => {
      const guarded = contents();
      const prevented = (url: string): boolean => {
        const event = preventable(url);
        guarded.fire(kind, event);
        return event.prevented;
      };
      expect(prevented('benchbook://app/guides/1')).toBe(false);
      for (const url of [
        'https://example.com/',
        'benchbook://other/',
        'benchbook://app.evil/',
        'benchbook://user@app/',
        'file:///etc/passwd',
        'javascript:1',
        'nonsense',
      ]) {
        expect(prevented(url)).toBe(true);
      }
    },
  );

  it.each(['will-frame-navigate', 'will-redirect'])(
    'ELECTRON-13 lets a frame show a video, and nothing else, on %s',
    (kind) => {
      const guarded = contents();
      const prevented = (url: string, isMainFrame: boolean): boolean => {
        const event = { ...preventable(url), isMainFrame };
        guarded.fire(kind, event);
        return event.prevented;
      };
      const video = 'https://www.youtube-nocookie.com/embed/abc';
      expect(prevented(video, false)).toBe(false);
      expect(prevented('https://player.vimeo.com/video/1', false)).toBe(false);
      expect(prevented(video, true)).toBe(true);
      expect(prevented('http://www.youtube-nocookie.com/embed/abc', false)).toBe(true);
      expect(prevented('https://www.youtube-nocookie.com.evil.example/', false)).toBe(true);
      expect(prevented('https://example.com/', false)).toBe(true);
    },
  );

  it('ELECTRON-14 opens no second window', () => {
    const guarded = contents();
    expect(guarded.openHandler?.({ url: 'https://example.com/' })).toEqual({ action: 'deny' });
    expect(guarded.openHandler?.({ url: 'benchbook://app/' })).toEqual({ action: 'deny' });
  });

  it('ELECTRON-15 passes only web and mail addresses to the system', () => {
    electron.opened.length = 0;
    const guarded = contents();
    for (const url of [
      'https://example.com/',
      'mailto:a@example.com',
      'mailto:a@example.com?Subject=x&body=y',
      'mailto:a@example.com?attach=/etc/passwd',
      'mailto:?subject=x&ATTACHMENT=/etc/passwd',
      'file:///bin/sh',
      'smb://host/x',
      'javascript:1',
      'ms-settings:x',
      'benchbook://app/',
      'nonsense',
    ]) {
      guarded.openHandler?.({ url });
    }
    expect(electron.opened).toEqual([
      'https://example.com/',
      'mailto:a@example.com',
      'mailto:a@example.com?Subject=x&body=y',
    ]);
  });

  it('ELECTRON-54 lets no page download', () => {
    const event = preventable();
    electron.session.defaultSession.fire('will-download', event);
    expect(event.prevented).toBe(true);
  });

  it('ELECTRON-16 pins one version of Electron, and tests against it', async () => {
    const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const installed = createRequire(import.meta.url)('electron/package.json') as { version: string };
    expect(devDependencies['electron']).toBe(installed.version);
  });

  it('ELECTRON-17 answers only its own page', async () => {
    const answer = must(electron.handled.get('benchbook'), 'a handler');
    const call = (senderFrame: typeof ourPage.senderFrame): Promise<unknown> =>
      answer({ senderFrame }, 'appInfo', []);
    expect(await call(ourPage.senderFrame)).toMatchObject({ ok: true });
    const refused = { ok: false, kind: 'refused' };
    expect(await call(null)).toMatchObject(refused);
    expect(await call({ url: 'https://example.com/', parent: null })).toMatchObject(refused);
    expect(await call({ url: 'benchbook://app.example.com/', parent: null })).toMatchObject(refused);
    expect(await call({ url: 'benchbook://app/', parent: {} })).toMatchObject(refused);
  });

  it('ELECTRON-18 never loads a file address', async () => {
    const sources = await sourcesOf('desktop');
    // Not part of the app: the archives of the conformance suite, which are full of bad addresses.
    for (const [file, text] of sources.filter(([one]) => !one.startsWith('desktop/build/conformance/'))) {
      expect({ file, found: /loadFile\(|file:\/\//.exec(text)?.[0] }).toEqual({ file, found: undefined });
    }
  });

  it('ELECTRON-20 gives the page one function and no object of Electron', async () => {
    const { exposeBridge } = await import('#desktop/preload/bridge.ts');
    const exposed: [string, Record<string, unknown>][] = [];
    const invoked: unknown[][] = [];
    exposeBridge(
      { exposeInMainWorld: (name, api) => void exposed.push([name, { ...api }]) },
      { invoke: async (...args) => void invoked.push(args) },
    );
    const [name, api] = must(exposed[0], 'a bridge');
    expect([exposed.length, name, Object.keys(api)]).toEqual([1, 'benchbook', ['call']]);
    await (api['call'] as (...args: unknown[]) => Promise<unknown>)('appInfo', [], 'more');
    expect(invoked).toEqual([['benchbook', 'appInfo', []]]);
  });

  it('ELECTRON-20 imports Electron only in its main and preload entries', async () => {
    const importers: string[] = [];
    for (const part of ['desktop', 'shared', 'sync-server']) {
      for (const [file, text] of await sourcesOf(part)) {
        if (importsElectron(file, text)) importers.push(file);
      }
    }
    expect(importers.toSorted()).toEqual(['desktop/main/main.ts', 'desktop/preload/preload.ts']);
  });
});

function preferences() {
  return must(electron.windows[0], 'a window').options.webPreferences;
}

/** Web contents as main.ts guards them. */
function contents(): StandInContents {
  const guarded = new StandInContents();
  electron.app.fire('web-contents-created', {}, guarded);
  return guarded;
}

async function sourcesOf(part: string): Promise<[string, string][]> {
  const names = await readdir(join(root, part), { recursive: true });
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !name.startsWith('out/'));
  return Promise.all(
    sources.map(async (name): Promise<[string, string]> => [
      `${part}/${name}`,
      await readFile(join(root, part, name), 'utf8'),
    ]),
  );
}

function importsElectron(file: string, text: string): boolean {
  if (!text.includes('electron')) return false;
  const { body } = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  return body.some((node) => node.type === 'ImportDeclaration' && /^electron($|\/)/.test(node.source.value));
}
