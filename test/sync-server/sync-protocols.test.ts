import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

import type { ProtocolRange } from '#shared/sync/protocol.ts';
import { type BatchCall, collectionName, type SyncedCollection } from '#shared/sync/wire.ts';
import { documentText, newCollections, newFields } from '#server/sync/feed-line.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { newInDocuments, pinnedWire, presentWire } from '#test/support/wire-shape.ts';

const pinned = pinnedWire(5);
const ajv = new Ajv2020({ strict: false });

/** The flaws of `value` as this message of protocol 5. */
function flawsOf(message: string, value: unknown): unknown[] {
  const validate = ajv.compile(pinned.messages[message] ?? false);
  return validate(value) ? [] : [message, value, ...(validate.errors ?? [])];
}

/** The flaws of a row with its document: devices of protocol 5 parse some documents strictly when they merge. */
function flawsOfRow(row: unknown): unknown[] {
  const { c, doc } = row as { c: string; doc?: unknown };
  const validate = ajv.compile(pinned.documents[c] ?? false);
  const isKnown = doc === undefined || validate(doc);
  return [...flawsOf('feedRow', row), ...(isKnown ? [] : [c, doc, ...(validate.errors ?? [])])];
}

async function world(protocols?: ProtocolRange): Promise<{ server: TestServer; ana: TestPerson }> {
  const server = await startServer(protocols === undefined ? {} : { protocols });
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  await ana.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'Belt', public: true },
  });
  return { server, ana };
}

function ask(server: TestServer, { token }: TestPerson, path: string, body?: object): Promise<Response> {
  return fetch(`${server.url}/sync/1/${path}`, {
    headers: { Authorization: `api ${token}` },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
}

async function linesOf(answer: Promise<Response>): Promise<Record<string, unknown>[]> {
  const response = await answer;
  expect(response.status).toBe(200);
  const text = await response.text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The first events of a stream, with their names. */
async function eventsOf(answer: Promise<Response>, count: number): Promise<[string, unknown][]> {
  const { body } = await answer;
  const events: [string, unknown][] = [];
  let text = '';
  for await (const part of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += part;
    const whole = text.split('\n\n').slice(0, -1);
    if (whole.length < count) continue;
    for (const event of whole.slice(0, count)) {
      const [name = '', data = ''] = event.split('\ndata: ');
      events.push([name.replace(/^.*event: /s, ''), JSON.parse(data)]);
    }
    break;
  }
  return events;
}

const call = (id: string, body: object): BatchCall => ({
  id,
  lane: 'comments',
  method: 'POST',
  path: '/comments/guide/1',
  body,
});

test.each(['', '&protocol=six', '&protocol=6-5', '&protocol=', '&protocol=5'])(
  'PROTOCOL-5 a device that announces nothing readable gets the exact messages of protocol 5 (%s)',
  async (announcement) => {
    const { server, ana } = await world();
    await using _ = server;
    for (const path of ['bootstrap?', 'pull?since=0.0']) {
      const lines = await linesOf(ask(server, ana, path + announcement));
      expect(lines.length).toBeGreaterThan(2);
      expect(flawsOf('feedHead', lines[0])).toEqual([]);
      for (const row of lines.slice(1, -1)) expect(flawsOfRow(row)).toEqual([]);
      expect(flawsOf('feedTail', lines.at(-1))).toEqual([]);
    }
    const stream = await eventsOf(ask(server, ana, `events?since=0.0${announcement}`), 2);
    expect(stream.map(([name]) => name)).toEqual(['head', 'rows']);
    expect(flawsOf('feedHead', stream[0]?.[1])).toEqual([]);
    expect(flawsOf('rowsEvent', stream[1]?.[1])).toEqual([]);
    const { rows } = Object(stream[1]?.[1]) as { rows: unknown[] };
    expect(rows.flatMap(flawsOfRow)).toEqual([]);

    const calls = [
      call('call-posts', { text: 'Good' }),
      call('call-refused', { odd: 1 }),
      call('call-unrun', {}),
    ];
    const results = await linesOf(ask(server, ana, `batch?${announcement}`, { protocol: 5, calls }));
    expect(flawsOf('feedHead', results[0])).toEqual([]);
    expect(results.slice(1).map(({ status }) => status)).toEqual([201, 422, 0]);
    for (const result of results.slice(1)) {
      expect(flawsOf('batchResult', result)).toEqual([]);
      expect((result['rows'] as unknown[]).flatMap(flawsOfRow)).toEqual([]);
    }
  },
);

test('PROTOCOL-5 the check of exact messages finds what a device of protocol 5 would refuse', () => {
  const head = { protocol: 5, history: 'h', now: 1 };
  expect(flawsOf('feedHead', head)).toEqual([]);
  expect(flawsOf('feedHead', { ...head, server: 'x' })).not.toEqual([]);
  expect(flawsOf('feedHead', { ...head, protocol: 6 })).not.toEqual([]);
  const row = { c: 'comments', id: '1', seq: 1, doc: { uid: 'x' } };
  expect(flawsOfRow(row)).not.toEqual([]);
});

/** Where documents have the schemas to which they refer by name. */
const places = {
  'guides.$defs.StepFormField': 'guides.prerequisite_releases.items.released.forms.items.fields.items',
  'stepForms.$defs.StepFormField': 'stepForms.fields.items',
};

test('PROTOCOL-5 the lists of fields and collections that documents gained are complete', () => {
  const listed = Object.entries(newFields).flatMap(([c, fields]) => fields.map((field) => `${c}.${field}`));
  const found = newInDocuments(pinned, presentWire()).map((path) =>
    Object.entries(places).reduce((now, [name, place]) => now.replace(name, place), path),
  );
  expect(found.toSorted(), 'Add the field to `newFields` in sync-server/sync/feed-line.ts.').toEqual(
    [...listed, ...newCollections].toSorted(),
  );
});

/** `inside` at a path, with `items` for the elements of a list. */
function nested(path: readonly string[], inside: object): object {
  return path.reduceRight<object>((value, name) => (name === 'items' ? [value] : { [name]: value }), inside);
}

test.each(Object.entries(newFields))('PROTOCOL-5 %s are sent without the fields %j', (name, fields) => {
  const c = collectionName.parse(name);
  for (const path of fields) {
    const names = path.split('.');
    const last = names.at(-1) ?? '';
    const body = JSON.stringify({ id: 1, ...nested(names.slice(0, -1), { [last]: 'new', old: 3 }), at: 2 });
    expect(JSON.parse(documentText({ c, id: '1', seq: 1, uid: 'new', body }, 5) ?? '')).toEqual({
      id: 1,
      ...nested(names.slice(0, -1), { old: 3 }),
      at: 2,
    });
  }
  // Devices of protocol 6 get everything.
  const text = documentText({ c, id: '1', seq: 1, uid: 'new', body: '{"id":1,"fresh":2}' }, 6);
  expect(JSON.parse(text ?? '')).toEqual({
    id: 1,
    fresh: 2,
    ...(fields.includes('uid') ? { uid: 'new' } : {}),
  });
});

test.each([
  ['5', []],
  ['6', ['comments']],
])(
  'PROTOCOL-5 in protocol %s, the rows of a new collection that arrive are %j',
  async (protocol, expected) => {
    const { server, ana } = await world();
    await using _ = server;
    await linesOf(ask(server, ana, 'batch', { protocol: 5, calls: [call('call-first', { text: 'Good' })] }));
    // Comments stand for a collection that protocol 5 does not have.
    const planted = newCollections as Set<SyncedCollection>;
    planted.add('comments');
    try {
      const query = `protocol=${protocol}-${protocol}`;
      const named = (rows: unknown): string[] => [
        ...new Set((rows as { c: string }[]).map(({ c }) => c).filter((c) => c === 'comments')),
      ];
      for (const path of ['bootstrap?', 'pull?since=0.0&', 'digest?']) {
        const [head, ...rows] = await linesOf(ask(server, ana, path + query));
        expect([path, named(rows)]).toEqual([path, expected]);
        if (path === 'bootstrap?') expect(head?.['total']).toBe(rows.length - 1);
      }
      const [, event] = await eventsOf(ask(server, ana, `events?since=0.0&${query}`), 2);
      expect(named((Object(event?.[1]) as { rows: unknown }).rows)).toEqual(expected);
      const calls = [call('call-posts', { text: 'Fine' })];
      const body = { protocol: Number(protocol), calls };
      const [, result] = await linesOf(ask(server, ana, `batch?${query}`, body));
      expect([result?.['status'], named(result?.['rows'])]).toEqual([201, expected]);
      const [, answer] = await linesOf(ask(server, ana, `answers?${query}`, { keys: ['call-posts'] }));
      expect(named(answer?.['rows'])).toEqual(expected);
    } finally {
      planted.delete('comments');
    }
  },
);

test('PROTOCOL-5 a batch without an announced protocol is read strictly, like protocol 5', async () => {
  const { server, ana } = await world();
  await using _ = server;
  for (const body of [
    { protocol: 6, calls: [] },
    { protocol: 4, calls: [] },
    { calls: [] },
    { protocol: 5, calls: [], place: '1.a' },
    { protocol: 5, calls: [{ ...call('call-odd', {}), odd: true }] },
  ])
    expect((await ask(server, ana, 'batch', body)).status).toBe(422);
});

test.each([
  ['5-6', 6],
  ['5-9', 6],
  ['6-6', 6],
  ['5-5', 5],
])('PROTOCOL-4 the server answers %s in protocol %i', async (announcement, protocol) => {
  const { server, ana } = await world();
  await using _ = server;
  const query = `protocol=${announcement}`;
  for (const path of [`bootstrap?${query}`, `pull?since=0.0&${query}`])
    expect((await linesOf(ask(server, ana, path)))[0]).toMatchObject({ protocol });
  expect((await linesOf(ask(server, ana, `batch?${query}`, { protocol, calls: [] })))[0]).toMatchObject({
    protocol,
  });
  const [head] = await eventsOf(ask(server, ana, `events?since=0.0&${query}`), 1);
  expect(head).toEqual(['head', expect.objectContaining({ protocol })]);
});

test('PROTOCOL-3 the server ignores unknown fields of newer devices', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const body = {
    protocol: 9,
    odd: true,
    calls: [{ ...call('call-posts', { text: 'Good' }), odd: [1] }],
  };
  const [, result] = await linesOf(ask(server, ana, 'batch?protocol=5-9', body));
  expect(result).toMatchObject({ id: 'call-posts', status: 201 });
});

test.each([
  ['an announced range that is too old', '5-6', { oldest: 7, newest: 9 }, 426, 'client-too-old'],
  // Devices that announce nothing park their work on 4xx, and retry on 5xx.
  ['a device that announces nothing', '', { oldest: 6, newest: 9 }, 503, 'client-too-old'],
  ['an announced range that is too new', '7-9', { oldest: 5, newest: 6 }, 503, 'server-too-old'],
])('PROTOCOL-6 %s is refused with its own code', async (_, announcement, protocols, status, code) => {
  const { server, ana } = await world(protocols);
  await using _server = server;
  const query = announcement === '' ? '' : `&protocol=${announcement}`;
  for (const path of [`bootstrap?${query}`, `pull?since=0.0${query}`, `events?since=0.0${query}`]) {
    const answer = await ask(server, ana, path);
    expect([path, answer.status]).toEqual([path, status]);
    expect(await answer.json()).toMatchObject({ error: true, code });
  }
  const answer = await ask(server, ana, `batch?${query}`, { protocol: 5, calls: [] });
  expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ code })]);
});

test('FEED-15 an initial load can continue after a record, and ends with the checkpoint of its first request', async () => {
  const { server, ana } = await world();
  await using _ = server;
  const whole = await linesOf(ask(server, ana, 'bootstrap?protocol=5-6'));
  const checkpoint = String(whole[0]?.['checkpoint']);
  expect(whole[0]).toMatchObject({ after: 0, total: whole.length - 2 });
  const last = Number(whole[2]?.['seq']);
  await ana.client.guides.create({ body: { category: 'Bench Grinder', type: 'repair', title: 'Later' } });
  const rest = await linesOf(ask(server, ana, `bootstrap?protocol=5-6&since=${checkpoint}&after=${last}`));
  expect(rest[0]).toMatchObject({ checkpoint, after: last, total: rest.length - 2 });
  expect(rest.slice(1).every((line) => !('seq' in line) || Number(line['seq']) > last)).toBe(true);
  expect(rest.at(-1)).toEqual({ checkpoint, more: false });
  expect(rest.length).toBe(whole.length - 2 + 1);
  const elsewhere = await ask(server, ana, `bootstrap?protocol=5-6&since=1.ffff&after=${last}`);
  expect(elsewhere.status).toBe(410);
});
