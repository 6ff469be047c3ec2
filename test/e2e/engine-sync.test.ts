import { join } from 'node:path';

import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterEach, beforeAll, afterAll, beforeEach, expect, test } from 'vitest';

import { imageUpload } from '#test/desktop/engine/support/image-upload.ts';
import { launchProfile } from '#test/support/browser.ts';
import { servePages } from '#test/support/serve-pages.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { layWire, type WireCut } from '#test/support/wire-cut.ts';
import { makeGuide } from '#test/support/workshop.ts';

const pages = join(import.meta.dirname, 'pages');

let resources: AsyncDisposableStack;
let url: string;
let server: TestServer;
let ada: TestPerson;
let wire: WireCut;
let context: BrowserContext;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  url = await servePages(resources, pages, 'engine.html', 'empty.html');
});

afterAll(() => resources.disposeAsync());

beforeEach(async () => {
  server = await startServer({ site: { cors_origins: [new URL(url).origin] } });
  await server.category('Bench Grinder');
  ada = await server.person('Ada');
  wire = await layWire(server.url);
  const profile = resources.use(await temporaryFolder('engine-profile')).path;
  context = await launchProfile(profile);
});

afterEach(async () => {
  await context.close();
  await wire[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function openPage(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/engine.html`);
  await page.waitForFunction(() => window.core !== undefined);
  return page;
}

async function signIn(page: Page, name = 'ada'): Promise<void> {
  await page.evaluate(([address, email]) => window.actions.signIn(address, email, 'a long password'), [
    wire.url,
    `${name}@example.com`,
  ] as const);
}

/** Waits until this tab shows that a person, or nobody, is signed in. */
function shows(page: Page, username: string | null): Promise<unknown> {
  return page.waitForFunction((name) => {
    const { user, status } = window.core.session.current();
    return (user?.username ?? null) === name && status === (name === null ? 'signed-out' : 'signed-in');
  }, username);
}

function inSync(page: Page): Promise<unknown> {
  return page.waitForFunction(() => {
    const state = window.syncState;
    return (
      state.phase === 'idle' &&
      state.connection === 'online' &&
      state.pending === 0 &&
      state.lastSyncedAt !== null
    );
  });
}

function callsIn(page: Page): Promise<number> {
  return page.evaluate(async () => (await window.calls()).length);
}

async function commentsOn(guideid: number): Promise<string[]> {
  const { body } = await ada.call('GET', `/comments/guide/${guideid}`);
  return (body as { text_raw: string }[]).map(({ text_raw }) => text_raw);
}

test('MIRROR-2 MIRROR-6 the initial sync brings the guides, and a change arrives live', async () => {
  const guide = await makeGuide(ada);
  const page = await openPage();
  await signIn(page);
  await inSync(page);
  expect(await page.evaluate(() => window.titles())).toEqual(['Belt']);
  await ada.call('PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, {
    title: 'Belt and motor',
  });
  await expect.poll(() => page.evaluate(() => window.titles())).toEqual(['Belt and motor']);
});

test('ACCOUNT-3 ACCOUNT-6 calls waiting in any tab are sent to the same server at another port, which proves itself, and every tab follows', async () => {
  const guide = await makeGuide(ada);
  const page = await openPage();
  await signIn(page);
  await inSync(page);
  const second = await openPage();
  wire.cut();
  await page.waitForFunction(() => window.syncState.connection === 'offline');
  await second.evaluate(addComment, { guideid: guide.guideid, text: 'From the second tab' });
  await page.evaluate(addComment, { guideid: guide.guideid, text: 'From the first tab' });
  await page.evaluate(([address, email]) => window.actions.signIn(address, email, 'a long password'), [
    server.url,
    'ada@example.com',
  ] as const);
  for (const tab of [page, second]) {
    await tab.waitForFunction((address) => window.core.session.current().server === address, server.url);
    await inSync(tab);
    await expect.poll(() => tab.evaluate(() => window.core.session.current().elsewhere)).toEqual([]);
  }
  await expect
    .poll(async () => (await commentsOn(guide.guideid)).toSorted())
    .toEqual(['From the first tab', 'From the second tab']);
});

test('OUTBOX-4 offline work of any tab is sent when the network is back', async () => {
  const guide = await makeGuide(ada);
  const page = await openPage();
  await signIn(page);
  await inSync(page);
  const second = await openPage();
  wire.cut();
  await page.waitForFunction(() => window.syncState.connection === 'offline');
  for (const [tab, text] of [
    [page, 'From the first tab'],
    [second, 'From the second tab'],
  ] as const) {
    await tab.evaluate(addComment, { guideid: guide.guideid, text });
  }
  await page.waitForFunction(() => window.syncState.pending === 2);
  expect(await commentsOn(guide.guideid)).toEqual([]);
  wire.mend();
  await page.evaluate(() => window.core.sync.now());
  await inSync(page);
  expect((await commentsOn(guide.guideid)).toSorted()).toEqual(['From the first tab', 'From the second tab']);
  await expect.poll(() => callsIn(second)).toBe(0);
});

test('OUTBOX-9 after the database was deleted, pending work is restored from the journal, with its photo', async () => {
  const guide = await makeGuide(ada);
  const page = await openPage();
  await signIn(page);
  await inSync(page);
  wire.cut();
  const photo = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
  await page.evaluate(addComment, { guideid: guide.guideid, text: 'Pending' });
  await page.evaluate(
    async ({ bytes, upload }) => {
      await window.core.journal.putFile('photo-1', new Uint8Array(bytes), {
        type: 'image/png',
        name: 'belt.png',
      });
      await window.core.outbox.add([upload]);
    },
    { bytes: [...photo], upload: imageUpload('photo-1') },
  );
  await page.goto('about:blank');
  const blank = await context.newPage();
  await blank.goto(`${url}/empty.html`);
  const deleted = await blank.evaluate(async () => {
    const buckets = navigator.storageBuckets;
    const places = (await buckets?.keys()) ?? [];
    const names = places.filter((name) => !name.startsWith('benchbook-secret-'));
    for (const name of names) await buckets?.delete(name);
    return names.length;
  });
  expect(deleted).toBeGreaterThan(0);
  await blank.close();
  const again = await openPage();
  await expect.poll(() => callsIn(again)).toBe(2);
  wire.mend();
  await again.evaluate(() => window.core.sync.now());
  await inSync(again);
  expect(await commentsOn(guide.guideid)).toEqual(['Pending']);
  const { body } = await ada.call('GET', '/user/media/images');
  expect(body).toHaveLength(1);
  expect(await again.evaluate(() => window.titles())).toEqual(['Belt']);
});

test('OUTBOX-13 a tab follows sign-ins and sign-outs in another, and no call is sent under another account', async () => {
  const guide = await makeGuide(ada);
  await server.person('Ben');
  const first = await openPage();
  const second = await openPage();
  await signIn(first);
  await shows(second, 'Ada');
  await inSync(second);
  wire.cut();
  await second.evaluate(addComment, { guideid: guide.guideid, text: "Ada's words" });
  await first.evaluate(() => window.actions.signOut());
  await shows(second, null);
  wire.mend();
  await signIn(first, 'ben');
  await shows(second, 'Ben');
  await second.evaluate(addComment, { guideid: guide.guideid, text: "Ben's words" });
  await expect.poll(() => authors(guide.guideid)).toEqual(["Ben: Ben's words"]);
  await signIn(second);
  await shows(first, 'Ada');
  await expect
    .poll(async () => (await authors(guide.guideid)).toSorted())
    .toEqual(["Ada: Ada's words", "Ben: Ben's words"]);
});

test('OUTBOX-4 when the leading tab dies while sending, another one sends everything once', async () => {
  const guide = await makeGuide(ada);
  const leading = await openPage();
  await signIn(leading);
  await inSync(leading);
  const other = await openPage();
  await inSync(other);
  expect([await leading.evaluate(() => window.leads()), await other.evaluate(() => window.leads())]).toEqual([
    true,
    false,
  ]);
  wire.cut();
  await leading.waitForFunction(() => window.syncState.connection === 'offline');
  for (const [tab, text] of [
    [leading, 'First'],
    [other, 'Second'],
    [leading, 'Third'],
  ] as const)
    await tab.evaluate(addComment, { guideid: guide.guideid, text });
  await leading.waitForFunction(() => window.syncState.pending === 3);
  const performed = Promise.withResolvers<number>();
  await leading.route('**/sync/1/batch?*', async (route) => {
    const response = await route.fetch();
    performed.resolve(response.status());
  });
  wire.mend();
  await leading.evaluate(() => window.core.sync.now());
  expect(await performed.promise).toBe(200);
  await leading.close();
  await expect.poll(() => other.evaluate(() => window.leads())).toBe(true);
  await other.evaluate(() => window.core.sync.now());
  await inSync(other);
  expect((await commentsOn(guide.guideid)).toSorted()).toEqual(['First', 'Second', 'Third']);
});

test('one tab edits drafts, a second one says so, and takes over when the first is closed', async () => {
  const { guideid } = await makeGuide(ada);
  const first = await openPage();
  await signIn(first);
  await inSync(first);
  const second = await openPage();
  await inSync(second);
  const id = String(guideid);
  await first.evaluate(async (guide) => {
    await window.actions.openDraft(guide);
    await window.actions.editDraft(guide, { op: 'setText', field: 'title', value: 'Belt and motor' });
  }, id);
  const refusal = await second.evaluate(
    (guide) => window.actions.openDraft(guide).catch((error: Error) => error.message),
    id,
  );
  expect(refusal).toContain('another window');
  expect(await second.evaluate((guide) => window.present(window.views.draft(guide)), id)).toBeNull();
  await expect
    .poll(() =>
      second.evaluate(async (guide) => (await window.present(window.views.guide(guide)))?.editState, id),
    )
    .toBe('draft');
  await first.close();
  await expect.poll(() => second.evaluate(() => window.leads())).toBe(true);
  const title = await second.evaluate(async (guide) => {
    await window.actions.openDraft(guide);
    await window.actions.editDraft(guide, { op: 'setText', field: 'summary', value: 'Both at once' });
    await window.actions.saveDraft(guide);
    return (await window.present(window.views.guide(guide)))?.title;
  }, id);
  expect(title).toBe('Belt and motor');
  await inSync(second);
  const { body } = await ada.call('GET', `/guides/${guideid}`);
  expect(body).toMatchObject({ title: 'Belt and motor', summary: 'Both at once' });
});

async function authors(guideid: number): Promise<string[]> {
  const { body } = await ada.call('GET', `/comments/guide/${guideid}`);
  return (body as { text_raw: string; author: { username: string } }[]).map(
    ({ text_raw, author }) => `${author.username}: ${text_raw}`,
  );
}

async function addComment({ guideid, text }: { guideid: number; text: string }): Promise<void> {
  await window.core.outbox.add([
    {
      kind: 'comment-add',
      lane: `comment/${text}`,
      method: 'POST',
      path: `/comments/guide/${guideid}`,
      body: { text },
      target: { collection: 'comments', id: `tmp:${text}` },
      subject: 'Belt',
    },
  ]);
}
