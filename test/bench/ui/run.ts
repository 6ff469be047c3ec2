/**
 * `npm run bench:ui`: opens the built app in Chromium, as a new visitor on a slow connection, and with 20,000 guides on
 * the device. `--guides 300 --times 5` is a quick run. `--app FOLDER` measures a second build in turns with this one, and
 * `--only start` leaves out the guides.
 *
 * - A new visitor: the ms until the sign-in can be typed into, on “Slow 4G” (562 ms latency, 180 kB/s). Floor: a page with
 *   the same form and no script.
 * - Reload to list: with the guides on the device, the ms from a reload until the library is painted. Floor: the same
 *   elements as a page without a script.
 * - Key to result: from the last letter of a title until the guide is found and painted. Floor: painting the same content.
 * - Longest frame while scrolling through a long list. Floor: scrolling through the same elements without the app.
 * - Memory: the JavaScript heap after a collection. Floor: the same elements without the app.
 */
import { parseArgs } from 'node:util';

import type { CDPSession, Page } from 'playwright-core';

import { must } from '#shared/must.ts';
import { go, keptOffline, signIn, startWholeApp, status } from '#test/e2e/whole-app.ts';
import { Dice } from '#test/simulation/random.ts';
import { builtApp } from '#test/support/production-build.ts';

import { repaint, whenText } from '../app/probe.ts';
import { benchGuide, writeCorpus } from '../corpus.ts';
import { type Figure, median, tableOf } from '../table.ts';
import { servePages, snapshot } from './pages.ts';

const { values } = parseArgs({
  options: {
    guides: { type: 'string', default: '20000' },
    times: { type: 'string', default: '20' },
    app: { type: 'string' },
    only: { type: 'string' },
  },
});
const guides = Number(values.guides);
const times = Number(values.times);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Loading all guides takes this long at most, ms. */
const patience = 900_000;

const form = 'input[type=password]';
const list = 'main a[href^="/guides/"]';

/** As in the developer tools of Chromium. */
const slow4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 180_000,
  uploadThroughput: 84_375,
};

/** In the page, from its start: marks when an element is painted. Self-contained. */
function markWhenPainted(selector: string): void {
  const look = (): void => {
    if (document.querySelector(selector) === null) return void requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => performance.mark('painted');
      port2.postMessage(null);
    });
  };
  look();
}

/** The ms from the start of the navigation until the element was painted (`markWhenPainted`). */
async function timeOf(page: Page): Promise<number> {
  await page.waitForFunction(() => performance.getEntriesByName('painted').length > 0, null, {
    polling: 50,
  });
  return page.evaluate(() => performance.getEntriesByName('painted')[0]?.startTime ?? 0);
}

function percentile(all: readonly number[], share: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return must(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)], 'a duration');
}

/** The builds to compare, by name. */
async function builds(): Promise<Map<string, string>> {
  const own: [string, string][] = [['', await builtApp()]];
  return new Map(values.app === undefined ? own : [...own, [' (other build)', values.app]]);
}

/** A new visitor's first page, each time in a new profile. */
async function newVisitor(): Promise<Figure[]> {
  await using resources = new AsyncDisposableStack();
  const floor = resources.use(await servePages());
  const openings = new Map<string, { url: string; took: number[] }>();
  for (const [name, app] of await builds()) {
    const { server } = await startWholeApp(resources, app);
    openings.set(name, { url: server.url, took: [] });
  }
  const { openDevice } = await startWholeApp(resources);
  const { context } = await openDevice();
  const browser = must(context.browser(), 'the browser');
  const open = async (url: string, isFloor = false): Promise<number> => {
    const fresh = await browser.newContext();
    const page = await fresh.newPage();
    page.setDefaultTimeout(120_000);
    await page.addInitScript(markWhenPainted, form);
    const devtools = await fresh.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', slow4G);
    await page.goto(url, { waitUntil: 'commit' });
    const took = await timeOf(page);
    if (!isFloor && !floor.pages.has('/')) floor.pages.set('/', await page.evaluate(snapshot));
    await fresh.close();
    return took;
  };
  const floors: number[] = [];
  for (let nth = 0; nth < Math.ceil(times / 2); nth += 1) {
    for (const { url, took } of openings.values()) took.push(await open(url));
    floors.push(await open(`${floor.url}/`, true));
  }
  return [...openings].map(([name, { took }]) => ({
    what: `New visitor, until the sign-in can be used${name}`,
    value: median(took),
    unit: 'ms',
    floor: { what: 'the same form without a script', value: median(floors) },
  }));
}

/** A device that has all guides, and no network. */
interface Ready {
  name: string;
  page: Page;
  devtools: CDPSession;
}

async function ready(resources: AsyncDisposableStack, name: string, app: string): Promise<Ready> {
  const { server, ada, openDevice } = await startWholeApp(resources, app);
  say(`Preparing ${guides} guides …`);
  await writeCorpus(server, guides, ada.userid);
  const device = await openDevice({ viewport: { width: 1280, height: 800 } });
  const page = await device.context.newPage();
  page.setDefaultTimeout(patience);
  await page.addInitScript(markWhenPainted, list);
  await page.goto(device.wire.url);
  await signIn(page);
  await status(page, /^Synced/);
  await keptOffline(page);
  await device.goOffline();
  await status(page, /^Offline/);
  page.setDefaultTimeout(60_000);
  return { name, page, devtools: await device.context.newCDPSession(page) };
}

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

/** In the page: scrolls an area to its end in steps of 120 pixels, and resolves with the ms of the longest frame. Self-contained. */
function scrollThrough(frames: number): Promise<number> {
  const area = [...document.querySelectorAll('main, main *')].find(
    (one) => one.scrollHeight > one.clientHeight + 50 && /auto|scroll/.test(getComputedStyle(one).overflowY),
  );
  if (area === undefined) throw new Error('Nothing scrolls');
  return new Promise((resolve) => {
    let [longest, left, last] = [0, frames, performance.now()];
    const step = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      left -= 1;
      if (left === 0) return resolve(longest);
      area.scrollTop += 120;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(() => {
      last = performance.now();
      requestAnimationFrame(step);
    });
  });
}

async function withGuides(): Promise<Figure[]> {
  await using resources = new AsyncDisposableStack();
  const floor = resources.use(await servePages());
  const figures: Figure[] = [];
  const devices: Ready[] = [];
  for (const [name, app] of await builds()) devices.push(await ready(resources, name, app));
  const still = await devices[0]?.page.context().newPage();
  const plain = must(still, 'a page for the floor');
  await plain.addInitScript(markWhenPainted, list);
  await plain.context().setOffline(false);

  say(`Reloading ${times} times …`);
  const reloads = devices.map((device) => ({ ...device, took: new Array<number>() }));
  const floors: number[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    for (const { page, took } of reloads) {
      await page.bringToFront();
      await page.reload({ waitUntil: 'commit' });
      took.push(await timeOf(page));
      // What the start leaves to do must not count for the next page: nothing on the page tells when it is done.
      await page.waitForTimeout(1500);
    }
    const [first] = devices;
    if (nth === 0) floor.pages.set('/list', await must(first, 'a device').page.evaluate(snapshot));
    await plain.bringToFront();
    await plain.goto(`${floor.url}/list`, { waitUntil: 'commit' });
    floors.push(await timeOf(plain));
  }
  for (const { name, took } of reloads)
    figures.push({
      what: `Reload to list${name}`,
      value: median(took),
      unit: 'ms',
      floor: { what: 'the same elements without the app', value: median(floors) },
      note: `target 1,000 ms; p95 ${percentile(took, 0.95).toFixed(0)} ms`,
    });

  for (const { name, page } of devices) {
    say(`Searching ${times} times …`);
    const dice = new Dice(1);
    await page.bringToFront();
    const [found, painted] = [new Array<number>(), new Array<number>()];
    await go(page, '/');
    const field = page.getByRole('searchbox');
    for (let nth = 0; nth < times; nth += 1) {
      const { title } = benchGuide(1 + dice.below(guides), 1);
      await field.fill(title.slice(0, -1));
      // A person pauses before the last letter; work of the letters before it must not count.
      await page.waitForTimeout(500);
      const shown = page.evaluate(whenText, { event: 'input', text: title, within: 'main' });
      await field.press(title.slice(-1));
      found.push(await shown);
      painted.push(await page.evaluate(repaint));
    }
    figures.push({
      what: `Key to result (p95)${name}`,
      value: percentile(found, 0.95),
      unit: 'ms',
      floor: { what: 'painting the same content', value: percentile(painted, 0.95) },
      note: `target 50 ms; median ${median(found).toFixed(0)} ms`,
    });
  }

  for (const { name, page, devtools } of devices) {
    say('Scrolling …');
    await page.bringToFront();
    await page.getByRole('searchbox').fill('replacement');
    // The search has ended; only scrolling counts.
    await page.waitForTimeout(2000);
    const longest: number[] = [];
    for (let nth = 0; nth < 5; nth += 1) longest.push(await page.evaluate(scrollThrough, 120));
    const memory = await heapOf(devtools);
    floor.pages.set('/long', await page.evaluate(snapshot));
    await plain.bringToFront();
    await plain.goto(`${floor.url}/long`);
    const session = await plain.context().newCDPSession(plain);
    const least: number[] = [];
    for (let nth = 0; nth < 5; nth += 1) {
      await plain.reload();
      least.push(await plain.evaluate(scrollThrough, 120));
    }
    figures.push(
      {
        what: `Longest frame while scrolling${name}`,
        value: Math.max(...longest),
        unit: 'ms',
        floor: { what: 'the same elements without the app', value: Math.max(...least) },
        note: `target 50 ms; median of 5 runs ${median(longest).toFixed(0)} ms`,
      },
      {
        what: `JavaScript heap${name}`,
        value: memory,
        unit: 'MB',
        floor: { what: 'the same elements without the app', value: await heapOf(session) },
      },
    );
  }
  return figures;
}

const figures = await newVisitor();
if (values.only !== 'start') figures.push(...(await withGuides()));
say(`\n${tableOf(figures)}`);
process.exit(0);
