import { join } from 'node:path';

import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import { imageUpload } from '#test/desktop/engine/support/image-upload.ts';
import { launchProfile } from '#test/support/browser.ts';
import { layProxy, type MeddlingProxy, type Page as ProxyPage } from '#test/support/meddling-proxy.ts';
import { servePages } from '#test/support/serve-pages.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { makeGuide, seenBy } from '#test/support/workshop.ts';

const hotel = '<html><body><h1>Welcome to the hotel</h1>Sign in to go on</body></html>';
const portalPath = '/portal-of-the-hotel';
/** A path that the server itself refuses, with its own message. */
const refusedPath = '/api/2.0/portal-of-the-hotel';

/** Intermediaries between the device and the server, by name. */
const portals: [string, ProxyPage][] = [
  ['200 and a page', { status: 200, html: hotel }],
  ['401 and a page', { status: 401, html: hotel }],
  ['403 and a page', { status: 403, html: hotel }],
  ['413 and a page', { status: 413, html: hotel }],
  ['511 and a page', { status: 511, html: hotel }],
  ['a redirect to a portal', { status: 302, html: '', headers: { Location: portalPath } }],
  ['a redirect to the server itself', { status: 302, html: '', headers: { Location: refusedPath } }],
  ['200 and nothing', { status: 200, html: '' }],
  ['cut JSON', { status: 200, html: '{"protocol":6,"histo', headers: json() }],
  ['JSON of another API', { status: 200, html: '{"data":[],"ok":true}', headers: json() }],
];

function json(): Record<string, string> {
  return { 'Content-Type': 'application/json' };
}

/** Answers every request with `page`, readable for pages of any origin; counts requests by path. */
function stand(proxy: MeddlingProxy, page: ProxyPage | null): Map<string, number> {
  const met = new Map<string, number>();
  proxy.answer = ({ method, url = '' }) => {
    if (page === null || method === 'OPTIONS') return null;
    const path = url.replace(/\?.*$/, '');
    if (path === refusedPath) return null;
    met.set(path, (met.get(path) ?? 0) + 1);
    const shown = path === portalPath ? { status: 200, html: hotel } : page;
    return { ...shown, headers: { ...shown.headers, 'Access-Control-Allow-Origin': '*' } };
  };
  return met;
}

async function openPage(resources: AsyncDisposableStack): Promise<Page> {
  const url = await servePages(resources, join(import.meta.dirname, 'pages'), 'engine.html');
  const profile = resources.use(await temporaryFolder('portal-profile')).path;
  const context = await launchProfile(profile);
  resources.defer(() => context.close());
  const page = await context.newPage();
  await page.goto(`${url}/engine.html`);
  await page.waitForFunction(() => window.core !== undefined);
  return page;
}

/** Ada's guide, and her device behind a proxy, in sync. */
async function signedIn(resources: AsyncDisposableStack) {
  const server = resources.use(await startServer());
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const guide = await makeGuide(ada);
  const proxy = resources.use(await layProxy(server.url));
  const page = await openPage(resources);
  await letRead(server, page);
  expect(await signIn(page, proxy.url)).toBeNull();
  await page.waitForFunction(() => window.syncState.lastSyncedAt !== null);
  return { server, ada, guide, proxy, page };
}

/** The page has another origin than the server. */
async function letRead(server: TestServer, page: Page): Promise<void> {
  await changeSite(server.services, { cors_origins: [new URL(page.url()).origin] });
}

async function signIn(page: Page, server: string): Promise<string | null> {
  return page.evaluate(
    (address) =>
      window.actions.signIn(address, 'ada@example.com', 'a long password').then(
        () => null,
        (error: unknown) => String(error),
      ),
    server,
  );
}

/** 27 calls of several kinds, including files sent in both ways. */
async function work(page: Page, guideid: string): Promise<void> {
  const small = await picture(60);
  const large = await picture(900);
  expect(large.length).toBeGreaterThan(1024 * 1024);
  for (const [name, bytes] of [
    ['small', small],
    ['large', large],
  ] as const)
    await page.evaluate(
      async ({ id, content, upload }) => {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
        await window.core.journal.putFile(id, bytes, { type: 'image/png', name: `${id}.png` });
        await window.core.outbox.add([upload]);
      },
      { id: name, content: bytes.toString('base64'), upload: imageUpload(name) },
    );
  await page.evaluate(async (guide) => {
    const { actions } = window;
    await actions.favorite(guide, true);
    await actions.complete(guide, true);
    await actions.startWorkOrder(guide, 'WO-27');
    await actions.openDraft(guide);
    await actions.editDraft(guide, { op: 'setText', field: 'title', value: 'Fan belt' });
    await actions.saveDraft(guide);
    for (let index = 1; index <= 21; index += 1) await actions.comment('guide', guide, `Comment ${index}`);
  }, guideid);
}

/** An incompressible picture. */
async function picture(side: number): Promise<Buffer> {
  const noise = new Uint8Array(side * side * 3);
  for (let at = 0; at < noise.length; at += 65_536)
    crypto.getRandomValues(noise.subarray(at, Math.min(noise.length, at + 65_536)));
  return sharp(noise, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

async function listed(ada: TestPerson, path: string): Promise<unknown[]> {
  const { body } = await ada.call('GET', path);
  return Array.isArray(body) ? body : [];
}

test('OUTBOX-22 OUTBOX-50 a portal parks, loses or doubles no waiting call and signs nobody out; it is reported, and afterwards everything arrives once', async () => {
  await using resources = new AsyncDisposableStack();
  const { server, ada, guide, proxy, page } = await signedIn(resources);
  stand(proxy, { status: 503, html: hotel });
  await page.evaluate(() => window.core.sync.now());
  await page.waitForFunction(() => window.syncState.interference !== null);
  await work(page, String(guide.guideid));
  expect(await page.evaluate(async () => (await window.calls()).length)).toBe(27);

  for (const [name, portal] of portals) {
    const met = stand(proxy, portal);
    await expect
      .poll(
        async () => {
          await page.evaluate(() => window.core.sync.now());
          return [...met.values()].reduce((sum, count) => sum + count, 0);
        },
        { message: name },
      )
      .toBeGreaterThanOrEqual(4);
    const { states, sync, status } = await page.evaluate(async () => ({
      states: (await window.calls()).map(({ state }) => state),
      sync: window.syncState,
      status: window.core.session.current().status,
    }));
    expect(states, name).toHaveLength(27);
    expect(
      states.filter((state) => state !== 'queued' && state !== 'sending'),
      name,
    ).toEqual([]);
    expect(sync, name).toMatchObject({ pending: 27, parked: 0, conflicts: 0, needsSignIn: false });
    expect(sync.interference, name).not.toBeNull();
    expect(status, name).toBe('signed-in');
  }

  stand(proxy, null);
  await page.evaluate(() => window.core.sync.now());
  await page.waitForFunction(() => window.core.outbox.present().length === 0);
  await page.waitForFunction(() => window.syncState.interference === null);
  expect(await page.evaluate(() => window.syncState)).toMatchObject({ parked: 0, conflicts: 0 });
  expect(await listed(ada, `/comments/guide/${guide.guideid}?limit=200`)).toHaveLength(21);
  expect(await listed(ada, '/user/media/images')).toHaveLength(2);
  expect(await seenBy(server, ada, 'workLog')).toHaveLength(1);
  expect(await ada.client.guides.read({ params: { guideid: guide.guideid } })).toMatchObject({
    title: 'Fan belt',
    revisionid: guide.revisionid + 1,
  });
});

test('OUTBOX-22 a sign-in answered by a portal is reported, stores nothing, and works when the portal is gone', async () => {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await startServer());
  await server.person('Ada');
  const proxy = resources.use(await layProxy(server.url));
  const page = await openPage(resources);
  await letRead(server, page);
  for (const [name, portal] of portals) {
    stand(proxy, portal);
    expect(await signIn(page, proxy.url), name).toContain('answers in its place');
    expect(await page.evaluate(() => window.core.session.current().user), name).toBeNull();
  }
  stand(proxy, null);
  expect(await signIn(page, proxy.url)).toBeNull();
});

test('OUTBOX-22 a redirect of only an upload, to an address that the server refuses, parks nothing', async () => {
  await using resources = new AsyncDisposableStack();
  const { ada, guide, proxy, page } = await signedIn(resources);
  let met = 0;
  proxy.answer = ({ method, url = '' }) => {
    if (method === 'OPTIONS' || !/^\/(sync\/1\/uploads|api\/2\.0\/user\/media)/.test(url)) return null;
    met += 1;
    const headers = { Location: refusedPath, 'Access-Control-Allow-Origin': '*' };
    return { status: 302, html: '', headers };
  };
  await work(page, String(guide.guideid));
  await expect
    .poll(async () => {
      await page.evaluate(() => window.core.sync.now());
      return met;
    })
    .toBeGreaterThanOrEqual(3);
  expect(await page.evaluate(() => window.syncState)).toMatchObject({ parked: 0, conflicts: 0 });

  proxy.answer = () => null;
  await page.evaluate(() => window.core.sync.now());
  await page.waitForFunction(() => window.core.outbox.present().length === 0);
  expect(await listed(ada, '/user/media/images')).toHaveLength(2);
});
