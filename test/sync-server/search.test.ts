import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let belt: Guide;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
  belt = await makeGuide('Riemen für die Schleifmaschine');
});
afterAll(() => server[Symbol.asyncDispose]());

function makeGuide(title: string, isPublic = true): Promise<Guide> {
  return ana.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title, public: isPublic },
  });
}

interface Found {
  totalResults: number;
  moreResults: boolean;
  results: { dataType: string; guideid?: number; title: string }[];
}

async function found(person: TestPerson, path: string): Promise<Found> {
  const answer = await person.call('GET', path);
  expect(answer.status).toBe(200);
  return answer.body;
}

function search(person: TestPerson, words: string, query = ''): Promise<Found> {
  return found(person, `/search/${encodeURIComponent(words)}${query}`);
}

test('every word must match, the last may be a prefix, accents and case are ignored', async () => {
  for (const words of ['riemen', 'RIEMEN SCHLEIF', 'fur riem', 'Bench']) {
    const { results } = await search(ana, words, '?filter=guide');
    expect(
      results.map((one) => one.guideid),
      words,
    ).toContain(belt.guideid);
  }
  expect(await search(ana, 'riemen kettensäge')).toMatchObject({ totalResults: 0, results: [] });
});

test('operators of query languages are plain words', async () => {
  for (const words of ['"', '*', 'riemen OR', 'title:riemen', 'NEAR(riemen)', "'); DROP TABLE guides", '!!!'])
    expect((await ana.call('GET', `/search/${encodeURIComponent(words)}`)).status).toBe(200);
});

test('a guide is found by its current words and not by removed ones', async () => {
  const guide = await makeGuide('Zahnkranz');
  expect((await search(ana, 'Zahnkranz')).totalResults).toBe(1);
  const path = `/guides/${guide.guideid}?revisionid=${guide.revisionid}`;
  expect((await ana.call('PATCH', path, { title: 'Kettenblatt' })).status).toBe(200);
  expect((await search(ana, 'Zahnkranz')).totalResults).toBe(0);
  expect((await search(ana, 'Kettenblatt')).results).toMatchObject([{ guideid: guide.guideid }]);
});

test('private and deleted guides are neither found nor counted nor suggested for people who may not see them', async () => {
  const guide = await makeGuide('Geheimfach', false);
  for (const path of ['/search/Geheimfach', '/suggest/Geheim']) {
    expect((await found(ana, path)).results).toMatchObject([{ guideid: guide.guideid }]);
    expect((await found(ben, path)).results).toEqual([]);
  }
  expect(await search(ben, 'Geheimfach')).toMatchObject({ totalResults: 0, moreResults: false });
  await ana.call('DELETE', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`);
  expect((await search(ana, 'Geheimfach')).totalResults).toBe(0);
});

test('filters name kinds, an unknown one is 422, and a category is found as a wiki', async () => {
  expect((await search(ana, 'Bench', '?filter=category')).results).toMatchObject([
    { dataType: 'wiki', title: 'Bench Grinder', namespace: 'CATEGORY' },
  ]);
  expect((await search(ana, 'Bench', '?filter=teardown,question')).totalResults).toBe(0);
  const refused = await ana.call('GET', '/search/Bench?filter=everything');
  expect([refused.status, (refused.body as { errors: { field: string }[] }).errors[0]?.field]).toEqual([
    422,
    'filter.0',
  ]);
});

test('pages say whether more follow', async () => {
  for (let one = 0; one < 3; one += 1) await makeGuide(`Spannrolle ${one}`);
  expect(await search(ana, 'Spannrolle', '?limit=2')).toMatchObject({
    totalResults: 3,
    moreResults: true,
    results: [{}, {}],
  });
  expect(await search(ana, 'Spannrolle', '?limit=2&offset=2')).toMatchObject({
    moreResults: false,
    results: [{}],
  });
});

test('SEARCH-1 records with all words in title and description come first, and pages contain each match once', async () => {
  const make = (title: string, summary: string, introduction: string): Promise<Guide> =>
    ana.client.guides.create({
      body: { category: 'Bench Grinder', type: 'repair', title, summary, introduction, public: true },
    });
  const only = ['flansch', 'dichtung'];
  const inText = await make('Erste', 'Nichts', `${only.join(' ')} `.repeat(40));
  const halves = await make(`Zweite ${only[0]}`, 'Nichts', only.join(' '));
  const described = await make('Dritte', only.join(' '), 'Nichts');
  const titled = await make(`Vierte ${only.join(' ')}`, 'Nichts', 'Nichts');
  const whole = await search(ana, only.join(' '));
  const all = whole.results.map((one) => one.guideid);
  expect(all.slice(0, 2)).toEqual([titled.guideid, described.guideid]);
  expect(new Set(all.slice(2))).toEqual(new Set([inText.guideid, halves.guideid]));
  expect(whole.totalResults).toBe(4);
  for (const limit of [1, 2, 3]) {
    const pages: (number | undefined)[] = [];
    for (let offset = 0; offset < 6; offset += limit) {
      const page = await search(ana, only.join(' '), `?limit=${limit}&offset=${offset}`);
      expect(page.totalResults, `${limit} from ${offset}`).toBe(4);
      pages.push(...page.results.map((one) => one.guideid));
    }
    expect(pages).toEqual(all);
  }
});

test('suggestions contain the typed words in their titles', async () => {
  expect(await found(ana, '/suggest/schleif')).toMatchObject({
    query: 'schleif',
    results: [{ guideid: belt.guideid }],
  });
  expect((await found(ana, '/suggest/Bench?doctypes=guide')).results).toEqual([]);
});

test('suggestions skip doctypes without records, and are refused without any other', async () => {
  expect((await found(ana, '/suggest/schleif?doctypes=recipe,guide')).results).toMatchObject([
    { guideid: belt.guideid },
  ]);
  expect((await found(ana, '/suggest/schleif?doctypes=recipe,category')).results).toEqual([]);
  for (const doctypes of ['recipe', 'Guide,recipe'])
    expect(await ana.call('GET', `/suggest/schleif?doctypes=${doctypes}`)).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringContaining('A doctype is one of guide') },
    });
});

test('STORAGE-26 words are indexed automatically soon after an edit', async () => {
  const guide = await makeGuide('Riemenscheibe');
  let { revisionid } = guide;
  for (const title of ['Umlenkrolle', 'Laufrolle']) {
    const path = `/guides/${guide.guideid}?revisionid=${revisionid}`;
    const answer = await ana.call('PATCH', path, { title });
    revisionid = (answer.body as Guide).revisionid;
  }
  const { reader } = server.services.storage;
  const waiting = (): Promise<unknown[]> =>
    reader
      .selectFrom('search_waiting')
      .selectAll()
      .where('collection', '=', 'guides')
      .where('id', '=', String(guide.guideid))
      .execute();
  await expect.poll(waiting).toEqual([]);
  expect((await search(ana, 'Umlenkrolle')).totalResults).toBe(0);
  expect((await search(ana, 'Laufrolle')).results).toMatchObject([{ guideid: guide.guideid }]);
});
