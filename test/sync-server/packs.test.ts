import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join as path } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import type { FeedRow, GuideTitle, Pack } from '#shared/sync/wire.ts';
import { contextForJob } from '#server/core/job.ts';
import { addMember, removeMember } from '#server/features/teams/members.ts';
import { rangesIn } from '#server/sync/packs/make-packs.ts';
import { packFolder, packInThread, usualPacks } from '#server/sync/packs/pack-keeper.ts';
import { fetchPack, loadWithPacks, packText, rowsOf, smallPacks } from '#test/support/pack-calls.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

let server: TestServer;
let admin: TestPerson;
let ana: TestPerson;
let ben: TestPerson;
let made = 0;

beforeAll(async () => {
  server = await startServer({ packs: smallPacks });
  await server.category('Bench Grinder');
  admin = await server.person('Mira', ['User', 'Admin']);
  ana = await server.person('Ana');
  ben = await server.person('Ben');
});
afterAll(() => server[Symbol.asyncDispose]());

async function newGuide(author: TestPerson = ana, more: object = { public: true }): Promise<Guide> {
  made += 1;
  const steps = [{ title: `Step of ${made}`, lines: [{ text: `Word${made}.` }] }];
  const body = { category: 'Bench Grinder', type: 'repair', title: `Title${made}.`, steps, ...more };
  const answer = await author.call('POST', '/guides', body);
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
  return answer.body;
}

type Numbered = Pick<Guide, 'guideid'>;

async function current({ guideid }: Numbered): Promise<Guide> {
  return (await admin.call('GET', `/guides/${guideid}`)).body;
}

async function edit(guide: Numbered, change: object): Promise<void> {
  const { guideid, revisionid } = await current(guide);
  const answer = await admin.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, change);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
}

/** Publishes a guide, or makes it private. */
async function show(guide: Numbered, isPublic: boolean): Promise<void> {
  const { guideid, revisionid } = await current(guide);
  const method = isPublic ? 'PUT' : 'DELETE';
  const answer = await admin.call(method, `/guides/${guideid}/public?revisionid=${revisionid}`);
  expect(answer.status).toBe(200);
}

async function remove(guide: Numbered): Promise<void> {
  const { guideid, revisionid } = await current(guide);
  expect((await admin.call('DELETE', `/guides/${guideid}?revisionid=${revisionid}`)).status).toBe(204);
}

async function packsOf(person: TestPerson): Promise<Pack[]> {
  return must((await loadWithPacks(server.url, person)).head.packs, 'packs');
}

/** The pack that contains a guide. */
async function packWith({ guideid }: Numbered, person = ben): Promise<Pack> {
  for (const pack of await packsOf(person)) {
    const text = must(await packText(server.url, person, pack.hash), 'the pack');
    if (pack.c === 'guides' && rowsOf(text).some(({ id }) => id === String(guideid))) return pack;
  }
  throw new Error(`No pack has guide ${guideid}`);
}

function named(rows: readonly FeedRow[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

test('PACK-1 packs and the stream together are the initial load, row for row', async () => {
  for (let index = 0; index < 6; index += 1) await newGuide();
  await newGuide(ben, {});
  await server.packs.make();
  const loose = await newGuide();
  const { head, rows, checkpoint } = await loadWithPacks(server.url, ben);
  const packs = must(head.packs, 'packs');
  const texts = await Promise.all(
    packs.map(async ({ hash }) => must(await packText(server.url, ben, hash), 'a pack')),
  );
  const packed = texts.flatMap(rowsOf);
  const whole = await sync(server, ben, 'bootstrap?protocol=6-6');
  expect(named([...rows, ...packed])).toEqual(named(whole.rows));
  expect(checkpoint).toBe(whole.checkpoint);
  expect(head.total).toBe(rows.length);
  expect(packs.map(({ records }) => records)).toEqual(texts.map((text) => rowsOf(text).length));
  expect(packed.filter(({ c }) => c === 'guides').length).toBeGreaterThanOrEqual(7);
  expect(rows.map(({ id }) => id)).toContain(String(loose.guideid));
});

test('PACK-1 only devices that ask for packs get them', async () => {
  const guide = await newGuide();
  await server.packs.make();
  for (const query of ['protocol=6-6', 'protocol=5-5&packs=1', 'packs=1']) {
    const { rows } = await sync(server, ben, `bootstrap?${query}`);
    expect(rows.map(({ id }) => id)).toContain(String(guide.guideid));
  }
});

test('PACK-2 a pack is only for people who may see its records, whoever knows its hash', async () => {
  const secret = await newGuide(ben, {});
  await server.packs.make();
  const pack = await packWith(secret, ben);
  const { titles } = pack;
  for (const hash of [pack.hash, must(titles, 'titles').hash]) {
    expect((await fetchPack(server.url, ben, hash)).status).toBe(200);
    expect((await fetchPack(server.url, admin, hash)).status).toBe(200);
    expect((await fetchPack(server.url, ana, hash)).status).toBe(404);
    expect((await fetch(`${server.url}/sync/1/packs/${hash}`)).status).toBe(401);
  }
  expect((await packsOf(ana)).map(({ hash }) => hash)).not.toContain(pack.hash);
  expect((await fetchPack(server.url, ana, '0'.repeat(64))).status).toBe(404);
  expect((await fetchPack(server.url, ana, '..%2Fbenchbook.sqlite')).status).toBe(404);
});

test('PACK-2 a pack may be kept by the caller only, and fetched in parts', async () => {
  const guide = await newGuide();
  await server.packs.make();
  const { hash, bytes } = await packWith(guide);
  const whole = await fetchPack(server.url, ben, hash);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    etag: `"${hash}"`,
    'cache-control': 'private, no-cache',
    'content-type': 'application/gzip',
    'content-length': String(bytes),
    'accept-ranges': 'bytes',
  });
  expect(whole.headers.get('content-encoding')).toBeNull();
  const all = Buffer.from(await whole.arrayBuffer());
  const rest = await fetchPack(server.url, ben, hash, { Range: 'bytes=100-' });
  expect([rest.status, rest.headers.get('content-range')]).toEqual([206, `bytes 100-${bytes - 1}/${bytes}`]);
  expect(Buffer.from(await rest.arrayBuffer())).toEqual(all.subarray(100));
  expect((await fetchPack(server.url, ben, hash, { 'If-None-Match': `"${hash}"` })).status).toBe(304);
});

const ends: [string, (guide: Numbered) => Promise<void>][] = [
  ['is edited', (guide) => edit(guide, { title: `Renamed ${made}` })],
  ['becomes private', (guide) => show(guide, false)],
  ['is deleted', remove],
  ['gets a prerequisite', async (guide) => edit(guide, { prerequisites: [(await newGuide()).guideid] })],
];

for (const [what, end] of ends)
  test(`PACK-3 when a record ${what}, its pack ends with the same write, and its other records come without it`, async () => {
    for (let index = 0; index < 4; index += 1) await newGuide();
    await server.packs.make();
    const pack = must(
      (await packsOf(ben)).findLast(({ c, records }) => c === 'guides' && records > 1),
      'a pack of several guides',
    );
    const [guide, other] = rowsOf(must(await packText(server.url, ben, pack.hash), 'the pack')).map(
      ({ id }) => ({ guideid: Number(id) }),
    );
    await end(must(guide, 'a guide'));
    expect((await fetchPack(server.url, ben, pack.hash)).status).toBe(404);
    expect((await fetchPack(server.url, ben, must(pack.titles, 'titles').hash)).status).toBe(404);
    const { rows } = await loadWithPacks(server.url, ben);
    expect(rows.map(({ id }) => id)).toContain(String(other?.guideid));
  });

test('PACK-3 a write that fails ends no pack', async () => {
  const guide = await newGuide();
  await server.packs.make();
  const pack = await packWith(guide);
  const failing = contextForJob(server.services, null, async ({ db }) => {
    await db.deleteFrom('documents').where('id', '=', String(guide.guideid)).execute();
    expect(await db.selectFrom('packs').select('hash').where('hash', '=', pack.hash).execute()).toEqual([]);
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect((await fetchPack(server.url, ben, pack.hash)).status).toBe(200);
});

test('PACK-3 a pack whose records changed while it was made is not used', async () => {
  await using folder = await temporaryFolder('late-packs');
  const late = await startServer({
    packs: {
      ...smallPacks,
      packing: async (work, signal) => {
        const rows = await smallPacks.packing(work, signal);
        await contextForJob(late.services, null, async ({ changes }) =>
          changes.remove('stepForms', 'second'),
        );
        return rows;
      },
    },
    dataDir: folder.path,
  });
  try {
    const form = { stepid: 1, guideid: 1, form_revisionid: 1, fields: [] };
    await contextForJob(late.services, null, async ({ changes }) => {
      changes.put('stepForms', 'first', form, ['public']);
      changes.put('stepForms', 'second', form, ['public']);
    });
    await late.packs.make();
    expect(await late.services.storage.reader.selectFrom('packs').selectAll().execute()).toEqual([]);
  } finally {
    await late[Symbol.asyncDispose]();
  }
});

test('PACK-4 guides with prerequisites are in no pack', async () => {
  const hidden = await newGuide(ana, {});
  const shown = await newGuide();
  await edit(shown, { prerequisites: [hidden.guideid] });
  await newGuide();
  await server.packs.make();
  const { head, rows } = await loadWithPacks(server.url, ben);
  for (const { hash } of must(head.packs, 'packs')) {
    const text = must(await packText(server.url, ben, hash), 'a pack');
    expect(rowsOf(text).map(({ id }) => id)).not.toContain(String(shown.guideid));
  }
  const row = must(
    rows.find(({ c, id }) => c === 'guides' && id === String(shown.guideid)),
    'the guide',
  );
  expect(row.doc).toMatchObject({ prerequisites: [] });
});

test('PACK-5 the titles of a pack are what lists show of its guides', async () => {
  const guide = await newGuide();
  await server.packs.make();
  const { hash, titles } = await packWith(guide);
  const text = must(await packText(server.url, ben, must(titles, 'titles').hash), 'titles');
  const all = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as GuideTitle);
  const rows = rowsOf(must(await packText(server.url, ben, hash), 'the pack'));
  expect(all.map(({ id, seq }) => ({ id, seq }))).toEqual(rows.map(({ id, seq }) => ({ id, seq })));
  expect(all.find(({ id }) => id === String(guide.guideid))).toMatchObject({
    title: guide.title,
    category: 'Bench Grinder',
    type: 'repair',
    steps: 1,
    public: true,
    userid: ana.userid,
  });
});

test('PACK-6 records that are little together stay out of packs, and a pack has a limit', () => {
  const documents = (sizes: number[]): { seq: number; bytes: number }[] =>
    sizes.map((bytes, index) => ({ seq: (index + 1) * 10, bytes }));
  const sizes = { least: 10, most: 30 };
  expect(rangesIn(documents([3, 3, 3]), [], sizes)).toEqual([]);
  expect(rangesIn(documents([9, 9]), [], sizes)).toEqual([{ since: 0, until: 20 }]);
  // What is left at the end joins the pack before it.
  expect(rangesIn(documents([15, 15, 15, 15, 5]), [], sizes)).toEqual([
    { since: 0, until: 20 },
    { since: 20, until: 50 },
  ]);
  // Existing packs stay; what is between them and after them may become a pack.
  const packs = [
    { since: 0, until: 10 },
    { since: 30, until: 40 },
  ];
  expect(rangesIn(documents([99, 9, 9, 99, 9]), packs, sizes)).toEqual([{ since: 10, until: 30 }]);
  expect(rangesIn(documents([99, 2, 2, 99, 12]), packs, sizes)).toEqual([{ since: 40, until: 50 }]);
});

test('PACK-6 a thread makes packs in the background, soon after the start and after changes', async () => {
  await using folder = await temporaryFolder('packs');
  const options = { ...usualPacks, fewest: 1, restMs: 20, sizes: smallPacks.sizes, packing: packInThread };
  const own = await startServer({ dataDir: folder.path, packs: options });
  try {
    await own.category('Bench Grinder');
    const person = await own.person('Ana');
    await expect
      .poll(async () => (await loadWithPacks(own.url, person)).head.packs?.length ?? 0, { timeout: 20_000 })
      .toBeGreaterThan(0);
  } finally {
    await own[Symbol.asyncDispose]();
  }
});

test('PACK-6 a server that closes does not wait for packs', async () => {
  const begun = Promise.withResolvers<void>();
  const closing = await startServer({
    packs: {
      ...smallPacks,
      packing: (_, signal) => {
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener('abort', () => reject(new Error('The server closes')));
        begun.resolve();
        return promise;
      },
    },
  });
  await closing.category('Bench Grinder');
  const making = closing.packs.make();
  await begun.promise;
  await closing[Symbol.asyncDispose]();
  await making;
});

test('PACK-7 packs whose files are gone are forgotten at the start, and files without a pack are removed', async () => {
  await using folder = await temporaryFolder('packs');
  const options = { packs: smallPacks, dataDir: folder.path };
  const form = { stepid: 1, guideid: 1, form_revisionid: 1, fields: [] };
  const first = await startServer(options);
  await contextForJob(first.services, null, async ({ changes }) => {
    changes.put('stepForms', 'first', form, ['public']);
  });
  await first.packs.make();
  const person = await first.person('Ana');
  expect((await loadWithPacks(first.url, person)).head.packs).toHaveLength(1);
  await first[Symbol.asyncDispose]();
  const files = packFolder(folder.path);
  expect(readdirSync(files)).toHaveLength(1);
  rmSync(files, { recursive: true });
  const second = await startServer(options);
  const { head, rows } = await loadWithPacks(second.url, person);
  expect(head.packs).toEqual([]);
  expect(rows.map(({ id }) => id)).toContain('first');
  await second.packs.make();
  writeFileSync(path(files, 'other.part'), 'half');
  await contextForJob(second.services, null, async ({ changes }) => changes.remove('stepForms', 'first'));
  await second.packs.make();
  expect(readdirSync(files)).toEqual([]);
  await second[Symbol.asyncDispose]();
});

type Move =
  | { do: 'new'; who: number; isPublic: boolean }
  | { do: 'edit' | 'show' | 'hide' | 'remove' | 'share'; guide: number }
  | { do: 'need'; guide: number; other: number }
  | { do: 'join' }
  | { do: 'leave' }
  | { do: 'pack' };
const guideNumber = fc.nat({ max: 7 });
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('new' as const),
      who: fc.nat({ max: 1 }),
      isPublic: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'edit' as const,
        'show' as const,
        'hide' as const,
        'remove' as const,
        'share' as const,
      ),
      guide: guideNumber,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('need' as const), guide: guideNumber, other: guideNumber }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'join' as const }, { do: 'leave' as const }) },
  { weight: 3, arbitrary: fc.constant({ do: 'pack' as const }) },
);
const moves = (max: number): fc.Arbitrary<Move[]> => fc.array(move, { minLength: 1, maxLength: max });

test('PACK-8 whatever changes during a load with packs, the device has at the end what a load without them brings, and was sent nothing that its person might not see', async () => {
  const team = await admin.call('POST', '/teams', { name: 'Packers' });
  const { teamid } = team.body as { teamid: number };
  let guides: Guide[] = [];
  let isMember = false;
  const authors = [ana, ben];
  const play = async (one: Move): Promise<void> => {
    if (one.do === 'pack') return server.packs.make();
    if (one.do === 'join' || one.do === 'leave') {
      if (isMember === (one.do === 'join')) return;
      isMember = !isMember;
      const change = isMember ? addMember : removeMember;
      return contextForJob(server.services, null, (ctx) => change(ctx, teamid, ben.userid));
    }
    if (one.do === 'new') {
      guides.push(await newGuide(must(authors[one.who], 'an author'), one.isPublic ? { public: true } : {}));
      return;
    }
    const guide = guides[one.guide];
    if (guide === undefined) return;
    if (one.do === 'edit') await edit(guide, { summary: `Summary ${(made += 1)}` });
    else if (one.do === 'share') await admin.call('PUT', `/guides/${guide.guideid}/teams/${teamid}`);
    else if (one.do === 'need') {
      const other = guides[one.other];
      if (other !== undefined && other !== guide) await edit(guide, { prerequisites: [other.guideid] });
    } else if (one.do === 'remove') {
      await remove(guide);
      guides.splice(one.guide, 1);
    } else if (((await current(guide)).public ?? false) !== (one.do === 'show'))
      await show(guide, one.do === 'show');
  };
  /** The words of guides that Ben may not see now. */
  const forbidden = async (): Promise<string[]> => {
    const visible = await sync(server, ben, 'bootstrap?protocol=6-6');
    const text = JSON.stringify(visible.rows);
    return guides.map(({ title }) => title).filter((title) => !text.includes(title));
  };
  await fc.assert(
    fc.asyncProperty(moves(14), fc.array(moves(3), { maxLength: 6 }), async (before, during) => {
      for (const guide of guides) await remove(guide);
      guides = [];
      for (const one of before) await play(one);
      const left = [...during];
      const held = new Map<string, FeedRow>();
      const take = (rows: readonly FeedRow[]): void => {
        for (const row of rows) {
          const name = `${row.c}/${row.id}`;
          if (row.removed === true) held.delete(name);
          else if (row.doc !== undefined && (held.get(name)?.seq ?? -1) <= row.seq) held.set(name, row);
        }
      };
      const fetched = new Set<string>();
      let from: { since: string; after: number; selection: string } | undefined;
      for (let isComplete = false; !isComplete;) {
        const answer = await loadWithPacks(server.url, ben, from);
        for (const word of await forbidden()) expect(answer.text).not.toContain(word);
        const { head, rows } = answer;
        if (from !== undefined && head.selection === from.selection) expect(head.after).toBe(from.after);
        take(rows);
        const packs = must(head.packs, 'packs');
        from = {
          since: from?.since ?? must(head.checkpoint, 'a checkpoint'),
          after: rows.at(-1)?.seq ?? head.after ?? 0,
          selection: must(head.selection, 'a selection'),
        };
        isComplete = true;
        for (const { hash, titles } of packs) {
          for (const one of left.shift() ?? []) await play(one);
          if (fetched.has(hash)) continue;
          const words = await forbidden();
          const text = await packText(server.url, ben, hash);
          const listed = titles === undefined ? '' : await packText(server.url, ben, titles.hash);
          if (text === null || listed === null) {
            isComplete = false;
            break;
          }
          for (const word of words) expect(text + listed).not.toContain(word);
          fetched.add(hash);
          take(rowsOf(text));
        }
      }
      let place = must(from, 'a place').since;
      for (let more = true; more;) {
        const page = await sync(server, ben, `pull?protocol=6-6&since=${place}`);
        take(page.rows);
        ({ checkpoint: place, more } = page);
      }
      const whole = await sync(server, ben, 'bootstrap?protocol=6-6');
      const plain = (rows: Iterable<FeedRow>): string[] =>
        [...rows].map(({ c, id, doc }) => JSON.stringify([c, id, doc])).toSorted();
      expect(plain(held.values())).toEqual(plain(whole.rows));
    }),
    { numRuns: 15 },
  );
});
