import './page/window.ts';

import type { Browser, Page } from 'playwright-core';

import type { Actions } from '#desktop/engine/engine.ts';
import type { World, WorldOptions } from '#test/support/fixture-world.ts';
import { screenBrowser } from '#test/support/browser.ts';

import { builtPage } from './page/build.ts';
import { servePage, type PageServer } from './page/serve.ts';

export interface Look {
  width?: number;
  height?: number;
  density?: 'desktop' | 'touch' | 'kiosk';
  theme?: 'light' | 'dark' | 'bright';
  /** The screen is touched; only when the page is opened. */
  touch?: boolean;
  /** Only when the page is opened. */
  language?: 'en' | 'de' | 'en-XA';
}

/** The app on a fixture engine, in its own window. */
export interface AppPage extends AsyncDisposable {
  page: Page;
  /** Arguments of every call of one action, in order. */
  calls(action: keyof Actions): Promise<unknown[][]>;
  /** Changes window, density and theme while the app is open, and waits until it is drawn. */
  wear(look: Look): Promise<void>;
  /** Changes the world like sync. */
  change(change: Partial<World>): Promise<void>;
  /** Errors that the page reported. */
  errors: string[];
}

export interface Workbench extends AsyncDisposable {
  open(path: string, options?: WorldOptions, look?: Look): Promise<AppPage>;
  url: string;
  browser: Browser;
}

/** A browser and the served page, for the tests of one file. `folder`: of the built page. `own`: instead of the usual browser. */
export async function openWorkbench(folder?: string, own?: Browser): Promise<Workbench> {
  const server = await servePage(folder ?? (await builtPage()));
  const browser = own ?? (await screenBrowser());
  return {
    url: server.url,
    browser,
    open: (path, options = {}, look = {}) => openApp(server, browser, path, options, look),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const plainLook = { width: 1440, height: 900, density: 'desktop', theme: 'light' } as const;

async function openApp(
  server: PageServer,
  browser: Browser,
  path: string,
  options: WorldOptions,
  look: Look,
): Promise<AppPage> {
  const { width, height, density, theme, touch = false, language = 'en' } = { ...plainLook, ...look };
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.addInitScript(
    ([world, chosenDensity, chosenTheme, chosenLanguage]) => {
      window.fixtureOptions = world;
      // Only settings that the person has not changed meanwhile: reloads keep them.
      if (localStorage.length > 0) return;
      localStorage.setItem('benchbook.density', chosenDensity);
      localStorage.setItem('benchbook.theme', chosenTheme);
      localStorage.setItem('benchbook.language', chosenLanguage);
    },
    [options, density, theme, language] as const,
  );
  await page.goto(server.url + path);
  await page.locator('main h1, main h2').first().waitFor();
  return {
    page,
    errors,
    calls: (action) =>
      page.evaluate(
        (name) => window.fixture.calls.filter((call) => call.action === name).map((call) => call.args),
        action,
      ),
    async wear(other) {
      const worn = { ...plainLook, ...other };
      await page.setViewportSize({ width: worn.width, height: worn.height });
      await page.evaluate(
        async (preferences) => {
          window.changePreferences(preferences);
          // One frame lays out and notifies the resize observers, the next draws their changes.
          for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
          // Colours during a transition are not final.
          for (const animation of document.getAnimations())
            if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
        },
        { density: worn.density, theme: worn.theme },
      );
    },
    change: (change) => page.evaluate((part) => window.fixture.change(() => part), change),
    [Symbol.asyncDispose]: () => context.close(),
  };
}
