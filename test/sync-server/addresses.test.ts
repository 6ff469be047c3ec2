import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { screenList } from '#shared/rules/screens.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const resources = new AsyncDisposableStack();
let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  const { path: appDir } = resources.use(await temporaryFolder('addresses'));
  await writeFile(join(appDir, 'index.html'), '<!doctype html><title>App</title>');
  server = resources.use(await startServer({ appDir }));
  await server.category('Bench Grinder');
  ana = await server.person('Ana', ['User', 'Author', 'Moderator', 'Admin']);
});
afterAll(() => resources.disposeAsync());

/** Creates or reads a record and returns the body. */
async function record<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await ana.call(method, path, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body as T;
}

/** Follows an address; returns the final path, the status and the page. */
async function visit(address: string): Promise<{ path: string; status: number; html: string }> {
  const answer = await fetch(new URL(address, server.url));
  const url = new URL(answer.url);
  return { path: url.pathname + url.search, status: answer.status, html: await answer.text() };
}

async function landing(address: string): Promise<string> {
  const { path, status, html } = await visit(address);
  expect([address, status, html]).toEqual([address, 200, '<!doctype html><title>App</title>']);
  return path;
}

test('ADDRESS-1 the address of every record opens its screen in the app', async () => {
  const guide = await record<{ guideid: number; url: string }>('POST', '/guides', {
    category: 'Bench Grinder',
    type: 'replacement',
    title: 'Belt / chain',
  });
  expect(await landing(guide.url)).toBe(`/guides/${guide.guideid}`);
  const teardown = await record<{ guideid: number; url: string }>('POST', '/guides', {
    category: 'Bench Grinder',
    type: 'teardown',
    title: 'What is inside',
  });
  expect(await landing(teardown.url)).toBe(`/guides/${teardown.guideid}`);
  const team = await record<{ teamid: number; url: string }>('POST', '/teams', { name: 'Line B' });
  expect(await landing(team.url)).toBe(`/teams/${team.teamid}`);
  const [person] = await record<{ userid: number; url: string }[]>('GET', '/users');
  expect(await landing(person?.url ?? '')).toBe(`/people/${ana.userid}`);

  for (const [namespace, title, where] of [
    ['ITEM', 'Drive belt', '/pages/named/ITEM/Drive_belt'],
    ['INFO', 'Licensing & more', '/pages/named/INFO/Licensing+&+more'],
    ['WIKI', 'C++ tool/jig', '/pages/named/WIKI/C+++tool%2Fjig'],
    ['CATEGORY', 'Hand Tools', '/library/Hand%20Tools'],
  ]) {
    const page = await record<{ url: string }>('POST', '/wikis', { namespace, title, contents: 'x' });
    expect(await landing(page.url)).toBe(where);
  }
});

test('ADDRESS-2 addresses that clients request without a link also open the screen', async () => {
  expect(await landing('/Guide')).toBe('/');
  expect(await landing('/Guide/')).toBe('/');
  expect(await landing('/Guide/Belt/61?lang=de')).toBe('/guides/61');
  expect(await landing('/Device/Bench_Grinder')).toBe('/pages/named/CATEGORY/Bench_Grinder');
  expect(await landing('/c/Bench+Grinder')).toBe('/library/Bench%20Grinder');
  expect(await landing('/User/7')).toBe('/people/7');
  expect(await landing('/Team')).toBe('/people');
  expect(await landing('/Item')).toBe('/pages?kind=ITEM');
});

test('ADDRESS-3 a hidden record and a missing one lead to the same screen and nowhere else', async () => {
  const hidden = await record<{ guideid: number; url: string }>('POST', '/guides', {
    category: 'Bench Grinder',
    type: 'repair',
    title: 'Secret',
    public: false,
  });
  const follow = async (address: string) => {
    const answer = await fetch(new URL(address, server.url), { redirect: 'manual' });
    return [answer.status, answer.headers.get('location')];
  };
  expect(await follow(hidden.url)).toEqual([302, `/guides/${hidden.guideid}`]);
  expect(await follow('/Guide/Secret/987654')).toEqual([302, '/guides/987654']);
  expect(await follow('/Guide///evil.example/x')).toEqual([302, '/']);
  expect(await follow('/User/%2F%2Fevil.example')).toEqual([302, '/people/0']);
  for (const address of ['/Item//evil.example', '/Wiki/%2F%2Fevil.example', '/c/..%2F..%2Fevil'])
    expect(String((await follow(address))[1])).toMatch(/^\/(pages|library)/);
});

test('ADDRESS-4 stories and posts are readable at their addresses by everyone who may read them', async () => {
  const story = await record<{ view_url: string }>('POST', '/stories', {
    title: 'My <grinder>',
    intro: 'It stood still.',
    body: "It runs '''again'''.",
    conclusion: 'Oil it.',
  });
  const post = await record<{ url: string }>('POST', '/posts', { title: 'News', text: 'We moved.' });
  const read = await visit(story.view_url);
  expect(read.status).toBe(200);
  expect(read.html).toContain('<h1>My &lt;grinder&gt;</h1>');
  expect(read.html).toContain('<p>It stood still.</p><p>It runs <strong>again</strong>.</p><p>Oil it.</p>');
  expect(read.html).toContain('>Ana</a>');
  expect((await visit(post.url)).html).toContain('We moved.');

  const gone = await visit('/Story/987');
  expect(gone.status).toBe(404);
  expect(gone.html).toContain('Page not found');
  expect((await visit('/News/no-number')).html).toBe(gone.html);
  await record('PATCH', '/site', { private: true });
  expect(await visit(story.view_url)).toMatchObject({ status: 404, html: gone.html });
  await record('PATCH', '/site', { private: false });
});

test('ADDRESS-5 every flag has a picture', async () => {
  const { guide } = await record<{ guide: Record<string, { image: string }> }>('GET', '/user/flags');
  const pictures = Object.values(guide).map(({ image }) => image);
  expect(pictures.length).toBeGreaterThan(3);
  for (const image of [...pictures, `${server.url}/static/images/flags/svg/FLAG.svg`]) {
    const answer = await fetch(image);
    expect([image, answer.status, answer.headers.get('content-type')]).toEqual([image, 200, 'image/svg+xml']);
    expect(await answer.text()).toMatch(/^<svg .*<(path|circle) .*<\/svg>$/s);
  }
  expect((await fetch(`${server.url}/static/images/flags/svg/NONE.svg`)).status).toBe(404);
});

test('ADDRESS-6 every address of the app works when it is opened from an e-mail or reloaded', async () => {
  const patterns = screenList.map(([, { path }]) => path);
  expect(patterns).toEqual(expect.arrayContaining(['/approvals', '/guides/:guideid', '/reset-password']));
  for (const pattern of patterns) {
    const address = pattern.replaceAll(/:\w+\??/g, '7');
    expect(await landing(`${address}?from=mail`)).toBe(`${address}?from=mail`);
    if (pattern.endsWith('?')) await landing(pattern.replace(/\/:\w+\?$/, ''));
  }
  expect((await visit('/no-screen')).status).toBe(404);
});
