import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isLongRun } from '#test/support/long-run.ts';

import { type BrokenBuild, brokenBuilds, halfBrokenBuilds, settings } from './security/flips.ts';
import { type ProbeName, probes } from './security/probes.ts';
import { desktopForTests } from './support/desktop-for-tests.ts';
import { flipped } from './support/flip.ts';
import { openSites, type Sites } from './support/sites.ts';
import { systemOpener } from './support/system-opener.ts';
import { isRoot } from './support/unprivileged.ts';

const probeNames = Object.keys(probes) as ProbeName[];

type Reached = Partial<Record<ProbeName, string>>;

/** Time for one attempt, ms. */
const longestProbe = 240_000;

/**
 * The items of Electron's security checklist that can be observed in a running app. The others: 16 (the version) and
 * 20 (the imports) are seen in the sources, 19 (the fuses) in the packaged program.
 */
const items: [item: string, title: string, names: ProbeName[]][] = [
  ['ELECTRON-1', 'the page has a secure context', ['insecureOrigin']],
  ['ELECTRON-2', 'no page or worker has Node.js', ['nodeInPage', 'nodeInWorker', 'bridgeInFrame']],
  ['ELECTRON-3', 'the page does not reach the preload script', ['isolation']],
  ['ELECTRON-4', 'the system confines every renderer', ['unconfinedRenderer']],
  ['ELECTRON-5', 'the page gets no permission that the app does not need', ['permissions']],
  ['ELECTRON-6', 'the page cannot read what another site does not share', ['crossOrigin']],
  ['ELECTRON-7', 'no code but that of the app runs', ['foreignCode']],
  ['ELECTRON-8', 'a secure frame runs no insecure script', ['insecureContent']],
  ['ELECTRON-9', 'the page has no experimental interfaces', ['experiments']],
  ['ELECTRON-10', 'the page has no disabled features of Blink', ['blinkFeatures']],
  ['ELECTRON-11', 'the page has no webview element', ['webviewTag']],
  ['ELECTRON-12', 'no page is attached as a webview', ['webview']],
  [
    'ELECTRON-13',
    'window and frames do not leave for other sites',
    ['navigation', 'dropped', 'foreignFrame', 'redirectedFrame'],
  ],
  ['ELECTRON-14', 'the page opens no window', ['secondWindow']],
  ['ELECTRON-15', 'the system opens only web and mail addresses', ['oddAddress']],
  ['ELECTRON-17', 'a frame gets no answer', ['callFromFrame']],
  ['ELECTRON-18', 'the page reads no file address', ['fileAddress']],
  ['ELECTRON-54', 'the page downloads nothing', ['download']],
  ['ELECTRON-20', 'the page gets no object of Electron', ['bridgeObject']],
];

const { isThere, prepared } = desktopForTests('the security of the window', {
  pageFiles: {
    'probe-worker.js': `postMessage(typeof require === 'function' ? 'Node in a worker' : null)`,
  },
});
let sites: Sites;
let folder: string;

beforeAll(async () => {
  sites = await openSites();
  folder = mkdtempSync(join(isRoot ? '/tmp' : tmpdir(), 'benchbook-opener-'));
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  await sites[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
/** What each probe reaches in the app when these settings are flipped; probes that reach nothing are left out. */
async function reached({ flipped, changes = [] }: BrokenBuild): Promise<Reached> {
  const opener = systemOpener(mkdtempSync(join(folder, 'opener-')));
  const userData = prepared().userData();
  // Two probes may need the same change.
  const flips = [...new Set([...changes, ...flipped.flatMap((name) => settings[name])])];
  const launched = await prepared().launch(userData, sites.args, { env: opener.env, flips });
  const { app, page } = launched;
  const found: Reached = {};
  for (const name of probeNames) {
    const patience = flipped.includes(name) ? longestProbe / 2 : 700;
    const late = new Promise<string>((resolve) => setTimeout(resolve, longestProbe, 'no end').unref());
    const reach = await Promise.race([probes[name]({ app, page, userData, sites, opener, patience }), late]);
    if (reach !== null) found[name] = reach;
  }
  // A broken build need not close properly.
  app.process().kill('SIGKILL');
  return found;
}

async function expectReached(build: BrokenBuild): Promise<void> {
  const expected = [...build.flipped, ...(build.also ?? [])];
  expect(Object.keys(await reached(build)).toSorted()).toEqual(expected.toSorted());
}

describe('the window of the app', () => {
  let product: Reached;
  beforeAll(async () => {
    if (isThere()) product = await reached({ flipped: [] });
  });

  it.each(items)('%s: %s', (_item, _title, names) => {
    for (const name of names) expect(product[name], name).toBeUndefined();
  });

  it('ELECTRON-50 every attempt belongs to an item of the checklist, and to a setting that can be flipped', () => {
    expect(items.flatMap(([, , names]) => names).toSorted()).toEqual(probeNames.toSorted());
    expect([...new Set(brokenBuilds.flatMap(({ flipped }) => flipped))].toSorted()).toEqual(
      probeNames.toSorted(),
    );
  });
});

it('ELECTRON-50 every setting that is flipped is in the built app', () => {
  const builds = [...brokenBuilds, ...halfBrokenBuilds];
  const flips = [...Object.values(settings).flat(), ...builds.flatMap(({ changes = [] }) => changes)];
  for (const flip of flips) expect(flipped(prepared().out, flip)).toContain(flip.to);
});

/** The build in which most probes reach something. */
const mostBroken = brokenBuilds.toSorted((a, b) => b.flipped.length - a.flipped.length).slice(0, 1);

describe('the window with flipped settings', () => {
  it.each(isLongRun ? brokenBuilds : mostBroken)(
    'ELECTRON-50 nothing else stops the attack: $flipped',
    expectReached,
  );

  it.runIf(isLongRun).each(halfBrokenBuilds)(
    'ELECTRON-50 each of two settings alone stops the attack',
    expectReached,
  );
});
