import type { Frame } from 'playwright-core';

import type { DesktopApp } from '../support/desktop-app.ts';
import { rendererStatuses } from '../support/processes.ts';
import { grantedPermissions } from './permissions.ts';
import { playerPage, type Sites } from '../support/sites.ts';
import type { SystemOpener } from '../support/system-opener.ts';

/** A running app, and what is around it. */
export interface Attacked extends Pick<DesktopApp, 'app' | 'page'> {
  userData: string;
  sites: Sites;
  opener: SystemOpener;
  /** How long to wait for what an attempt should not reach, ms. */
  patience: number;
}

/** Tries to get past a protection. Returns what it reached, null for nothing. */
export type Probe = (attacked: Attacked) => Promise<string | null>;

/** Joins what was reached. */
const all = (reached: readonly (string | false | null)[]): string | null =>
  reached.filter((one) => one !== false && one !== null).join(', ') || null;

/** Looks again and again until something was reached, or the patience is over. */
async function within(
  { patience }: Attacked,
  look: () => string | null | Promise<string | null>,
): Promise<string | null> {
  const end = performance.now() + patience;
  for (;;) {
    const reached = await look();
    if (reached !== null || performance.now() > end) return reached;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Puts the player into a frame of the page, and returns the frame when it has loaded. */
async function playerFrame({ page }: Attacked): Promise<Frame> {
  const attached = page.waitForEvent('framenavigated', { predicate: (frame) => frame.url() === playerPage });
  await page.evaluate((src) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    document.body.append(frame);
  }, playerPage);
  const frame = await attached;
  await frame.waitForLoadState('load');
  return frame;
}

export const probes = {
  insecureOrigin: ({ page }) =>
    page.evaluate(() => (isSecureContext && 'subtle' in crypto ? null : 'an insecure context')),

  nodeInPage: async ({ page }) =>
    all(
      await page.evaluate(() =>
        ['require', 'module', 'process', 'Buffer', 'global'].filter((name) => name in globalThis),
      ),
    ),

  nodeInWorker: ({ page }) =>
    page.evaluate(async () => {
      const start = async (): Promise<Worker> => {
        for (;;) {
          try {
            return new Worker('/probe-worker.js');
          } catch {
            // The app has not yet installed the policy that lets a page start workers.
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        }
      };
      const worker = await start();
      return new Promise<string | null>((resolve) => {
        worker.addEventListener('message', ({ data }) => resolve(data as string | null));
        worker.addEventListener('error', () => resolve(null));
      });
    }),

  bridgeInFrame: async (attacked) => {
    const frame = await playerFrame(attacked);
    return frame.evaluate(() => ('benchbook' in globalThis ? 'the bridge' : null));
  },

  callFromFrame: async (attacked) => {
    const frame = await playerFrame(attacked);
    const answer = await frame.evaluate(() => window.benchbook?.call('appInfo', []));
    return (answer as { ok: boolean } | undefined)?.ok === true ? 'an answer of the main process' : null;
  },

  isolation: ({ page }) =>
    page.evaluate(async () => {
      let caught: string | null = null;
      // Electron reads `error` of its internal answer. Without isolation it finds that of the page.
      Object.defineProperty(Object.prototype, 'error', {
        configurable: true,
        get(this: object) {
          if (this !== window && 'result' in this) caught = 'an internal object of the preload script';
          return undefined;
        },
      });
      await window.benchbook?.call('appInfo', []);
      Reflect.deleteProperty(Object.prototype, 'error');
      return caught;
    }),

  unconfinedRenderer: async ({ userData }) => {
    const statuses = rendererStatuses(userData);
    if (statuses.length === 0) throw new Error('There is no renderer');
    // Filtered system calls, and a process namespace of its own.
    const isConfined = (status: string): boolean =>
      [/^NoNewPrivs:\s*1$/m, /^Seccomp:\s*2$/m, /^NSpid:\s*\d+\s+\d+/m].every((line) => line.test(status));
    return statuses.every(isConfined) ? null : 'a process that the system does not confine';
  },

  crossOrigin: ({ page, sites }) =>
    page.evaluate(async (url) => {
      const answer = await fetch(`${url}/private`).catch(() => null);
      return answer === null ? null : `“${await answer.text()}”`;
    }, sites.url),

  foreignCode: async (attacked) => {
    const { page, sites } = attacked;
    await page.evaluate((src) => {
      const foreign = document.createElement('script');
      const inline = document.createElement('script');
      const attempts = [
        () => document.head.append(Object.assign(foreign, { src })),
        () => document.head.append(Object.assign(inline, { text: 'globalThis.inlineRan = true' })),
        // Runs after this evaluation, which the debugger exempts from the policy.
        // oxlint-disable-next-line no-eval -- the attempt
        () => setTimeout(() => (0, eval)('globalThis.evalRan = true')),
        () =>
          document.body.insertAdjacentHTML(
            'beforeend',
            '<img src="x:" onerror="globalThis.handlerRan = true">',
          ),
      ];
      for (const attempt of attempts) {
        try {
          attempt();
        } catch {
          // Refused.
        }
      }
    }, `${sites.url}/foreign.js`);
    return within(attacked, async () =>
      all(
        await page.evaluate(() =>
          ['foreignRan', 'inlineRan', 'evalRan', 'handlerRan'].filter((name) => name in globalThis),
        ),
      ),
    );
  },

  insecureContent: async (attacked) => {
    const frame = await playerFrame(attacked);
    return frame.evaluate(() => ('foreignRan' in globalThis ? 'a script without TLS' : null));
  },

  experiments: ({ page }) =>
    page.evaluate(() => ('getComputedAccessibleNode' in globalThis ? 'experimental interfaces' : null)),

  blinkFeatures: ({ page }) =>
    page.evaluate(() => ('AudioTrackList' in globalThis ? 'AudioVideoTracks' : null)),

  permissions: async ({ page }) => all(await grantedPermissions(page)),

  webviewTag: ({ page }) =>
    page.evaluate(() => ('reload' in document.createElement('webview') ? 'the webview element' : null)),

  webview: async (attacked) => {
    const { page, app, sites } = attacked;
    await page.evaluate((src) => {
      const view = document.createElement('webview');
      view.setAttribute('src', src);
      document.body.append(view);
    }, `${sites.url}/webview`);
    return within(attacked, async () => {
      const types = await app.evaluate(({ webContents }) =>
        webContents.getAllWebContents().map((contents) => contents.getType()),
      );
      return types.includes('webview') ? 'a page in a webview' : null;
    });
  },

  secondWindow: async (attacked) => {
    const { page, app } = attacked;
    await page.evaluate(() => void window.open('benchbook://app/settings'));
    return within(attacked, async () => {
      const count = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
      return count === 1 ? null : 'a second window';
    });
  },

  oddAddress: async (attacked) => {
    const { page, opener } = attacked;
    await page.evaluate(() => {
      for (const address of ['smb://probe/share', 'file:///bin/sh', 'ms-msdt:/id', 'vscode://x'])
        window.open(address);
    });
    return within(attacked, () =>
      all(opener.opened().filter((address) => !/^(https?|mailto):/.test(address))),
    );
  },

  download: async (attacked) => {
    const { page, app } = attacked;
    await app.evaluate(({ session }) => {
      session.defaultSession.on('will-download', (event, item) => {
        if (event.defaultPrevented) return;
        // Without a place, Electron would ask the person.
        item.setSavePath('/dev/null');
        item.once('done', () => Object.assign(globalThis, { downloaded: true }));
      });
    });
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['#!/bin/sh']));
      link.download = '../../start.desktop';
      link.click();
    });
    return within(attacked, () => app.evaluate(() => ('downloaded' in globalThis ? 'a download' : null)));
  },

  bridgeObject: async ({ page }) => {
    const keys = await page.evaluate(() => Object.keys(window.benchbook ?? {}).toSorted());
    return all(keys.filter((key) => key !== 'call'));
  },

  fileAddress: ({ page }) =>
    page.evaluate(async () => {
      const answer = await fetch('file:///etc/hostname').catch(() => null);
      return answer === null ? null : `“${await answer.text()}”`;
    }),

  foreignFrame: async (attacked) => {
    const { page, sites } = attacked;
    const before = sites.asked.length;
    await page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      document.body.append(frame);
    }, `${sites.url}/frame`);
    return within(attacked, () =>
      sites.asked.slice(before).includes('/frame') ? 'a foreign page in a frame' : null,
    );
  },

  redirectedFrame: async (attacked) => {
    const { page, sites } = attacked;
    const before = sites.asked.length;
    await page.evaluate(
      (src) => {
        const frame = document.createElement('iframe');
        frame.src = src;
        document.body.append(frame);
      },
      new URL(`/leave?to=${encodeURIComponent(`${sites.url}/redirected`)}`, playerPage).href,
    );
    return within(attacked, () =>
      sites.asked.slice(before).includes('/redirected') ? 'a foreign page in a frame of the player' : null,
    );
  },

  /** A link that is dragged from elsewhere. It would open in a window of its own. */
  dropped: async (attacked) => {
    const { page, sites } = attacked;
    const before = sites.asked.length;
    const debug = await page.context().newCDPSession(page);
    const items = [{ mimeType: 'text/uri-list', data: `${sites.url}/dropped` }];
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await debug.send('Input.dispatchDragEvent', {
        type,
        x: 5,
        y: 5,
        data: { items, dragOperationsMask: 1 },
      });
    return within(attacked, () =>
      sites.asked.slice(before).includes('/dropped') ? 'a foreign page in the window' : null,
    );
  },

  /** The last one: the page may be gone after it. */
  navigation: async (attacked) => {
    const { page, sites } = attacked;
    const before = sites.asked.length;
    await page.evaluate((url) => location.assign(url), `${sites.url}/elsewhere`).catch(() => undefined);
    return within(attacked, () =>
      sites.asked.slice(before).includes('/elsewhere') ? 'a foreign page in the window' : null,
    );
  },
} satisfies Record<string, Probe>;

export type ProbeName = keyof typeof probes;
