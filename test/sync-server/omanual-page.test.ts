import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { changeSite } from '#server/core/site.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { bmpFile } from '#test/support/media-files.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { benchGrinderWorld } from '#test/support/world.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: TestServer;
let world: Awaited<ReturnType<typeof benchGrinderWorld>>;
let marked: Guide;

beforeAll(async () => {
  folder = await temporaryFolder('pages');
  server = await startServer({ dataDir: folder.path });
  world = await benchGrinderWorld(server);
  marked = await markedGuide();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** A public guide with a picture that has a marker. */
async function markedGuide(): Promise<Guide> {
  const picture = bmpFile(80, 60, () => [90, 90, 90]);
  const sent = await fetch(`${server.url}/api/2.0/user/media/images?file=grey.bmp`, {
    method: 'POST',
    headers: { Authorization: `api ${world.ana.token}` },
    body: new Uint8Array(picture),
  });
  const { image } = (await sent.json()) as { image: { id: number } };
  const made = await world.ana.call('POST', '/guides', {
    category: 'Bench Grinder',
    type: 'repair',
    title: 'Marked <belt>',
    public: true,
    steps: [
      {
        title: 'Open',
        lines: [{ text: 'Undo the screw' }],
        media: { type: 'image', data: [{ imageid: image.id, markup: ';circle,40x30,10,red;' }] },
      },
    ],
  });
  expect(made.status).toBe(201);
  return made.body as Guide;
}

async function page(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/api/2.0${path}`, { headers });
  const header = (name: string): string => response.headers.get(name) ?? '';
  return { status: response.status, header, text: await response.text() };
}

const asAna = () => ({ Authorization: `api ${world.ana.token}` });

/** Addresses that a browser would load by itself. */
function loaded(html: string): string[] {
  const sources = [...html.matchAll(/\s(?:src|srcset|data|poster)="([^"]*)"/g)].map(
    ([, value = '']) => value,
  );
  const styles = [...html.matchAll(/url\(([^)]*)\)|@import/g)].map(([all]) => all);
  return [...sources.filter((one) => !one.startsWith('data:image/')), ...styles];
}

test('OMANUAL-PAGE-1 A guide exists as one page with its title, revision, code and embedded pictures', async () => {
  const { guideid, revisionid } = marked;
  const { status, header, text } = await page(`/guides/${guideid}?type=HTML`);
  expect([status, header('content-type')]).toStrictEqual([200, 'text/html; charset=utf-8']);
  expect(text).toMatch(/^<!doctype html>/);
  expect(text).toMatch(/<\/html>$/);
  expect(text).toContain('<h1>Marked &lt;belt&gt;</h1>');
  expect(text).toMatch(new RegExp(`<dd>${revisionid}</dd>`));
  expect(text).toContain(`${server.url}/Guide/`);
  expect(text).not.toMatch(/<div class="code"><svg/);
  const [, picture = ''] = /src="data:image\/png;base64,([^"]+)"/.exec(text) ?? [];
  expect(Buffer.from(picture, 'base64').subarray(1, 4).toString()).toBe('PNG');
  expect(text).toMatch(/<figure class="picture"><img [^>]*><svg[^>]*>.*?<circle/s);
  expect(loaded(text)).toStrictEqual([]);
  expect(text).not.toMatch(/<(?:script|iframe|link|object|embed)\b/);
});

test('OMANUAL-PAGE-1 A page requested on this machine shows the configured address of the site', async () => {
  await changeSite(server.services, { address: 'https://guides.example.org' });
  const { text } = await page(`/guides/${marked.guideid}?type=HTML`);
  await changeSite(server.services, { address: null });
  expect(text).toMatch(/<div class="code"><svg/);
  expect(text).toContain('>https://guides.example.org/Guide/');
  expect(text).not.toContain(server.url);
});

test('OMANUAL-PAGE-1 A category exists as one page with its guides; wikis of other namespaces do not', async () => {
  const { status, text } = await page('/wikis/CATEGORY/Bench%20Grinder?type=HTML');
  expect(status).toBe(200);
  for (const { guideid, title } of [world.belt, marked]) {
    expect(text).toContain(`href="#guide-${guideid}"`);
    expect(text).toContain(title.replace('<', '&lt;').replace('>', '&gt;'));
  }
  expect(text).toContain('src="data:image/png;base64,');
  expect(loaded(text)).toStrictEqual([]);
  await world.mira.call('POST', '/wikis', { namespace: 'WIKI', title: 'Bolts', contents: 'Metric' });
  expect((await page('/wikis/WIKI/Bolts?type=HTML')).status).toBe(422);
});

test('OMANUAL-PAGE-2 A private guide is on no page of others', async () => {
  const path = `/guides/${world.lockout.guideid}?type=HTML`;
  const refused = await page(path);
  expect([refused.status, refused.header('content-type')]).toStrictEqual([
    404,
    'application/json; charset=utf-8',
  ]);
  expect((await page(path, { Authorization: `api ${world.ben.token}` })).status).toBe(404);
  expect((await page(path, asAna())).text).toContain('<h1>Secret lockout</h1>');
  for (const shown of [
    `/guides/${world.belt.guideid}?type=HTML`,
    '/wikis/CATEGORY/Bench%20Grinder?type=HTML',
  ]) {
    expect((await page(shown)).text).not.toContain('Secret lockout');
    expect((await page(shown, asAna())).text).toContain('Secret lockout');
  }
});

test('OMANUAL-PAGE-3 The response is displayed with a file name, under a policy that allows only its own style and pictures', async () => {
  const { header, text } = await page(`/guides/${marked.guideid}?type=HTML`);
  expect(header('content-disposition')).toBe("inline; filename*=UTF-8''Marked-belt.html");
  expect(header('x-content-type-options')).toBe('nosniff');
  const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
  expect(text).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  const rules = header('content-security-policy').split('; ');
  expect(rules).toEqual(
    expect.arrayContaining(["default-src 'none'", 'img-src data:', "style-src 'unsafe-inline'"]),
  );
  expect(rules.some((rule) => /script/.test(rule))).toBe(false);
});

test('OMANUAL-PAGE-4 The server stores nothing of a page, also for range and conditional requests', async () => {
  const path = `/guides/${marked.guideid}?type=HTML`;
  const { header, text } = await page(path);
  expect((await page(path, { 'If-None-Match': header('etag') })).status).toBe(304);
  const part = await page(path, { Range: 'bytes=0-8' });
  expect([part.status, part.text]).toStrictEqual([200, text]);
  await soon(() => readdir(join(folder.path, 'archives', 'writing'))).toStrictEqual([]);
});

test('PRINT-11 a page is in the language of the browser', async () => {
  const { text } = await page(`/guides/${marked.guideid}?type=HTML`, { 'Accept-Language': 'de-CH,en;q=0.5' });
  expect(text).toContain('Schritt 1 von 1');
});
