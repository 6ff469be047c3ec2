import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { GlossaryEntry } from '#shared/api/translation-glossary.ts';
import { changeSite } from '#server/core/site.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

/** A provider that returns texts in capitals, or fails. */
interface Provider {
  url: string;
  asked: { q: string[]; source: string; target: string; format: string; api_key?: string }[];
  fails: 'not' | 'status' | 'nonsense' | 'too few';
  http: HttpServer;
}

async function startProvider(): Promise<Provider> {
  const provider: Omit<Provider, 'url' | 'http'> = { asked: [], fails: 'not' };
  const http = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as Provider['asked'][number];
      result.asked.push(body);
      const answers = body.q.map((one) => one.toUpperCase());
      response.statusCode = result.fails === 'status' || request.url !== '/base/translate' ? 500 : 200;
      if (result.fails === 'nonsense') response.end('<html>');
      else response.end(JSON.stringify({ translatedText: result.fails === 'too few' ? [] : answers }));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const result: Provider = { ...provider, url: `http://127.0.0.1:${port}/base/`, http };
  return result;
}

let server: TestServer;
let provider: Provider;
let otto: TestPerson;
let ana: TestPerson;
let now = Date.UTC(2026, 5, 1);

beforeAll(async () => {
  provider = await startProvider();
  server = await startServer({
    now: () => now,
    site: {
      languages: ['en', 'de', 'fr'],
      translation: { url: provider.url, key: 'secret' },
      private_networks: ['127.0.0.0/8'],
    },
  });
  ana = await server.person('Ana');
  otto = await server.person('Otto', ['User', 'Author', 'Moderator']);
  await server.category('Machines', undefined, 'Text');
  await server.category('Drive belt', 'Machines', 'Text');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  provider.http.close();
});
beforeEach(() => {
  provider.asked.length = 0;
  provider.fails = 'not';
});

async function titlesIn(langid: string): Promise<Record<string, string>> {
  const response = await fetch(
    `${server.url}/api/2.0/wikis/CATEGORY?display=hierarchy&machineTranslateLangid=${langid}`,
  );
  expect(response.status).toBe(200);
  return ((await response.json()) as { display_titles: Record<string, string> }).display_titles;
}

async function put(entries: object[], by = otto): Promise<{ status: number; body: GlossaryEntry[] }> {
  return by.call('PUT', '/translation_glossary/entries', { entries });
}

// The tests depend on each other: translations stay cached.
describe('one site', { shuffle: false }, () => {
  describe('display titles in another language', () => {
    test('come from the provider once, then from the cache', async () => {
      expect(await titlesIn('fr')).toEqual({ Machines: 'MACHINES', 'Drive belt': 'DRIVE BELT' });
      expect(provider.asked).toEqual([
        { q: ['Machines', 'Drive belt'], source: 'en', target: 'fr', format: 'text', api_key: 'secret' },
      ]);
      expect(await titlesIn('fr')).toEqual({ Machines: 'MACHINES', 'Drive belt': 'DRIVE BELT' });
      expect(provider.asked).toHaveLength(1);
    });

    test('are those written by people, if any', async () => {
      const wiki = await ana.client.wikis.read({ params: { namespace: 'CATEGORY', title: 'Machines' } });
      await ana.call('POST', '/wikis?langid=de', {
        namespace: 'CATEGORY',
        title: 'Machines',
        display_title: 'Maschinen',
        contents: 'Text',
        source_revisionid: wiki.revisionid,
      });
      expect(await titlesIn('de')).toEqual({ Machines: 'Maschinen', 'Drive belt': 'DRIVE BELT' });
    });

    test('contain the terms of the glossary, even if the provider translates them differently', async () => {
      await put([
        { term: 'belt', translations: [{ langid: 'fr', text: 'courroie' }] },
        { term: 'Machines', translations: [{ langid: 'fr', text: 'Machinerie' }] },
      ]);
      expect(await titlesIn('fr')).toEqual({ Machines: 'Machinerie', 'Drive belt': 'DRIVE courroie' });
      expect(JSON.stringify(provider.asked)).not.toMatch(/belt|Machines/i);
      expect(
        (
          await put([
            { entryid: 1, delete: true },
            { entryid: 2, delete: true },
          ])
        ).body,
      ).toEqual([]);
      expect(await titlesIn('fr')).toEqual({ Machines: 'MACHINES', 'Drive belt': 'DRIVE BELT' });
    });

    test.each(['status', 'nonsense', 'too few'] as const)(
      'are those of the source while the provider fails (%s), which is then not called for a minute',
      async (fails) => {
        provider.fails = fails;
        const langid = { status: 'es', nonsense: 'it', 'too few': 'nl' }[fails];
        expect(await titlesIn(langid)).toEqual({ Machines: 'Machines', 'Drive belt': 'Drive belt' });
        provider.fails = 'not';
        expect(await titlesIn(langid)).toEqual({ Machines: 'Machines', 'Drive belt': 'Drive belt' });
        expect(provider.asked).toHaveLength(1);
        now += 61_000;
        expect(await titlesIn(langid)).toEqual({ Machines: 'MACHINES', 'Drive belt': 'DRIVE BELT' });
      },
    );

    test('SITE-15 come from another provider immediately when the first one failed', async () => {
      const mira = await server.person('Mira', ['User', 'Admin']);
      const wrong = { url: provider.url.replace('/base/', '/elsewhere') };
      expect((await mira.call('PATCH', '/site', { translation: wrong })).status).toBe(200);
      expect(await titlesIn('sv')).toEqual({ Machines: 'Machines', 'Drive belt': 'Drive belt' });
      for (const [langid, url] of [
        ['sv', `${provider.url}translate`],
        ['da', `${provider.url}translate/`],
        ['fi', provider.url],
      ] as const) {
        expect((await mira.call('PATCH', '/site', { translation: { url } })).status).toBe(200);
        expect(await titlesIn(langid), url).toEqual({ Machines: 'MACHINES', 'Drive belt': 'DRIVE BELT' });
      }
    });

    test('are those of the source without a provider or language, and for a disallowed address', async () => {
      expect(await titlesIn('zz-nothing-such')).toMatchObject({ Machines: 'Machines' });
      expect(await titlesIn('')).toMatchObject({ Machines: 'Machines' });
      await changeSite(server.services, { private_networks: [] });
      expect(await titlesIn('pt')).toMatchObject({ Machines: 'Machines' });
      await changeSite(server.services, { translation: null, private_networks: ['127.0.0.0/8'] });
      now += 61_000;
      expect(await titlesIn('pl')).toMatchObject({ Machines: 'Machines' });
      expect(provider.asked).toEqual([]);
    });
  });

  describe('the translation glossary', () => {
    test('is extended, changed and cut by one request, and read by all signed-in users', async () => {
      const belt = { term: 'belt', notes: 'Of a drive', translations: [{ langid: 'de', text: 'Riemen' }] };
      const added = await put([belt, { term: 'guard', translations: [{ langid: 'fr', text: 'carter' }] }]);
      expect(added).toMatchObject({
        status: 200,
        body: [
          { ...belt, source_langid: 'en' },
          { term: 'guard', notes: '' },
        ],
      });
      const [first, second] = added.body;
      const changed = await put([
        { entryid: first?.entryid, translations: [{ langid: 'fr', text: 'courroie' }] },
        { entryid: second?.entryid, delete: true },
        { term: 'wheel' },
      ]);
      expect(changed.body).toEqual([
        { ...first, translations: [{ langid: 'fr', text: 'courroie' }] },
        { entryid: expect.any(Number), source_langid: 'en', term: 'wheel', notes: '', translations: [] },
      ]);
      expect((await ana.call('GET', '/translation_glossary/entries')).body).toEqual(changed.body);
      const path = `/translation_glossary/entries/${first?.entryid}`;
      expect((await ana.call('DELETE', path)).status).toBe(403);
      expect((await otto.call('DELETE', path)).status).toBe(204);
      expect((await otto.call('DELETE', path)).status).toBe(404);
      expect((await ana.call('GET', '/translation_glossary/entries')).body).toHaveLength(1);
    });

    test('names each invalid entry and then changes nothing', async () => {
      const before = (await otto.call('GET', '/translation_glossary/entries')).body;
      const translated = (langid: string): object => ({ translations: [{ langid, text: 'x' }] });
      const answer = await put([
        { term: 'spindle' },
        { term: 'spindle' },
        { entryid: 98_765, term: 'x' },
        { delete: true },
        { notes: 'No term' },
        { term: 'a', ...translated('es') },
        { term: 'b', ...translated('en') },
      ]);
      expect(answer.status).toBe(422);
      const errors = [1, 2, 3, 4, 5, 6].map((index) => expect.objectContaining({ index }) as unknown);
      expect(answer.body).toMatchObject({ errors });
      expect((await otto.call('GET', '/translation_glossary/entries')).body).toEqual(before);
      expect((await put([])).status).toBe(422);
      expect((await put([{ term: 'x', surprising: 1 }])).status).toBe(422);
      expect((await put([{ term: 'x' }], ana)).status).toBe(403);
      expect((await fetch(`${server.url}/api/2.0/translation_glossary/entries`)).status).toBe(401);
    });

    test('takes effect once per key', async () => {
      const headers = { 'Idempotency-Key': '0198c0de-0000-7000-8000-00000000000a' };
      const body = { entries: [{ term: 'once' }] };
      const first = await otto.call('PUT', '/translation_glossary/entries', body, headers);
      const again = await otto.call('PUT', '/translation_glossary/entries', body, headers);
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.body).toEqual(first.body);
    });

    test('does not exist on a site with one language', async () => {
      await changeSite(server.services, { languages: ['en'] });
      expect((await otto.call('GET', '/translation_glossary/entries')).status).toBe(404);
      expect((await put([{ term: 'x' }])).status).toBe(404);
      expect((await otto.call('DELETE', '/translation_glossary/entries/1')).status).toBe(404);
      await changeSite(server.services, { languages: ['en', 'de', 'fr'] });
      expect((await otto.call('GET', '/translation_glossary/entries')).status).toBe(200);
    });
  });
});
