import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import type { Context } from '#server/core/context.ts';
import { contextForJob } from '#server/core/job.ts';
import { addMember, removeMember } from '#server/features/teams/members.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';
import { soon } from '#test/support/soon.ts';
import { sync } from '#test/support/sync-calls.ts';

import { StreamingDevice } from '../feed-access/stream.ts';
import { at, threeNodes, type Nodes } from './world.ts';

let nodes: Nodes;
let ana: TestPerson;
let admin: TestPerson;
let guide: Guide;

beforeAll(async () => {
  nodes = await threeNodes();
  await nodes.a.category('Radio');
  ana = await nodes.a.person('Ana');
  admin = await nodes.a.person('Ada', ['User', 'Author', 'Admin']);
  guide = await ana.client.guides.create({
    body: { category: 'Radio', type: 'repair', title: 'Radio', public: true },
  });
});
afterAll(() => nodes[Symbol.asyncDispose]());

/** The nodes in turn. */
function node(number: number): TestServer {
  return must(nodes.all[number % nodes.all.length], 'a node');
}

async function save(server: TestServer, summary: string): Promise<Guide> {
  const { body } = await at(server, ana)('GET', `/guides/${guide.guideid}`);
  const { revisionid } = body as Guide;
  const answer = await at(server, ana)('PATCH', `/guides/${guide.guideid}?revisionid=${revisionid}`, {
    summary,
  });
  expect(answer.status).toBe(200);
  return answer.body as Guide;
}

test('POSTGRES-6 what one node saved, another one answers at once, 200 times, also from its cache and to a client with an ETag', async () => {
  const path = `/guides/${guide.guideid}`;
  let tag = '';
  for (let round = 0; round < 200; round += 1) {
    const summary = `round ${round}`;
    await save(node(round), summary);
    const other = node(round + 1 + (round % 2));
    const answer = await at(other, ana)('GET', path, undefined, tag === '' ? {} : { 'If-None-Match': tag });
    expect(answer.status).toBe(200);
    expect((answer.body as Guide).summary).toBe(summary);
    tag = must(answer.headers.get('etag'), 'an ETag');
    // The second answer comes from the cache.
    const again = await at(other, ana)('GET', path, undefined, { 'If-None-Match': tag });
    expect(again.status).toBe(304);
    const anonymous = await fetch(`${node(round + 2).url}/api/2.0${path}`);
    expect(((await anonymous.json()) as Guide).summary).toBe(summary);
  }
});

test('POSTGRES-6 lists and pulls of another node have at once what one node saved', async () => {
  const { checkpoint } = await sync(nodes.a, ana, 'bootstrap?collections=people');
  for (let round = 0; round < 20; round += 1) {
    const title = `Made ${round}`;
    const { status } = await at(node(round), ana)('POST', '/guides', {
      category: 'Radio',
      type: 'repair',
      title,
      public: true,
    });
    expect(status).toBe(201);
    const list = await at(node(round + 1), ana)('GET', '/guides?limit=200');
    expect((list.body as Guide[]).map((one) => one.title)).toContain(title);
    const { rows } = await sync(node(round + 2), ana, `pull?since=${checkpoint}&limit=2000`);
    expect(JSON.stringify(rows)).toContain(`"${title}"`);
  }
});

test('POSTGRES-6 a session that ended at one node is refused by the others at once', async () => {
  for (let round = 0; round < 20; round += 1) {
    const token = await tokenOf(node(round));
    const there = at(node(round + 1), { token });
    expect((await there('GET', '/user')).status).toBe(200);
    expect((await at(node(round), { token })('DELETE', '/user/token')).status).toBe(204);
    expect((await there('GET', '/user')).status).toBe(401);
    expect((await at(node(round + 2), { token })('GET', '/user')).status).toBe(401);
  }
});

async function tokenOf(server: TestServer): Promise<string> {
  const answer = await fetch(`${server.url}/api/2.0/user/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.com', password: 'a long password' }),
  });
  return ((await answer.json()) as { authToken: string }).authToken;
}

test('POSTGRES-12 a setting that was changed at one node applies to the next request at another one', async () => {
  const statusAt = async (server: TestServer): Promise<number> =>
    (await fetch(`${server.url}/api/2.0/guides`)).status;
  for (let round = 0; round < 20; round += 1) {
    const isPrivate = round % 2 === 0;
    const change = await at(node(round), admin)('PATCH', '/site', { private: isPrivate });
    expect(change.status).toBe(200);
    expect(await statusAt(node(round + 1))).toBe(isPrivate ? 401 : 200);
    expect(await statusAt(node(round + 2))).toBe(isPrivate ? 401 : 200);
  }
});

test('POSTGRES-4 an event stream of one node tells what another one saved', async () => {
  const { checkpoint } = await sync(nodes.a, ana, 'bootstrap?collections=people');
  await using device = await StreamingDevice.open(nodes.b, ana, checkpoint);
  for (let round = 0; round < 10; round += 1) {
    await save(node(round), `told ${round}`);
    await device.until(() => JSON.stringify(device.events).includes(`told ${round}"`));
  }
  expect(device.hasEnded).toBe(false);
});

async function newTeam(name: string): Promise<number> {
  const made = await at(nodes.a, admin)('POST', '/teams', { name });
  expect(made.status).toBe(201);
  return (made.body as { teamid: number }).teamid;
}

/** Writes a record that the people of a team see. */
function put(ctx: Context, id: string, teamid: number): void {
  const form = { stepid: 1, guideid: 1, form_revisionid: 1, fields: [], title: id };
  ctx.changes.put('stepForms', id, form, [`team:${teamid}`]);
}

test('EVENT-14 a stream tells nothing that its person may no longer see, whichever nodes take the rights and write', async () => {
  const reader = await nodes.a.person('Rita', ['User']);
  const { checkpoint } = await sync(nodes.a, reader, 'bootstrap?collections=people');
  await using device = await StreamingDevice.open(nodes.b, reader, checkpoint);
  for (let round = 0; round < 30; round += 1) {
    const teamid = await newTeam(`Team ${round}`);
    const writing = round % 2 === 0 ? nodes.a : nodes.c;
    await contextForJob(node(round).services, null, (ctx) => addMember(ctx, teamid, reader.userid));
    await contextForJob(node(round + 1).services, null, async (ctx) => put(ctx, `seen ${round}`, teamid));
    await device.until(() => device.names.includes(`stepForms/seen ${round}`));
    await contextForJob(writing.services, null, async (ctx) => {
      await removeMember(ctx, teamid, reader.userid);
      put(ctx, `hidden ${round}`, teamid);
    });
    // The stream looks before its node has heard of the commit.
    nodes.b.services.bus.committed();
    await contextForJob(writing.services, null, async (ctx) => put(ctx, `hidden too ${round}`, teamid));
  }
  expect(device.hasEnded).toBe(false);
  // A removal may name a record that the person never had: it says nothing of its content.
  const told = device.events.flatMap(({ rows }) => rows).filter(({ removed }) => removed !== true);
  expect(told.map(({ id }) => id).filter((id) => String(id).startsWith('hidden'))).toEqual([]);
});

/** Whether a node waits for a lock of the table `documents`. */
async function waitsForDocuments(): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM pg_locks
    WHERE relation = 'documents'::regclass AND NOT granted`.execute(nodes.a.services.storage.reader);
  return rows.length > 0;
}

test('PULL-1 a pull tells nothing of what another node took from its person while it was answered', async () => {
  const reader = await nodes.a.person('Rosa', ['User']);
  const { checkpoint } = await sync(nodes.a, reader, 'bootstrap?collections=people');
  const pulled = async (): Promise<string[]> => {
    const { rows } = await sync(nodes.b, reader, `pull?since=${checkpoint}&limit=2000`);
    return rows.filter(({ removed }) => removed !== true).map(({ id }) => String(id));
  };
  for (let round = 0; round < 3; round += 1) {
    const teamid = await newTeam(`Crew ${round}`);
    await contextForJob(nodes.a.services, null, async (ctx) => {
      await addMember(ctx, teamid, reader.userid);
      put(ctx, `shared ${round}`, teamid);
    });
    expect(await pulled()).toContain(`shared ${round}`);
    // The pull knows the rights of its person, and then waits for this transaction before it reads.
    const told = await contextForJob(nodes.c.services, null, async (ctx) => {
      await sql`LOCK TABLE documents IN ACCESS EXCLUSIVE MODE`.execute(ctx.db);
      await removeMember(ctx, teamid, reader.userid);
      put(ctx, `secret ${round}`, teamid);
      const pull = pulled();
      await soon(waitsForDocuments).toBe(true);
      return { pull };
    }).then(({ pull }) => pull);
    expect(told).not.toContain(`secret ${round}`);
  }
});
