import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { contextForJob } from '#server/core/job.ts';
import { keyFileName } from '#server/core/identity/server-key.ts';
import { addMember, removeMember } from '#server/features/teams/members.ts';
import { must } from '#shared/must.ts';
import { randomOf } from '#test/simulation/random.ts';
import { forgetDatabaseOf, onPostgres } from '#test/support/postgres-databases.ts';
import { openRaw } from '#test/support/raw-database.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

/** One request and its response, byte by byte. Bodies are UTF-8. */
export interface Vector {
  /** By which `docs/sync-protocol.md` names it. */
  name: string;
  request: { method: string; target: string; headers: Record<string, string>; body?: string };
  /** `body`: of an event stream, its beginning. */
  response: { status: number; headers: Record<string, string>; body: string };
}

/** Headers of responses that clients of the protocol read. */
const read = ['content-type', 'cache-control', 'retry-after'];
const minuteMs = 60_000;
/** Random bytes that a server on SQLite draws at its start. */
const drawnAtStart = 18;
const startMs = Date.parse('2026-01-05T08:00:00Z');

/** Random bytes that are the same in each run. */
function fixedBytes(): (size: number) => Uint8Array {
  const random = randomOf(2026);
  return (size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256));
}

/**
 * Plays the requests of the documentation against a server with a fixed key, clock and randomness, so that its responses
 * are the same bytes each time.
 */
export async function playVectors(): Promise<Vector[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'benchbook-vectors-'));
  cpSync(join(import.meta.dirname, 'server-key.pem'), join(dataDir, keyFileName));
  if (onPostgres()) await storeKey(dataDir);
  const clock = { now: startMs };
  let bytes = fixedBytes();
  const server = await startServer({ dataDir, now: () => clock.now, randomBytes: (size) => bytes(size) });
  // Nodes on PostgreSQL draw more at their start. Both continue at the same byte.
  bytes = fixedBytes();
  bytes(drawnAtStart);
  try {
    return await new Scenario(server, clock).play();
  } finally {
    await server[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true, force: true });
    await forgetDatabaseOf(dataDir);
  }
}

/** Puts the fixed key where nodes on PostgreSQL have it. */
async function storeKey(dataDir: string): Promise<void> {
  await using raw = await openRaw(dataDir);
  const pem = readFileSync(join(dataDir, keyFileName), 'utf8');
  await raw.past(() => raw.db.insertInto('server_keys').values({ name: 'server', pem }).execute());
}

/** What is asked, and in which order. Ana is an author, Ben a reader. */
class Scenario {
  readonly #server: TestServer;
  /** A minute passes before each request. */
  readonly #clock: { now: number };
  readonly #vectors: Vector[] = [];

  constructor(server: TestServer, clock: { now: number }) {
    this.#server = server;
    this.#clock = clock;
  }

  async play(): Promise<Vector[]> {
    const server = this.#server;
    await server.category('Bench Grinder');
    const ana = await server.person('Ana');
    const ben = await server.person('Ben', ['User']);
    const { id } = await server.services.identity.key();
    const base = (name: string): string => `protocol=6&server=${id}&request=${name}`;

    await this.#ask('identity', {
      target: `/sync/1/identity?nonce=AAAAAAAAAAAAAAAAAAAAAA&origin=http://127.0.0.1&protocol=6`,
    });
    await this.#ask('sign-in', {
      method: 'POST',
      target: '/api/2.0/user/token',
      body: JSON.stringify({ email: 'ben@example.com', password: 'a long password' }),
    });
    const first = await this.#ask('first-load', {
      target: `/sync/1/bootstrap?${base('r1')}&collections=guides,wikis,people`,
      as: ben,
    });
    const loaded = checkpointIn(first);
    await this.#ask('pull-nothing-new', { target: `/sync/1/pull?${base('r2')}&since=${loaded}`, as: ben });

    const guide = '018f0000-0000-7000-8000-000000000001';
    const step = '018f0000-0000-7000-8000-000000000002';
    const calls = [
      {
        id: guide,
        lane: `guide tmp:${guide}`,
        method: 'POST',
        path: '/guides',
        body: { category: 'Bench Grinder', type: 'repair', title: 'Change the belt', public: true },
      },
      {
        id: step,
        lane: `guide tmp:${guide}`,
        method: 'POST',
        path: `/guides/tmp:${guide}/steps`,
        query: { revisionid: 'previous' },
        body: { orderby: 1, title: 'Unplug', lines: [{ bullet: 'black', level: 0, text: 'Pull the plug.' }] },
      },
      {
        id: '018f0000-0000-7000-8000-000000000003',
        lane: `comments tmp:${guide}`,
        method: 'POST',
        path: `/comments/guide/tmp:${guide}`,
        body: { text: 'Which belt?' },
      },
    ];
    const batch = { protocol: 6, calls };
    await this.#ask('batch', { method: 'POST', target: `/sync/1/batch?${base('r3')}`, as: ana, json: batch });
    await this.#ask('batch-again', {
      method: 'POST',
      target: `/sync/1/batch?${base('r4')}`,
      as: ana,
      json: { protocol: 6, calls: calls.slice(0, 1) },
    });
    await this.#ask('answers', {
      method: 'POST',
      target: `/sync/1/answers?${base('r5')}`,
      as: ana,
      json: { keys: [guide, '018f0000-0000-7000-8000-00000000ffff'] },
    });
    const moved = await this.#ask('pull-changes', {
      target: `/sync/1/pull?${base('r6')}&since=${loaded}&seen=${loaded}&collections=guides,comments`,
      as: ben,
    });

    const { revisionid } = await ana.client.guides.read({ params: { guideid: 1 } });
    const conflicting = [
      {
        id: '018f0000-0000-7000-8000-000000000004',
        lane: 'guide 1',
        method: 'PATCH',
        path: '/guides/1',
        query: { revisionid: '1' },
        body: { title: 'Replace the belt' },
      },
      {
        id: '018f0000-0000-7000-8000-000000000005',
        lane: 'guide 1',
        method: 'PATCH',
        path: '/guides/1',
        query: { revisionid: 'previous' },
        body: { summary: 'Ten minutes.' },
      },
    ];
    await this.#ask('batch-conflict', {
      method: 'POST',
      target: `/sync/1/batch?${base('r7')}`,
      as: ana,
      json: { protocol: 6, calls: conflicting },
    });

    await this.#privately(ana, revisionid);
    const hidden = await this.#ask('pull-removed', {
      target: `/sync/1/pull?${base('r8')}&since=${checkpointIn(moved)}&seen=${checkpointIn(moved)}&collections=guides`,
      as: ben,
    });
    const teamid = await this.#shareWithTeam(ana, ben);
    const shared = await this.#ask('pull-access-given', {
      target: `/sync/1/pull?${base('r9')}&since=${checkpointIn(hidden)}&collections=guides`,
      as: ben,
    });
    await contextForJob(server.services, null, (ctx) => removeMember(ctx, teamid, ben.userid));
    await this.#ask('pull-access-taken', {
      target: `/sync/1/pull?${base('r10')}&since=${checkpointIn(shared)}&collections=guides`,
      as: ben,
    });

    await this.#ask('digest', { target: `/sync/1/digest?${base('r11')}`, as: ben });
    await this.#ask('records', {
      method: 'POST',
      target: `/sync/1/records?${base('r12')}`,
      as: ben,
      json: {
        records: [
          { c: 'wikis', id: '1' },
          { c: 'guides', id: '1' },
        ],
      },
    });
    await this.#events(`/sync/1/events?${base('r13')}&since=${checkpointIn(shared)}`, ben);

    await this.#ask('unknown-place', { target: `/sync/1/pull?${base('r14')}&since=999.abc`, as: ben });
    await this.#ask('other-server', {
      target: `/sync/1/pull?protocol=6&server=aaaaaaaaaaaaaaaaaaaaaaaaaa&request=r15&since=0.0`,
      as: ben,
    });
    await this.#ask('too-old', { target: `/sync/1/pull?protocol=1-4&request=r16&since=0.0`, as: ben });
    await this.#ask('signed-out', {
      target: `/sync/1/pull?${base('r17')}&since=0.0`,
      headers: { authorization: 'api none' },
    });
    return this.#vectors;
  }

  async #ask(
    name: string,
    {
      method = 'GET',
      target,
      as,
      headers = {},
      json,
      body = json === undefined ? undefined : JSON.stringify(json),
    }: {
      method?: 'GET' | 'POST';
      target: string;
      as?: TestPerson;
      headers?: Record<string, string>;
      json?: unknown;
      body?: string;
    },
  ): Promise<Vector> {
    const sent = {
      ...(as === undefined ? {} : { authorization: `api ${as.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    this.#clock.now += minuteMs;
    const response = await this.#server.app.inject({
      method,
      url: target,
      headers: sent,
      ...(body === undefined ? {} : { payload: body }),
    });
    const vector: Vector = {
      name,
      request: { method, target, headers: sent, ...(body === undefined ? {} : { body }) },
      response: {
        status: response.statusCode,
        headers: Object.fromEntries(
          read.flatMap((one) => {
            const value = response.headers[one];
            return value === undefined ? [] : [[one, String(value)]];
          }),
        ),
        body: response.body,
      },
    };
    this.#vectors.push(vector);
    return vector;
  }

  /** The beginning of an event stream: the head, and the rows that it begins with. */
  async #events(target: string, as: TestPerson): Promise<void> {
    this.#clock.now += minuteMs;
    const stop = new AbortController();
    const headers = { authorization: `api ${as.token}` };
    const response = await fetch(this.#server.url + target, { headers, signal: stop.signal });
    let body = '';
    for await (const piece of must(response.body, 'a body').pipeThrough(new TextDecoderStream())) {
      body += piece;
      if (body.split('\n\n').length > 2) break;
    }
    stop.abort();
    this.#vectors.push({
      name: 'events',
      request: { method: 'GET', target, headers },
      response: {
        status: response.status,
        headers: Object.fromEntries(
          read.flatMap((one) => {
            const value = response.headers.get(one);
            return value === null ? [] : [[one, value]];
          }),
        ),
        body,
      },
    });
  }

  async #privately(author: TestPerson, revisionid: number): Promise<void> {
    mustSucceed(await author.call('DELETE', `/guides/1/public?revisionid=${revisionid}`));
  }

  /** Shares the guide with a new team, and lets Ben join it. */
  async #shareWithTeam(author: TestPerson, { userid }: TestPerson): Promise<number> {
    const { services } = this.#server;
    const teamid = await contextForJob(services, null, async ({ db, seconds }) => {
      const team = { name: 'Workshop', description: '', created_date: seconds };
      const row = await db.insertInto('teams').values(team).returning('teamid').executeTakeFirstOrThrow();
      return row.teamid;
    });
    await contextForJob(services, null, (ctx) => addMember(ctx, teamid, author.userid));
    mustSucceed(await author.call('PUT', `/guides/1/teams/${teamid}`));
    await contextForJob(services, null, (ctx) => addMember(ctx, teamid, userid));
    return teamid;
  }
}

function mustSucceed({ status, body }: { status: number; body: unknown }): void {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
}

/** The checkpoint in the last line of a response. */
function checkpointIn({ response: { body } }: Vector): string {
  const last = must(body.trimEnd().split('\n').at(-1), 'a last line');
  return (JSON.parse(last) as { checkpoint: string }).checkpoint;
}
