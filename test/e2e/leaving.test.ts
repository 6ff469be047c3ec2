import { join } from 'node:path';

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { launchProfile } from '#test/support/browser.ts';
import { rareWord, rawSearch } from '#test/support/raw-search.ts';
import { servePages } from '#test/support/serve-pages.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const pages = join(import.meta.dirname, 'pages');

let resources: AsyncDisposableStack;
let url: string;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  url = await servePages(resources, pages, 'engine.html', 'older-database.html');
});

afterAll(() => resources.disposeAsync());

/** Text of a guide that only its author may see later. */
function secretWords() {
  return {
    title: rareWord(),
    summary: rareWord(),
    line: rareWord(),
    comment: rareWord(),
    picture: rareWord(),
  };
}

async function makeSecret(ben: TestPerson, words: ReturnType<typeof secretWords>): Promise<string> {
  const { guideid } = await ben.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: `Belt ${words.title}`,
      summary: words.summary,
      public: true,
      steps: [{ title: 'Open', lines: [{ text: words.line }] }],
    },
  });
  await ben.call('POST', `/comments/guide/${guideid}`, { text: words.comment });
  return String(guideid);
}

test('LEAVING-2 records that a person only read, and may no longer see, are in no file after the next start', async () => {
  const { words, guideid, ben, profile, device } = await startScene();
  await device.open();
  await device.signIn();
  expect(await rawSearch(profile, words)).not.toEqual([]);
  const picture = 'A0b1C2d3E4f5G6h7.standard';
  const bytes = rareWord();
  await device
    .page()
    .evaluate(async ([key, text]) => window.core.media.put(`picture:${key}`, new Blob([text])), [
      picture,
      bytes,
    ] as const);
  await device.restart();
  expect(await rawSearch(profile, { bytes })).not.toEqual([]);
  await device.open();
  await inSync(device.page());
  await hide(ben, guideid);
  await device.loses(guideid);
  await expect.poll(() => device.page().evaluate(() => window.core.media.list())).toEqual([]);
  await device.restart();
  expect(await rawSearch(profile, { ...words, bytes })).toEqual([]);
});

test('LEAVING-1 LEAVING-2 LEAVING-4 UNDO-3 a lost guide that a person edited, sent and drafted is in no file after the next start, except their own text', async () => {
  const { guideid, words, ben, profile, device } = await startScene();
  await device.open();
  await device.signIn();
  const own = await edited(device, guideid);
  // Only undo brings this word back.
  const undone = rareWord();
  await device.page().evaluate(
    async ([id, word]) => {
      for (const value of [word, ''])
        await window.actions.editDraft(id, { op: 'setText', field: 'summary', value });
    },
    [guideid, undone] as const,
  );
  await device.isWritten();
  // A stored draft is base64: the search finds its words in the database too.
  for (const word of [own, undone])
    expect((await rawSearch(profile, { word })).join()).toContain('WebStorage');
  await hide(ben, guideid);
  await device.loses(guideid);
  await expect
    .poll(() => device.page().evaluate(() => window.present(window.views.keptWords())))
    .not.toEqual([]);
  await device.page().evaluate(() => window.left());
  await device.restart();
  expect(await rawSearch(profile, { ...words, undone })).toEqual([]);
  // The journal has the person's text, and the database a copy.
  const places = (await rawSearch(profile, { own })).join();
  for (const folder of ['File System', 'WebStorage']) expect(places).toContain(folder);
});

test('LEAVING-2 the file search finds the data that an engine keeping old files leaves behind', async () => {
  const { guideid, words, ben, profile, device } = await startScene('?fault=old-files');
  await device.open();
  await device.signIn();
  await edited(device, guideid);
  await hide(ben, guideid);
  await device.loses(guideid);
  await device.restart();
  const found = (await rawSearch(profile, words)).join('\n');
  for (const name of ['title', 'summary', 'line', 'comment']) expect(found).toContain(`${name}: `);
  for (const folder of ['File System', 'WebStorage']) expect(found).toContain(folder);
});

test('LEAVING-7 a library removed at sign-out is in no file after the next start, even with a second tab open', async () => {
  const { guideid, words, profile, device } = await startScene();
  await device.open();
  await device.signIn();
  const own = await edited(device, guideid);
  const other = await device.another();
  await inSync(other);
  const token = await device.page().evaluate(async () => {
    const buckets = navigator.storageBuckets;
    const name = (await buckets?.keys())?.find((one) => one.startsWith('benchbook-secret-token')) ?? '';
    const opening = (await buckets?.open(name, { persisted: true, durability: 'strict' }))?.indexedDB.open(
      'secret',
    );
    if (opening === undefined) throw new Error('This browser has no storage buckets');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const reading = opening.result.transaction('secrets').objectStore('secrets').getAll();
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    opening.result.close();
    return String(reading.result[0]);
  });
  const kept = await device.page().evaluate(
    async ([id, bytes, filename, comment]) => {
      await window.actions.prepareDecision(9, { decision: 'reject', comment });
      // The start of a PNG, and bytes that cannot be guessed.
      const head = '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\0\u0010\0\0\0\u0010';
      const png = Uint8Array.from((head + bytes).split(''), (letter) => letter.charCodeAt(0));
      const step = (await window.present(window.views.draft(id)))?.content.steps[0]?.key ?? '';
      await window.actions.addDraftPicture(id, step, new Blob([png]) as File, `${filename}.png`);
      return { picture: bytes, filename, comment };
    },
    [guideid, rareWord(), rareWord(), rareWord()] as const,
  );
  const { picture: bytes, filename, comment: decision } = kept;
  const account = { ...words, own, token, bytes, filename, decision };
  await device.isWritten();
  const found = (await rawSearch(profile, account)).join();
  for (const name of ['bytes', 'filename', 'decision', 'token']) expect(found).toContain(`${name}: `);
  await device.page().evaluate(async () => window.actions.signOut('remove-with-work'));
  await other.waitForFunction(() => window.core.session.current().status === 'signed-out');
  await device.close();
  await device.open();
  await expect.poll(() => device.page().evaluate(() => window.core.homes.erased())).toEqual([]);
  expect(await device.page().evaluate(() => window.core.session.current().elsewhere)).toEqual([]);
  await device.close();
  expect(await rawSearch(profile, account)).toEqual([]);
});

test.each(['common', 'bucket'] as const)(
  'LEAVING-2 the database of an older version in the %s storage is in no file after the next start, and all work exists',
  async (place) => {
    const { ben, guideid, profile, device } = await startScene();
    await device.open();
    await device.signIn();
    const own = await edited(device, guideid);
    const comment = rareWord();
    await device.cut();
    const home = await device.page().evaluate(
      async ([id, text]) => {
        await window.actions.comment('guide', id, text);
        return window.core.work.home();
      },
      [guideid, comment] as const,
    );
    const word = rareWord();
    await device.becomesOlder({ home: must(home, 'the home'), place, word, megabytes: 12 });
    expect(await rawSearch(profile, { word })).not.toEqual([]);

    await device.open();
    await inSync(device.page());
    const draft = (id: string): Promise<string | undefined> =>
      window.present(window.views.draft(id)).then((one) => one?.content.introduction_raw);
    await expect.poll(() => device.page().evaluate(draft, guideid)).toBe(own);
    const thread: unknown = (await ben.call('GET', `/comments/guide/${guideid}`)).body;
    expect(JSON.stringify(thread)).toContain(comment);
    await device.isScrubbed();
    expect(await rawSearch(profile, { word })).toEqual([]);
  },
);

/** Saves one edit, which the server accepts, and starts another. Returns a word of the latter. */
async function edited(device: ReturnType<typeof deviceOn>, guideid: string): Promise<string> {
  const own = rareWord();
  await device.page().evaluate(async (id) => {
    await window.actions.openDraft(id);
    await window.actions.editDraft(id, { op: 'setText', field: 'conclusion_raw', value: 'Oil it' });
    await window.actions.saveDraft(id);
  }, guideid);
  await inSync(device.page());
  await device.page().evaluate(
    async ([id, word]) => {
      await window.actions.openDraft(id);
      await window.actions.editDraft(id, { op: 'setText', field: 'introduction_raw', value: word });
    },
    [guideid, own] as const,
  );
  return own;
}

async function startScene(query = '') {
  const server = resources.use(await startServer({ site: { cors_origins: [new URL(url).origin] } }));
  await server.category('Bench Grinder');
  await server.person('Ada');
  const ben = await server.person('Ben');
  const words = secretWords();
  const guideid = await makeSecret(ben, words);
  const profile = resources.use(await temporaryFolder('leaving')).path;
  return { server, ben, words, guideid, profile, device: deviceOn(profile, server, query) };
}

/** A browser on a profile folder, with Ada's engine in a page. */
function deviceOn(profile: string, server: TestServer, query: string) {
  let context: BrowserContext | null = null;
  let page: Page | null = null;
  const present = (): Page => must(page, 'the page');
  const open = async (): Promise<void> => {
    context = await launchProfile(profile);
    page = await context.newPage();
    await page.goto(`${url}/engine.html${query}`);
    await page.waitForFunction(() => window.core !== undefined);
  };
  const close = async (): Promise<void> => {
    await context?.close();
    context = null;
  };
  resources.defer(close);
  return {
    open,
    close,
    page: present,
    /** The same app in a second tab. */
    async another(): Promise<Page> {
      const second = await must(context, 'the browser').newPage();
      await second.goto(`${url}/engine.html${query}`);
      await second.waitForFunction(() => window.core !== undefined);
      return second;
    },
    async signIn() {
      await present().evaluate(
        (address) => window.actions.signIn(address, 'ada@example.com', 'a long password'),
        server.url,
      );
      await inSync(present());
    },
    /** Waits until the guide is out of the stored mirror. */
    async loses(guideid: string) {
      const removed = (): Promise<string[]> =>
        present().evaluate(
          async (id) => (await window.core.leaving.whereabouts('guides', [id])).removed,
          guideid,
        );
      await expect.poll(removed).toEqual([guideid]);
    },
    /** Resolves when the databases' writes are in their files: a browser writes them a moment later. */
    async isWritten() {
      const marker = rareWord();
      await present().evaluate(async (text) => {
        await window.core.outbox.add([
          {
            kind: 'comment-add',
            lane: 'marker',
            method: 'POST',
            path: '/comments/wiki/1',
            body: { text },
            target: { collection: 'comments', id: 'tmp:marker' },
            subject: '',
            state: 'conflict',
          },
        ]);
      }, marker);
      await expect.poll(async () => (await rawSearch(profile, { marker })).join()).toContain('WebStorage');
    },
    /** Cuts the network until the browser is started again. */
    async cut() {
      await must(context, 'the browser').setOffline(true);
      await present().waitForFunction(() => window.syncState.connection === 'offline');
    },
    /** Ends the browser with a profile of an app with another database version. */
    async becomesOlder(plant: Parameters<Window['plantOlder']>[0]) {
      await present().evaluate(async ({ home, place }) => {
        const { journal } = window.core;
        const id = `place/${home}`;
        if (place === 'common') await journal.forget('meta', [id]);
        else
          await journal.append([{ op: 'put', collection: 'meta', id, value: { generation: 1, version: 2 } }]);
      }, plant);
      await close();
      context = await launchProfile(profile);
      const older = await context.newPage();
      await older.goto(`${url}/older-database.html`);
      await older.waitForFunction(() => 'plantOlder' in window);
      await older.evaluate((one) => window.plantOlder(one), plant);
      await close();
    },
    /** Ends the browser when the common storage was rewritten. */
    async isScrubbed() {
      const marks = (): Promise<string[]> =>
        present().evaluate(async () => {
          const { meta } = await window.core.journal.entries();
          return [...meta.keys()].filter((id) => id.startsWith('scrub/'));
        });
      await expect.poll(marks, { timeout: 300_000 }).toEqual([]);
      await close();
    },
    /** Restarts the browser, waits until it is in sync, and ends it, so that everything is in its files. */
    async restart() {
      await this.isWritten();
      await close();
      await open();
      await inSync(present());
      await close();
    },
  };
}

/** The author makes the guide private. */
async function hide(ben: TestPerson, guideid: string): Promise<void> {
  const before: Guide = (await ben.call('GET', `/guides/${guideid}`)).body;
  const hidden = await ben.call('DELETE', `/guides/${guideid}/public?revisionid=${before.revisionid}`);
  expect(hidden.status).toBeLessThan(300);
}

function inSync(page: Page): Promise<unknown> {
  return page.waitForFunction(() => {
    const { phase, connection, pending, lastSyncedAt } = window.syncState;
    return phase === 'idle' && connection === 'online' && pending === 0 && lastSyncedAt !== null;
  });
}
