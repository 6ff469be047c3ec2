import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import * as first from '#server/storage/migrations/001-first.ts';
import * as fileUses from '#server/storage/migrations/011-file-uses.ts';
import type { Tables } from '#server/storage/tables.ts';
import { pdfFile } from '#test/support/media-files.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { workshopClient } from '#test/support/workshop.ts';

type NewGuideBody = Parameters<TestPerson['client']['guides']['create']>[0]['body'];

let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let ada: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben');
  ada = await server.person('Ada', ['User', 'Admin']);
});
afterAll(() => server[Symbol.asyncDispose]());

async function documentOf(person: TestPerson): Promise<{ id: number; url: string; path: string }> {
  const { media } = workshopClient(server, person);
  const made = await media.addDocument({ query: { file: 'plan.pdf' }, body: pdfFile() });
  return { id: made.documentid, url: made.view_url, path: new URL(made.view_url).pathname };
}

function makeGuide(person: TestPerson, body: Partial<NewGuideBody>): Promise<Guide> {
  const plain = { category: 'Bench Grinder', type: 'repair', title: 'Belt', public: true } as const;
  return person.client.guides.create({ body: { ...plain, ...body } });
}

function edit(
  person: TestPerson,
  guide: Guide,
  body: Pick<NewGuideBody, 'documents' | 'public' | 'summary'>,
): Promise<Guide> {
  const { guideid, revisionid } = guide;
  return person.client.guides.patch({ params: { guideid }, revisionid, body });
}

async function read(person: TestPerson | null, url: string): Promise<number> {
  const headers = person === null ? undefined : { Authorization: `api ${person.token}` };
  const answer = await fetch(url, headers === undefined ? {} : { headers });
  await answer.arrayBuffer();
  return answer.status;
}

test('MEDIA-1 MEDIA-2 a document is readable by everyone who sees a guide that shows it, until no guide does', async () => {
  const { id, url } = await documentOf(ana);
  const guide = await makeGuide(ana, { documents: [id], public: false });
  expect([await read(ana, url), await read(ada, url), await read(ben, url)]).toEqual([200, 200, 404]);
  const open = await edit(ana, guide, { public: true });
  expect([await read(ben, url), await read(null, url)]).toEqual([200, 200]);
  const other = await makeGuide(ana, { documents: [id] });
  const without = await edit(ana, open, { documents: [] });
  expect(await read(ben, url)).toBe(200);
  await ana.client.guides.remove({ params: { guideid: other.guideid }, revisionid: other.revisionid });
  expect([await read(ben, url), await read(ana, url)]).toEqual([404, 200]);
  await edit(ana, without, { documents: [id] });
  expect(await read(ben, url)).toBe(200);
});

test('MEDIA-3 a link in a text shows a document only if its writer may read it', async () => {
  const { url, path } = await documentOf(ana);
  const introduction = `[link|${path}|The plan] "guid":"${path.split('/')[2]}"`;
  const linking = await makeGuide(ben, { introduction });
  expect([await read(ben, url), await read(null, url)]).toEqual([404, 404]);
  await edit(ada, linking, { summary: 'Checked' });
  expect([await read(ben, url), await read(null, url)]).toEqual([404, 404]);
  await makeGuide(ana, { introduction });
  expect([await read(ben, url), await read(null, url)]).toEqual([200, 200]);
});

test('MEDIA-4 after its migration, an older database knows which records show which files', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'benchbook-uses-'));
  const database = new BetterSqlite3(join(dir, 'old.sqlite'));
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  try {
    await first.up(db);
    database.exec(`INSERT INTO audiences VALUES (1, 'public')`);
    const insert = database.prepare(
      'INSERT INTO documents (collection, id, seq, audience, body) VALUES (?, ?, ?, 1, ?)',
    );
    const value = { field_type: 'Document', value: '7' };
    insert.run(
      'guides',
      '61',
      1,
      JSON.stringify({ documents: [{ guid: 'planGuid' }], text: '/igo/filmGuid' }),
    );
    insert.run('workLog', '5', 2, JSON.stringify({ events: [{ type: 'data', data: [value] }] }));
    await fileUses.up(db);
    const uses = await db.selectFrom('file_uses').selectAll().orderBy('file').execute();
    expect(uses).toEqual([
      { collection: 'workLog', id: '5', file: 'Document:7' },
      { collection: 'guides', id: '61', file: 'filmGuid' },
      { collection: 'guides', id: '61', file: 'planGuid' },
    ]);
  } finally {
    await db.destroy();
    rmSync(dir, { recursive: true });
  }
});
