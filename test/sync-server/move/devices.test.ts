import { expect, test } from 'vitest';

import type { TestPerson, TestServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';
import { makeGuide, seenBy } from '#test/support/workshop.ts';

import { newDisk } from '../../desktop/engine/support/device.ts';
import { startWholeDevice } from '../../desktop/engine/support/whole-device.ts';
import { back, move, onDatabase, onSqlite, places, there } from './sites.ts';

/** A call with a key; whether it was replayed, and its comment. */
async function comment(server: TestServer, ana: TestPerson, guideid: number, key: string) {
  const answer = await fetch(`${server.url}/api/2.0/comments/guide/${guideid}`, {
    method: 'POST',
    headers: {
      Authorization: `api ${ana.token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': `a key of 24 characters ${key}`.replaceAll(' ', '-'),
    },
    body: JSON.stringify({ text: key }),
  });
  const { commentid } = (await answer.json()) as { commentid: number };
  return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), commentid };
}

async function identityOf(server: TestServer): Promise<unknown> {
  const answer = await fetch(`${server.url}/sync/1/identity?nonce=0123456789abcdef&origin=${server.url}`);
  const { server: id, publicKey } = (await answer.json()) as { server: string; publicKey: string };
  return { status: answer.status, id, publicKey };
}

test('MOVE-10 a checkpoint from before a move is continued after it, and a repeated call is replayed, there and back', async () => {
  await using at = await places();
  let server = await onSqlite(at);
  await using _ = { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  const { guideid } = await makeGuide(ana);
  const identity = await identityOf(server);
  const first = await comment(server, ana, guideid, 'first');
  let { checkpoint } = await sync(server, ana, 'bootstrap?collections=guides,comments');
  for (const [args, open] of [
    [there(at), () => onDatabase(at)],
    [back(at), () => onSqlite(at)],
  ] as const) {
    await server[Symbol.asyncDispose]();
    expect(await move(...args)).toMatchObject({ code: 0, err: '' });
    server = await open();
    expect(await identityOf(server)).toEqual(identity);
    expect(await comment(server, ana, guideid, 'first')).toEqual({ ...first, replayed: 'true' });
    const nothing = await sync(server, ana, `pull?since=${checkpoint}&collections=guides,comments`);
    expect({ status: nothing.status, rows: nothing.rows }).toEqual({ status: 200, rows: [] });
    const made = await comment(server, ana, guideid, `after ${args[0]}`);
    expect(made).toMatchObject({ status: 201, replayed: null });
    const pulled = await sync(server, ana, `pull?since=${checkpoint}&collections=guides,comments`);
    expect(pulled.rows.map(({ c, id }) => [c, id])).toEqual([['comments', String(made.commentid)]]);
    ({ checkpoint } = pulled);
  }
});

test('MOVE-10 a device sends what it wrote during a move and goes on without another first load', async () => {
  await using at = await places();
  let server = await onSqlite(at);
  await using _ = { [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  await server.category('Bench Grinder');
  const ada = await server.person('Ada');
  const { guideid } = await makeGuide(ada);
  let url: string | null = server.url;
  const loads: string[] = [];
  await using device = await startWholeDevice((path) => {
    if (path.includes('bootstrap') && url !== null) loads.push(path);
    return url;
  }, newDisk());
  const { actions } = device;
  await device.signIn('Ada');
  await device.inSync();
  expect(loads.length).toBeGreaterThan(0);
  loads.length = 0;
  for (const [args, open] of [
    [there(at), () => onDatabase(at)],
    [back(at), () => onSqlite(at)],
  ] as const) {
    url = null;
    await server[Symbol.asyncDispose]();
    await actions.comment('guide', String(guideid), `During ${args[0]}`);
    expect(await move(...args)).toMatchObject({ code: 0, err: '' });
    server = await open();
    ({ url } = server);
    const ben = await server.person(args[0] === '--to' ? 'Ben' : 'Eva');
    const other = await makeGuide(ben);
    actions.syncNow();
    await device.shows((guide) => guide?.title === 'Belt', 'guide', String(other.guideid));
    await device.inSync();
  }
  const texts = (await seenBy(server, ada, 'comments')).map(
    ({ doc }) => (doc as { text_raw: string }).text_raw,
  );
  expect(texts.toSorted()).toEqual(['During --from', 'During --to']);
  expect(loads).toEqual([]);
});
