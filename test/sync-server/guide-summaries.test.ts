import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { openRaw } from '#test/support/raw-database.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { written } from '#test/support/written.ts';

import { mediaCalls, twoHalves } from './media-calls.ts';

/** Titles that would break texts put together carelessly. */
const titles = [
  'A "quoted" \\ title',
  '\u2028line',
  'Schraube lösen – 🔧',
  '{"a":1}',
  'http://localhost',
  '%_',
];

interface World extends AsyncDisposable {
  server: TestServer;
  ana: TestPerson;
  ben: TestPerson;
  cleo: TestPerson;
  guides: Guide[];
}

/** Guides with pictures, tags, flags, prerequisites, of two authors, public and private. */
async function guidesOfAllKinds(dataDir: string): Promise<World> {
  const server = await startServer({ dataDir });
  await server.category('Bench Grinder');
  const ana = await server.person('Ana', ['Admin', 'User']);
  const ben = await server.person('Ben "the hand" Müller', ['Author', 'User']);
  const cleo = await server.person('Cleo', ['User']);
  const bytes = await twoHalves(80, 60).jpeg().toBuffer();
  const { image } = await mediaCalls(() => server).upload(ana, bytes, 'belt.jpg');
  const guides: Guide[] = [];
  for (const [index, title] of titles.entries())
    for (const person of [ana, ben]) {
      const known = guides.filter((one) => one.public || one.author.userid === person.userid);
      const guide = await person.client.guides.create({
        body: {
          category: 'Bench Grinder',
          type: 'repair',
          title: `${title} ${person === ana ? 'a' : 'b'}`,
          public: index % 3 !== 2,
          ...(person === ana && index % 2 === 0 ? { image: image.id } : {}),
          prerequisites: known.slice(-2).map(({ guideid }) => guideid),
        },
      });
      guides.push(guide);
      await ana.call('PUT', `/guides/${guide.guideid}/tag`, { tag: `tag "${index}"` });
    }
  return { server, ana, ben, cleo, guides, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function change(dataDir: string, ...statements: string[]): Promise<void> {
  await using raw = await openRaw(dataDir);
  for (const statement of statements) await raw.run(statement);
}

async function count(dataDir: string, where = 'TRUE'): Promise<number> {
  await using raw = await openRaw(dataDir);
  const [row] = await raw.run(`SELECT COUNT(*) AS number FROM guide_summaries WHERE ${where}`);
  return Number(row?.['number']);
}

/** What several people see in every list that is made from summaries. */
async function seen({ server, ana, ben, cleo, guides }: World): Promise<unknown[]> {
  const all = guides.map(({ guideid }) => guideid).join(',');
  const lists = [
    '/guides?limit=200',
    '/guides?limit=3&offset=2&order=DESC',
    `/guides?guideids=${all}`,
    '/search/title?limit=200',
    `/users/${ana.userid}/guides`,
    '/wikis/CATEGORY/Bench Grinder',
  ];
  const seenBy = async (person: TestPerson): Promise<unknown[]> => {
    const bodies: unknown[] = [];
    for (const list of lists) bodies.push((await person.call('GET', list)).body);
    return bodies;
  };
  const asAdmin = (await ana.call('GET', '/guides?includePrivate=true&limit=200')).body as unknown;
  const anonymous: unknown[] = [];
  for (const list of lists) anonymous.push(await (await fetch(`${server.url}/api/2.0${list}`)).json());
  return [await seenBy(ana), await seenBy(ben), await seenBy(cleo), asAdmin, anonymous];
}

async function inFolder(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'benchbook-summaries-'));
  try {
    await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

test('SUMMARY-1 lists made from stored summaries equal those made from whole guides, for everyone', async () => {
  await inFolder(async (dataDir) => {
    await using world = await guidesOfAllKinds(dataDir);
    expect(await count(dataDir)).toBe(world.guides.length);
    const stored = await seen(world);
    await change(dataDir, 'DELETE FROM guide_summaries');
    expect(await seen(world)).toEqual(stored);
    const [, , , asAdmin] = stored as { title: string; username: string; image: unknown; url: string }[][];
    expect(asAdmin).toHaveLength(world.guides.length);
    expect(asAdmin?.every(({ url }) => url.startsWith(world.server.url))).toBe(true);
    expect(asAdmin?.some(({ username }) => username.startsWith('Ben'))).toBe(true);
    expect(asAdmin?.some(({ image }) => image !== null)).toBe(true);
  });
});

test('SUMMARY-1 a list shows every change of a guide, its author, its prerequisites and its tags at once', async () => {
  await inFolder(async (dataDir) => {
    await using world = await guidesOfAllKinds(dataDir);
    const { ana, guides } = world;
    const [first, , third] = guides;
    const revision = async (guideid: number): Promise<number> =>
      ((await ana.call('GET', `/guides/${guideid}`)).body as Guide).revisionid;
    const edits: [string, string, object?][] = [
      ['PATCH', `/guides/${first?.guideid}?revisionid=REV`, { title: 'Renamed' }],
      ['DELETE', `/guides/${first?.guideid}/public?revisionid=REV`],
      ['PUT', `/guides/${first?.guideid}/public?revisionid=REV`],
      ['PUT', `/guides/${first?.guideid}/tag`, { tag: 'later' }],
      ['PATCH', '/users/ANA', { username: 'Ana Later' }],
      ['PATCH', `/guides/${third?.guideid}?revisionid=REV`, { title: 'Third' }],
      ['DELETE', `/guides/${third?.guideid}?revisionid=REV`],
    ];
    for (const [method, path, body] of edits) {
      const guideid = Number(/\d+/.exec(path)?.[0] ?? first?.guideid);
      const { status } = await ana.call(
        method,
        path.replace('ANA', String(ana.userid)).replace('REV', String(await revision(guideid))),
        body,
      );
      expect(status, `${method} ${path}`).toBeLessThan(300);
      const stored = await seen(world);
      await change(dataDir, 'UPDATE guide_summaries SET version = version - 1');
      expect(await seen(world), `${method} ${path}`).toEqual(stored);
      await change(dataDir, 'UPDATE guide_summaries SET version = version + 1');
    }
  });
});

test('SUMMARY-1 code that does not know summaries cannot leave an old one', async () => {
  await inFolder(async (dataDir) => {
    await using world = await guidesOfAllKinds(dataDir);
    const before = await count(dataDir);
    await written(world.server.services, async (tx) => {
      const one = tx
        .selectFrom('documents')
        .select('body')
        .where('collection', '=', 'guides')
        .where('id', '=', String(world.guides[0]?.guideid));
      const facts = JSON.parse((await one.executeTakeFirstOrThrow()).body) as Record<string, unknown>;
      await tx
        .updateTable('documents')
        .set({ body: JSON.stringify({ ...facts, title: 'By earlier code' }) })
        .where('collection', '=', 'guides')
        .where('id', '=', String(world.guides[0]?.guideid))
        .execute();
    });
    expect(await count(dataDir)).toBe(before - 1);
    const { body } = await world.ana.call('GET', `/guides?guideids=${world.guides[0]?.guideid}`);
    expect(body).toMatchObject([{ title: 'By earlier code' }]);
  });
});

test('SUMMARY-2 a server that starts stores the summaries that are missing or of an earlier form', async () => {
  await inFolder(async (dataDir) => {
    const made = await (async () => {
      await using world = await guidesOfAllKinds(dataDir);
      return world.guides.length;
    })();
    await change(
      dataDir,
      'DELETE FROM guide_summaries WHERE guideid % 2 = 0',
      'UPDATE guide_summaries SET version = 0',
    );
    await using _server = await startServer({ dataDir });
    await expect.poll(() => count(dataDir, 'version > 0')).toBe(made);
  });
});

test('STORAGE-34 a row of the work log follows the audience of its document, also when earlier code changes it', async () => {
  await inFolder(async (dataDir) => {
    await using world = await guidesOfAllKinds(dataDir);
    const { ana, guides } = world;
    const [guide] = guides;
    const { status } = await ana.call('POST', '/work_log', { guideid: guide?.guideid, workorderid: 'WO-1' });
    expect(status).toBe(201);
    const { body } = await ana.call('GET', `/guides/${guide?.guideid}`);
    const revisionid = String((body as Guide).revisionid);
    await ana.call('DELETE', `/guides/${guide?.guideid}/public?revisionid=${revisionid}`);
    const { services } = world.server;
    const audiences = async (): Promise<unknown[]> => {
      const rows = await services.storage.reader
        .selectFrom('work_log')
        .innerJoin('documents', (join) =>
          join
            .on('collection', '=', 'workLog')
            .on((eb) => eb('documents.id', '=', eb.cast<string>('entryid', 'text'))),
        )
        .select(['work_log.audience as ofRow', 'documents.audience as ofDocument'])
        .execute();
      return rows
        .filter(({ ofRow, ofDocument }) => ofRow !== ofDocument)
        .concat(rows.length === 1 ? [] : rows);
    };
    expect(await audiences()).toEqual([]);
    await written(services, (tx) =>
      tx.updateTable('documents').set({ audience: 1 }).where('collection', '=', 'workLog').execute(),
    );
    expect(await audiences()).toEqual([]);
  });
});
