import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { chromium, type Browser, type BrowserContext, type Frame, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { browserArguments, ensureBrowser, insecureHost, sharedBrowser } from '#test/support/browser.ts';
import {
  attackerListens,
  hostileModule,
  navigatingAttacks,
  sendingAttacks,
  type Attacker,
  type Targets,
} from '#test/support/hostile-module.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { assigned, playerOf } from '#test/support/training-world.ts';

let resources: AsyncDisposableStack;
let server: TestServer;
let browser: Browser;
let ben: TestPerson;
let attacker: Attacker;
let targets: Targets;
let moduleid: number;
let otherid: number;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  const { path: appDir } = resources.use(await temporaryFolder('hostile-app'));
  // Stands for the app: only its origin and storage matter.
  await writeFile(join(appDir, 'index.html'), '<!doctype html><title>App</title>');
  server = resources.use(await startServer({ appDir }));
  attacker = resources.use(await attackerListens());
  const author = await server.person('Ana', ['User', 'Author']);
  ben = await server.person('Ben', ['User']);
  targets = { app: server.url, token: ben.token, evil: attacker.evil, stun: attacker.stun };
  moduleid = (await assigned(server, author, ben, hostileModule())).moduleid;
  otherid = (await assigned(server, author, ben, hostileModule('Other'))).moduleid;
  browser = await sharedBrowser();
});
afterAll(() => resources.disposeAsync());

/** The frame of the module in an open player, once its script has run. */
async function moduleIn(page: Page): Promise<Frame> {
  const isThere = (): Frame | undefined => page.frames().find((frame) => frame.url().includes('/content/'));
  await expect.poll(() => isThere()?.url()).toBeDefined();
  const frame = must(isThere(), 'the frame of the module');
  await frame.locator('body[data-place=ready]').waitFor();
  return frame;
}

/** A module played by a learner in a separate page. `host`: the browser's name for this machine. */
async function played(
  context: BrowserContext,
  id: number,
  host = '127.0.0.1',
): Promise<{ page: Page; frame: Frame }> {
  const page = await context.newPage();
  await page.goto((await playerOf(ben, id)).url.replace('127.0.0.1', host));
  return { page, frame: await moduleIn(page) };
}

function attack(frame: Frame, name: string): Promise<unknown> {
  return frame.evaluate(
    ([one, at]) =>
      (Reflect.get(window, 'attack') as (name: string, at: Targets) => Promise<unknown>)(one, at as Targets),
    [name, targets] as const,
  );
}

// Without TLS, and on another machine, browsers skip some of their protections.
test.each(['127.0.0.1', insecureHost])(
  'TRAINING-20 no request of a module reaches another server, played at %s',
  async (host) => {
    await using context = await browser.newContext();
    const { page, frame } = await played(context, moduleid, host);
    attacker.requests.length = 0;
    const results: Record<string, unknown> = {};
    for (const name of sendingAttacks) results[name] = await attack(frame, name);
    // A request of another module's page comes after all of these.
    await page.goto((await playerOf(ben, otherid)).url);
    await moduleIn(page);
    expect(attacker.requests).toEqual([]);
    expect(results).toMatchObject({ bare: [], fetch: 'TypeError', blank: 'TypeError', worker: 'refused' });
  },
);

test('TRAINING-20 WebRTC is blocked in browsers that support Connection-Allowlist', async ({ skip }) => {
  const knowing = await chromium.launch({
    executablePath: ensureBrowser(() => undefined),
    args: [
      ...browserArguments,
      '--enable-features=ConnectionAllowlists,OverrideConnectionAllowlistOriginTrial',
    ],
  });
  await using _ = { [Symbol.asyncDispose]: () => knowing.close() };
  if (Number.parseInt(knowing.version(), 10) < 148) skip('this browser does not know it');
  attacker.packets.length = 0;
  for (const name of ['webrtc', 'webrtcInFrame']) {
    await using context = await knowing.newContext();
    const { frame } = await played(context, moduleid);
    // Chromium 156 ends a page that asks for a connection; earlier versions refuse the connection.
    const result = await attack(frame, name).catch((error: unknown) => String(error));
    expect(result).toMatch(/^NotAllowedError$|Target crashed/);
  }
  expect(attacker.packets).toEqual([]);
});

test.each(navigatingAttacks)('TRAINING-20 a module cannot navigate a page elsewhere: %s', async (name) => {
  await using context = await browser.newContext();
  const app = await context.newPage();
  await app.goto(server.url);
  const [page] = await Promise.all([
    context.waitForEvent('page'),
    app.evaluate((url) => void window.open(url), (await playerOf(ben, moduleid)).url),
  ]);
  const frame = await moduleIn(page);
  const before = page.url();
  attacker.requests.length = 0;
  // A result may be lost with its frame.
  await attack(frame, name).catch(() => undefined);
  expect(await page.evaluate(() => document.title)).not.toBe('App');
  expect([page.isClosed(), page.url(), app.url()]).toEqual([false, before, `${server.url}/`]);
  expect(context.pages()).toHaveLength(2);
  expect(attacker.requests).toEqual([]);
});

test('TRAINING-20 a module opens no window, saves no file, and reaches neither other pages nor app nor API', async () => {
  await using context = await browser.newContext();
  const { page, frame } = await played(context, moduleid);
  const downloads: string[] = [];
  page.on('download', (one) => downloads.push(one.suggestedFilename()));
  attacker.requests.length = 0;
  const tried = [
    'readTop',
    'writeTop',
    'messageTop',
    'opener',
    'domain',
    'popup',
    'popupOfApp',
    'linkBlank',
    'download',
    'modal',
    'call',
    'frameApp',
    'serviceWorker',
  ];
  const results: Record<string, unknown> = {};
  for (const name of tried) results[name] = await attack(frame, name);
  expect(results).toMatchObject({
    readTop: 'SecurityError',
    writeTop: 'SecurityError',
    popup: null,
    popupOfApp: null,
    modal: false,
    call: 'TypeError',
    frameApp: expect.stringMatching(/Error$/),
    serviceWorker: expect.stringMatching(/Error$/),
    domain: 'SecurityError',
    opener: null,
  });
  expect(downloads).toEqual([]);
  expect(context.pages()).toHaveLength(1);
  expect(await page.evaluate(() => document.body.innerText)).not.toContain('hacked');
  expect(await page.evaluate(() => document.scripts.length)).toBe(0);
  expect(attacker.requests).toEqual([]);
});

test('TRAINING-20 modules get no camera, microphone, screen, clipboard, location, notifications or fullscreen', async () => {
  const origins = [server.url, new URL((await playerOf(ben, moduleid)).url).origin];
  await using context = await browser.newContext();
  // Even if the person allowed them for the app.
  for (const origin of origins)
    await context.grantPermissions(
      ['camera', 'microphone', 'clipboard-read', 'clipboard-write', 'geolocation'],
      { origin },
    );
  const { frame } = await played(context, moduleid);
  const results: Record<string, unknown> = {};
  for (const name of [
    'fullscreen',
    'camera',
    'screen',
    'clipboardRead',
    'clipboardWrite',
    'place',
    'notify',
    'pointer',
  ])
    results[name] = await attack(frame, name);
  expect(results).toEqual({
    fullscreen: 'TypeError',
    camera: expect.stringMatching(/^Not(Allowed|Found)Error$/),
    screen: 'NotAllowedError',
    clipboardRead: 'NotAllowedError',
    clipboardWrite: 'NotAllowedError',
    place: 'refused 1',
    notify: 'denied',
    pointer: 'SecurityError',
  });
  const features = (await attack(frame, 'features')) as string[];
  expect(
    features.filter((one) =>
      /camera|microphone|geolocation|clipboard|capture|fullscreen|usb|serial|hid|bluetooth|midi|payment|credentials/.test(
        one,
      ),
    ),
  ).toEqual([]);
  expect(features).toContain('autoplay');
});

test('TRAINING-21 TRAINING-22 modules below a wildcard host are as confined as those at ports', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  await using named = await startServer({ modules: { origin: `http://*.modules.test:${port}`, port } });
  const author = await named.person('Ana', ['User', 'Author']);
  const learner = await named.person('Ben', ['User']);
  const resolving = await chromium.launch({
    executablePath: ensureBrowser(() => undefined),
    args: [
      // In ordinary browsers, frames of another site have separate storage.
      ...browserArguments.map((one) => one.replace('ThirdPartyStoragePartitioning,', '')),
      '--host-resolver-rules=MAP *.modules.test 127.0.0.1',
    ],
  });
  await using _ = { [Symbol.asyncDispose]: () => resolving.close() };
  await using context = await resolving.newContext();
  const open = async (title: string): Promise<{ page: Page; frame: Frame }> => {
    const { moduleid: id } = await assigned(named, author, learner, hostileModule(title));
    const page = await context.newPage();
    await page.goto((await playerOf(learner, id)).url);
    return { page, frame: await moduleIn(page) };
  };
  const { page, frame } = await open('Hostile');
  expect(new URL(frame.url()).origin).toBe(`http://m1.modules.test:${port}`);
  await attack(frame, 'leave');
  const { frame: other } = await open('Other');
  expect(new URL(other.url()).origin).toBe(`http://m2.modules.test:${port}`);
  expect(await other.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
  attacker.requests.length = 0;
  expect(await attack(other, 'bare')).toEqual([]);
  expect([await attack(other, 'fetch'), await attack(other, 'readTop')]).toEqual([
    'TypeError',
    'SecurityError',
  ]);
  expect(attacker.requests).toEqual([]);
  await attack(frame, 'loop');
  expect(await page.evaluate(() => document.title)).toBe('Hostile');
});

test('TRAINING-21 data that a module stores in the browser is invisible to other modules', async () => {
  await using context = await browser.newContext();
  const { frame } = await played(context, moduleid);
  expect(await attack(frame, 'leave')).toEqual([1, 'left=behind']);
  const { frame: other } = await played(context, otherid);
  expect(new URL(other.url()).origin).not.toBe(new URL(frame.url()).origin);
  expect(await attack(other, 'find')).toEqual({
    local: null,
    cookie: '',
    databases: [],
    caches: [],
    workers: 0,
  });
  expect(await attack(frame, 'leave')).toEqual([1, 'left=behind']);
});

test('TRAINING-21 a module that fills the cookies or computes forever stops neither the app nor its own page', async () => {
  await using context = await browser.newContext();
  const app = await context.newPage();
  await app.goto(server.url);
  const { page, frame } = await played(context, moduleid);
  await attack(frame, 'bomb');
  const fresh = await context.newPage();
  expect(must(await fresh.goto(server.url), 'an answer').status()).toBe(200);
  await attack(frame, 'loop');
  for (const one of [app, fresh]) expect(await one.evaluate(() => document.title)).toBe('App');
  expect(await page.evaluate(() => document.title)).toBe('Hostile');
});

test('TRAINING-21 cookies that overflow every request are cleared by the refusal, and the app opens again', async () => {
  await using context = await browser.newContext();
  const { hostname } = new URL(server.url);
  // As a module leaves them in a browser that keeps cookies of frames.
  await context.addCookies(
    Array.from({ length: 60 }, (_, at) => ({
      name: `bomb${at}`,
      value: 'x'.repeat(4000),
      domain: hostname,
      path: '/',
    })),
  );
  const app = await context.newPage();
  expect(must(await app.goto(server.url), 'an answer').status()).toBe(431);
  expect(must(await app.reload(), 'an answer').status()).toBe(200);
  expect(await context.cookies()).toEqual([]);
});

test('TRAINING-21 cookies that overflow requests to a plain HTTP host are expired by the refusal, whatever path and domain they have', async () => {
  await using context = await browser.newContext();
  const bomb = (name: string, place: { domain: string; path: string }) =>
    Array.from({ length: 40 }, (_, at) => ({ name: `${name}${at}`, value: 'x'.repeat(3900), ...place }));
  await context.addCookies(bomb('own', { domain: insecureHost, path: '/' }));
  await context.addCookies(bomb('domain', { domain: `.${insecureHost}`, path: '/' }));
  await context.addCookies(bomb('deep', { domain: insecureHost, path: '/api/2.0' }));
  const url = server.url.replace('127.0.0.1', insecureHost);
  const app = await context.newPage();
  const status = async (path: string): Promise<number> =>
    must(await app.goto(`${url}${path}`), 'an answer').status();
  expect(await status('/')).toBe(431);
  expect(await status('/')).toBe(200);
  const call = () => app.evaluate(() => fetch('/api/2.0/sites/info').then((answer) => answer.status));
  expect([await call(), await call()]).toEqual([431, 200]);
  expect(await context.cookies()).toEqual([]);
});
