import { afterAll, beforeAll, expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { readResult } from '#shared/sync/reading.ts';
import type { BatchCall, BatchResult } from '#shared/sync/wire.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

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

async function ask(path: string, body?: object): Promise<Answered> {
  const answer = await fetch(`${server.url}/sync/1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `api ${ana.token}`, 'Content-Type': 'application/json' },
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

async function newestPlace(): Promise<string> {
  const { lines } = await ask('bootstrap?protocol=5-6&collections=people');
  return String(must(lines.at(-1), 'a tail')['checkpoint']);
}

function commentOn(guideid: number, text: string): Partial<BatchCall> {
  return { method: 'POST', path: `/comments/guide/${guideid}`, body: { text } };
}

async function commentsOn(guideid: number): Promise<string[]> {
  const { body } = await ana.call('GET', `/comments?context=guide&contextid=${guideid}`);
  return JSON.stringify(body).match(/"text_raw":"[^"]*"/g) ?? [];
}

test('F18 a place that this history does not hold is answered with 410 wherever it is told, and no call is run', async () => {
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
  // What it knows is no trouble, wherever it stands.
  expect((await ask(`pull?since=0.0&seen=${known}`)).status).toBe(200);
});

test('F18 a place ahead of this server proves a restore: all numbers leap, once, before anything is answered', async () => {
  const before = await makeGuide(ana);
  const seq = Number((await newestPlace()).split('.')[0]);
  const tell = (place: number): Promise<Answered> => ask(`pull?since=${place}.abcdef012345`);
  await tell(seq + 50_000);
  const after = await makeGuide(ana);
  expect(after.guideid).toBeGreaterThan(before.guideid + 1_000_000);
  expect(after.revisionid).toBeGreaterThan(before.revisionid + 1_000_000);
  expect(Number((await newestPlace()).split('.')[0])).toBeGreaterThan(seq + 1_050_000);
  // Others of the same lost history come later: the numbers are beyond them already.
  await tell(seq + 90_000);
  expect((await makeGuide(ana)).guideid).toBe(after.guideid + 1);
});

test('F16 from protocol 6 on documents say which record they are, and results where the feed stands', async () => {
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

test('F17 a call for a record whose number belongs to another one is refused, and has no effect', async () => {
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
