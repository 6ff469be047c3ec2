import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { launchProfile } from '#test/support/browser.ts';
import { rareWord, rawSearch } from '#test/support/raw-search.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { servePages } from './pages/serve-pages.ts';

let resources: AsyncDisposableStack;
let url: string;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  url = await servePages(resources, 'engine.html');
});

afterAll(() => resources.disposeAsync());

/** Words of a guide that nobody but its author may see later. */
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

test(
  'LV2 what a person may no longer see is in no file after the next start',
  { timeout: 180_000 },
  async () => {
    const { guideid, words, ben, profile, device } = await startScene();
    await device.open();
    await device.signIn();
    expect(await rawSearch(profile, words)).not.toEqual([]);
    await hide(ben, guideid);
    await device.seesNothing();
    await device.restart();
    expect(await rawSearch(profile, words)).toEqual([]);
  },
);

async function startScene() {
  const server = resources.use(await startServer());
  await server.category('Bench Grinder');
  await server.person('Ada');
  const ben = await server.person('Ben');
  const words = secretWords();
  const guideid = await makeSecret(ben, words);
  const profile = resources.use(await temporaryFolder('leaving')).path;
  return { server, ben, words, guideid, profile, device: deviceOn(profile, server) };
}

/** A browser on a profile folder, with the engine of Ada in a page. */
function deviceOn(profile: string, server: TestServer) {
  let context: BrowserContext | null = null;
  let page: Page | null = null;
  const present = (): Page => must(page, 'the page');
  const open = async (): Promise<void> => {
    context = await launchProfile(profile);
    page = await context.newPage();
    await page.goto(`${url}/engine.html`);
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
    async signIn() {
      await present().evaluate(
        (address) => window.actions.signIn(address, 'ada@example.com', 'a long password'),
        server.url,
      );
      await inSync(present());
    },
    seesNothing: () => present().waitForFunction(async () => (await window.titles()).length === 0),
    /** Ends the browser and starts it again, until it is in sync; then ends it, so that everything is in its files. */
    async restart() {
      await close();
      await open();
      await inSync(present());
      await close();
    },
  };
}

/** The author keeps the guide to himself. */
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
