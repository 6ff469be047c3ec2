import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { decided } from '#test/support/decided.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk, serverAddress } from './support/device.ts';
import { openWholeDevice } from './support/whole-device.ts';

/** Adds fields that no device knows to every message, row and document, like a newer server of the same protocol. */
function withAdditions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAdditions);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, withAdditions(item)] as const);
  // Headers and temporary ids are maps, not records.
  const tables = new Set(['headers', 'created']);
  const kept = entries.map(([name, item]) => [name, tables.has(name) ? Object(value)[name] : item] as const);
  return { ...Object.fromEntries(kept), addedLater: { by: ['a newer server'] } };
}

const unknownRow = JSON.stringify({ c: 'drawings', id: '1', seq: 1, doc: { lines: 3 } });

function lineWithAdditions(line: string): string {
  if (line.startsWith('data: ')) return `data: ${lineWithAdditions(line.slice(6))}`;
  if (!line.startsWith('{')) return line;
  return JSON.stringify(withAdditions(JSON.parse(line)));
}

/** A connection to a newer server: additions everywhere, an unknown collection and an unknown event. */
function toNewerServer(server: TestServer, isThere: () => boolean): typeof fetch {
  return async (input, init) => {
    if (!isThere()) throw new TypeError('fetch failed');
    const url = (input instanceof Request ? input.url : String(input)).replace(serverAddress, server.url);
    const response = await fetch(url, init);
    if (!url.includes('/sync/1/') || !response.ok || response.body === null) return response;
    const isStream = url.includes('/events');
    let rest = '';
    let lines = 0;
    const grown = new TransformStream<string, string>({
      transform(text, controller) {
        const parts = (rest + text).split('\n');
        rest = parts.pop() ?? '';
        for (const part of parts) {
          controller.enqueue(`${lineWithAdditions(part)}\n`);
          lines += 1;
          if (lines === 1 && /\/(pull|bootstrap)/.test(url)) controller.enqueue(`${unknownRow}\n`);
          if (part === '' && isStream && lines < 8)
            controller.enqueue('event: weather\ndata: {"rain":1}\n\n');
        }
      },
      flush: (controller) => controller.enqueue(lineWithAdditions(rest)),
    });
    const body = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(grown)
      .pipeThrough(new TextEncoderStream());
    const headers = new Headers(response.headers);
    headers.delete('content-encoding');
    headers.delete('content-length');
    return new Response(body, { status: response.status, headers });
  };
}

test('PROTOCOL-3 a device syncs with a server that sends more than it knows', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ana = await server.person('Ana', ['User', 'Author']);
  const ben = await server.person('Ben', ['User', 'Author']);
  const guide = await makeGuide(ana);
  const contested = await makeGuide(ana);
  let isThere = true;
  await using device = await openWholeDevice(
    toNewerServer(server, () => isThere),
    newDisk(),
  );
  const { actions } = device;
  await device.signIn('Ana');
  await device.inSync();
  await ben.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'By Ben', public: true },
  });
  await device.shows(({ guides }) => guides.some(({ title }) => title === 'By Ben'), 'library', {
    category: null,
  });

  isThere = false;
  for (const { guideid } of [guide, contested]) {
    await device.shows((one) => one !== null, 'guide', String(guideid));
    await actions.openDraft(String(guideid));
    await actions.editDraft(String(guideid), { op: 'setText', field: 'title', value: 'As Ana says' });
    await actions.saveDraft(String(guideid));
  }
  await actions.comment('guide', String(guide.guideid), 'Said offline');
  for (const [one, body] of [
    [guide, { summary: 'As Ben says' }],
    [contested, { title: 'As Ben says' }],
  ] as const)
    await ben.client.guides.patch({
      params: { guideid: one.guideid },
      revisionid: one.revisionid,
      body,
    });
  isThere = true;
  actions.syncNow();
  await device.inSync();
  const read = async (guideid: number): Promise<unknown> =>
    (await ana.call('GET', `/guides/${guideid}`)).body;
  expect(await read(guide.guideid)).toMatchObject({ title: 'As Ana says', summary: 'As Ben says' });
  const decision = must(await device.look('conflict', String(contested.guideid)), 'the decision');
  await actions.resolveConflicts(String(contested.guideid), [
    decided(decision.conflicts[0], { take: 'mine' }),
  ]);
  await device.inSync();
  expect(await read(contested.guideid)).toMatchObject({ title: 'As Ana says' });
  expect(await device.look('syncState')).toMatchObject({ parked: 0, conflicts: 0, trouble: null });
});
