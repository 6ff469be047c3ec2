import { rmSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { must } from '#shared/must.ts';
import { readResult } from '#shared/sync/reading.ts';
import type { BatchCall, BatchResult } from '#shared/sync/wire.ts';
import { pdfFile } from '#test/support/media-files.ts';
import { forgetDatabaseOf } from '#test/support/postgres-databases.ts';
import { copyDataFolder } from '#test/support/raw-database.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { makeForm, makeGuide, stepAt } from '#test/support/workshop.ts';

let server: TestServer;
let ana: TestPerson;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
});
afterAll(() => server[Symbol.asyncDispose]());

interface Answered {
  status: number;
  lines: Record<string, unknown>[];
}

/** Copies a data folder of a stopped server, with its database, over another one. */
async function copyOver(from: string, to: string): Promise<void> {
  rmSync(to, { recursive: true });
  await forgetDatabaseOf(to);
  await copyDataFolder(from, to);
}

async function ask(path: string, body?: object, at = server, person = ana): Promise<Answered> {
  const answer = await fetch(`${at.url}/sync/1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `api ${person.token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const lines = text.trim().split('\n');
  return { status: answer.status, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

function batch(calls: Partial<BatchCall>[], query = 'protocol=5-6', protocol = 6): Promise<Answered> {
  const whole = calls.map((call, index) => ({ id: crypto.randomUUID(), lane: `lane ${index}`, ...call }));
  return ask(`batch?${query}`, { protocol, calls: whole });
}

const results = ({ lines }: Answered): BatchResult[] => lines.slice(1).map((line) => readResult.parse(line));

async function newestPlace(at = server, person = ana): Promise<string> {
  const { lines } = await ask('bootstrap?protocol=5-6&collections=people', undefined, at, person);
  return String(must(lines.at(-1), 'a tail')['checkpoint']);
}

const seqOf = (place: string): number => Number(place.split('.')[0]);

function commentOn(guideid: number, text: string): Partial<BatchCall> {
  return { method: 'POST', path: `/comments/guide/${guideid}`, body: { text } };
}

async function commentsOn(guideid: number): Promise<string[]> {
  const { body } = await ana.call('GET', `/comments?context=guide&contextid=${guideid}`);
  return JSON.stringify(body).match(/"text_raw":"[^"]*"/g) ?? [];
}

test('FEED-18 a checkpoint that this history does not have is 410 in every request, and no call is run', async () => {
  const { guideid } = await makeGuide(ana);
  const known = await newestPlace();
  const lost = `${Number(known.split('.')[0]) + 7}.abcdef012345`;
  for (const path of [
    `pull?since=${known}&seen=${lost}`,
    `pull?since=${lost}`,
    `events?since=${known}&seen=${lost}`,
    `bootstrap?seen=${lost}`,
  ]) {
    const { status, lines } = await ask(path);
    expect([path, status, lines[0]?.['code']]).toEqual([path, 410, 'unknown-place']);
  }
  const refused = await batch([commentOn(guideid, 'Never')], `protocol=5-6&seen=${lost}`);
  expect([refused.status, refused.lines[0]?.['code']]).toEqual([410, 'unknown-place']);
  expect(await commentsOn(guideid)).not.toContain('"text_raw":"Never"');
  // A known checkpoint is accepted in any parameter.
  expect((await ask(`pull?since=0.0&seen=${known}`)).status).toBe(200);
});

/** A site with a guide and a backup, whose server is stopped. It starts at the same address, as it is or restored. */
async function stoppedSite(resources: AsyncDisposableStack) {
  const data = resources.use(await temporaryFolder('places'));
  const backup = resources.use(await temporaryFolder('places-backup'));
  const server = await startServer({ dataDir: data.path });
  const port = Number(new URL(server.url).port);
  await server.category('Bench Grinder');
  const author = await server.person('Ben');
  const before = await makeGuide(author);
  await server[Symbol.asyncDispose]();
  await copyOver(data.path, backup.path);
  const start = (): Promise<TestServer> => startServer({ dataDir: data.path, port });
  const startRestored = async (): Promise<TestServer> => {
    await copyOver(backup.path, data.path);
    return start();
  };
  return { author, before, start, startRestored };
}

test('FEED-18 a checkpoint lost in a restore makes all ids leap once, before anything is answered', async () => {
  await using resources = new AsyncDisposableStack();
  const { author, before, start, startRestored } = await stoppedSite(resources);
  const started = await start();
  await makeGuide(author);
  const first = await newestPlace(started, author);
  await makeGuide(author);
  const last = await newestPlace(started, author);
  await started[Symbol.asyncDispose]();
  await using restored = await startRestored();

  expect((await ask(`pull?since=${first}`, undefined, restored, author)).status).toBe(410);
  const after = await makeGuide(author);
  expect(after.guideid).toBeGreaterThan(before.guideid + 1_000_000);
  expect(after.revisionid).toBeGreaterThan(before.revisionid + 1_000_000);
  expect(seqOf(await newestPlace(restored, author))).toBeGreaterThan(seqOf(first) + 1_000_000);
  // Other devices with the same lost history come later: the numbers have already leapt past them.
  expect((await ask(`pull?since=${last}`, undefined, restored, author)).status).toBe(410);
  const next = await makeGuide(author);
  expect(next.guideid).toBe(after.guideid + 1);
});

test('FEED-18 RESTORE-3 numbers leap beyond those of an earlier restore of the same backup', async () => {
  await using resources = new AsyncDisposableStack();
  const { author, start, startRestored } = await stoppedSite(resources);
  const started = await start();
  await makeGuide(author);
  let seen = await newestPlace(started, author);
  await started[Symbol.asyncDispose]();
  let last = await makeGuideAfterRestore();
  for (let round = 0; round < 2; round += 1) {
    const next = await makeGuideAfterRestore();
    expect(next.guideid).toBeGreaterThan(last.guideid);
    expect(next.revisionid).toBeGreaterThan(last.revisionid);
    expect(next.steps[0]?.stepid).toBeGreaterThan(last.steps[0]?.stepid ?? Infinity);
    last = next;
  }

  async function makeGuideAfterRestore(): Promise<Awaited<ReturnType<typeof makeGuide>>> {
    await using restored = await startRestored();
    expect((await ask(`pull?since=${seen}`, undefined, restored, author)).status).toBe(410);
    const guide = await makeGuide(author);
    seen = await newestPlace(restored, author);
    return guide;
  }
});

test('FEED-18 a checkpoint that this server never issued changes no number, however often it is sent', async () => {
  const before = await makeGuide(ana);
  const known = await newestPlace();
  await using other = await startServer();
  const theirs = await newestPlace(other, await other.person('Ben'));
  const seal = (place: string): string => place.slice(place.indexOf('y'));
  const ahead = seqOf(known) + 50_000;
  for (const place of [
    // Invented, with the seal of another checkpoint of this server, and in the format of an older server.
    `${ahead}.abcdef012345`,
    `${ahead}.abcdef012345${seal(known)}`,
    `${ahead}.abcdef012345y`,
    known.replace(String(seqOf(known)), String(ahead)),
    theirs.replace(String(seqOf(theirs)), String(ahead)),
    `${ahead + 1}.${theirs.split('.')[1]}`,
    `${'9'.repeat(30)}.abcdef012345${seal(known)}`,
  ])
    for (const path of [`pull?since=${place}`, `pull?since=0.0&seen=${place}`])
      expect([place, (await ask(path)).status]).toEqual([place, 410]);
  const after = await makeGuide(ana);
  expect(after.guideid).toBe(before.guideid + 1);
  expect(seqOf(await newestPlace())).toBeLessThan(ahead);
});

test('FEED-18 a checkpoint without a seal, from older servers, is valid if the history has it', async () => {
  const known = await newestPlace();
  const bare = known.slice(0, known.indexOf('y'));
  expect((await ask(`pull?since=${bare}&seen=${bare}`)).status).toBe(200);
});

test('FEED-16 from protocol 6 on, documents name their record, and results the position of the feed', async () => {
  const { guideid } = await makeGuide(ana);
  const uidOf = async (query: string): Promise<unknown> => {
    const { lines } = await ask(`bootstrap?collections=guides&${query}`);
    const row = lines.find((line) => line['c'] === 'guides' && line['id'] === String(guideid));
    return (must(row, 'the guide')['doc'] as { uid?: string }).uid;
  };
  const uid = await uidOf('protocol=5-6');
  expect(uid).toMatch(/^[0-9a-f]{12}$/);
  expect(await uidOf('protocol=5')).toBeUndefined();
  const revision = async (): Promise<number> =>
    (await ana.client.guides.read({ params: { guideid } })).revisionid;
  const path = `/guides/${guideid}`;
  const edit = {
    method: 'PATCH',
    path,
    query: { revisionid: String(await revision()) },
    body: { summary: 'New' },
  } as const;
  const [result] = results(await batch([edit]));
  expect([result?.status, result?.place]).toEqual([200, await newestPlace()]);
  expect(await uidOf('protocol=5-6')).toBe(uid);
  const old = await batch([commentOn(guideid, 'From an older app')], '', 5);
  expect(old.lines[1]).not.toHaveProperty('place');
});

test('FEED-17 a call for a record whose number belongs to another one is refused without effect', async () => {
  const { guideid } = await makeGuide(ana);
  const { lines } = await ask('bootstrap?collections=guides&protocol=5-6');
  const row = must(
    lines.find((line) => line['id'] === String(guideid)),
    'the guide',
  );
  const { uid = '' } = row['doc'] as { uid?: string };
  const record = (own: string): BatchCall['record'] => ({ c: 'guides', id: String(guideid), uid: own });
  const [other, same] = results(
    await batch([
      { ...commentOn(guideid, 'For another'), record: record('0123456789ab') },
      { ...commentOn(guideid, 'For this one'), record: record(uid) },
    ]),
  );
  expect([other?.status, other?.body]).toEqual([404, expect.objectContaining({ code: 'other-record' })]);
  expect(same?.status).toBe(201);
  const written = await commentsOn(guideid);
  expect(written).toContain('"text_raw":"For this one"');
  expect(written).not.toContain('"text_raw":"For another"');
});

test('FEED-17 a call for a guide that names a step now in another guide is refused without effect', async () => {
  const { guideid } = await makeGuide(ana);
  const other = await makeGuide(ana);
  const { lines } = await ask('bootstrap?collections=guides&protocol=5-6');
  const row = must(
    lines.find((line) => line['id'] === String(guideid)),
    'the guide',
  );
  const { uid = '' } = row['doc'] as { uid?: string };
  const [refused] = results(
    await batch([
      {
        method: 'POST',
        path: `/comments/step/${stepAt(other, 0)}`,
        body: { text: 'For a step that is gone' },
        record: { c: 'guides', id: String(guideid), uid },
      },
    ]),
  );
  expect([refused?.status, refused?.body]).toEqual([404, expect.objectContaining({ code: 'other-record' })]);
  expect(await commentsOn(other.guideid)).not.toContain('For a step that is gone');
});

test('FEED-17 a call whose step or field number belongs to another one is refused without effect', async () => {
  const guide = await makeGuide(ana);
  const { fields } = await makeForm(ana, guide);
  const { field_revisionid, field_guid } = must(fields[0], 'the torque');
  const { lines } = await ask('bootstrap?collections=guides&protocol=5-6');
  const row = lines.find((line) => line['id'] === String(guide.guideid));
  const { steps } = must(row, 'the guide')['doc'] as { steps: { stepid: number; key?: string }[] };
  const [step] = steps;
  const { stepid, key = '' } = must(step, 'the first step');
  expect(key).toMatch(/^[0-9a-f]{18}$/);
  const { body: order } = await ana.call('POST', '/work_log', {
    guideid: guide.guideid,
    workorderid: 'WO-17',
  });
  const onStep = (own: string): Partial<BatchCall> => ({
    method: 'POST',
    path: `/comments/step/${stepid}`,
    body: { text: `On ${own}` },
    step: { id: stepid, key: own },
  });
  const withValue = (guid: string): Partial<BatchCall> => ({
    method: 'PUT',
    path: `/work_log/${String((order as { entryid: number }).entryid)}/stepData`,
    body: { fields: { [field_revisionid]: '11.5' } },
    fields: [{ id: field_revisionid, guid }],
  });
  for (const call of [onStep('another'), withValue('another')]) {
    const [refused] = results(await batch([call]));
    expect([refused?.status, refused?.body]).toEqual([
      404,
      expect.objectContaining({ code: 'other-record' }),
    ]);
  }
  const statuses = [onStep(key), withValue(field_guid)].map(
    async (call) => results(await batch([call]))[0]?.status,
  );
  expect(await Promise.all(statuses)).toEqual([201, 200]);
  expect(await commentsOn(guide.guideid)).not.toContain('On another');
});

test('FEED-17 a call that names a file whose number belongs to another one is refused without effect', async () => {
  const { guideid, revisionid } = await makeGuide(ana);
  const answer = await fetch(`${server.url}/api/2.0/user/media/documents?file=plan.pdf`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}`, 'Content-Type': 'application/pdf' },
    body: pdfFile(),
  });
  const { documentid, guid } = z.object({ documentid: z.int(), guid: z.string() }).parse(await answer.json());
  const save = (own: string): Partial<BatchCall> => ({
    method: 'PATCH',
    path: `/guides/${guideid}`,
    query: { revisionid: String(revisionid) },
    body: { documents: [documentid] },
    files: [{ kind: 'document', id: documentid, guid: own }],
  });
  const [other] = results(await batch([save('anotherGuid')]));
  expect([other?.status, other?.body]).toEqual([404, expect.objectContaining({ code: 'other-record' })]);
  expect((await ana.client.guides.read({ params: { guideid } })).documents).toEqual([]);
  const [same] = results(await batch([save(guid)]));
  expect(same?.status).toBe(200);
});
