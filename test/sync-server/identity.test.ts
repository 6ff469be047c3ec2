import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { identityAnswer, identityMessage, serverIdOf, type IdentityAnswer } from '#shared/sync/identity.ts';
import { runCli } from '#server/cli/program.ts';
import { readConfig } from '#server/platform/config.ts';
import { makeServerKey, replaceServerKey } from '#server/core/identity/server-key.ts';
import { changeSite } from '#server/core/site.ts';
import { lockFolder } from '#server/storage/folder-lock.ts';
import * as first from '#server/storage/migrations/001-first.ts';
import * as accountIds from '#server/storage/migrations/036-account-ids.ts';
import type { Tables } from '#server/storage/tables.ts';
import { onlySqlite } from '#test/support/only-sqlite.ts';
import { memoryLog } from '#test/support/memory-log.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const nonce = Buffer.alloc(16, 7).toString('base64url');

async function ask(
  url: string,
  origin: string,
  asked = nonce,
): Promise<{ status: number; answer: IdentityAnswer }> {
  const query = new URLSearchParams({ nonce: asked, origin });
  const response = await fetch(`${url}/sync/1/identity?${query}`);
  const body: unknown = await response.json();
  return { status: response.status, answer: response.ok ? identityAnswer.parse(body) : (body as never) };
}

/** Whether a response proves that the server with its key is at `origin`. */
async function proves(
  { publicKey, server, signature }: IdentityAnswer,
  origin: string,
  asked = nonce,
): Promise<boolean> {
  if ((await serverIdOf(Uint8Array.from(Buffer.from(publicKey, 'base64url')))) !== server) return false;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  const message = identityMessage(asked, origin);
  return signature !== null && verify(null, message, key, Buffer.from(signature, 'base64url'));
}

describe('the key of the server', () => {
  onlySqlite('key')(
    "IDENTITY-1 the key is created at the first start, readable by the server's account only, and stays",
    async () => {
      await using folder = await temporaryFolder('identity');
      const ids: string[] = [];
      for (const start of ['first', 'second']) {
        await using server = await startServer({ dataDir: folder.path });
        const { answer } = await ask(server.url, server.url);
        expect(await proves(answer, server.url), start).toBe(true);
        ids.push(answer.server);
      }
      expect(ids[0]).toBe(ids[1]);
      expect(ids[0]).toMatch(/^[a-z2-7]{26}$/);
      const path = join(folder.path, 'server.key');
      expect(readFileSync(path, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readdirSync(folder.path).filter((name) => name.startsWith('server.key'))).toEqual([
        'server.key',
      ]);
    },
  );

  test('IDENTITY-1 two processes that create the key at the same time end up with the same one', async () => {
    await using folder = await temporaryFolder('identity');
    makeServerKey(folder.path);
    const first = readFileSync(join(folder.path, 'server.key'), 'utf8');
    makeServerKey(folder.path);
    expect(readFileSync(join(folder.path, 'server.key'), 'utf8')).toBe(first);
    expect(readdirSync(folder.path)).toEqual(['server.key']);
  });

  onlySqlite('key')(
    'IDENTITY-2 a missing, damaged or foreign key stops the start with a sentence',
    async () => {
      await using folder = await temporaryFolder('identity');
      await (await startServer({ dataDir: folder.path }))[Symbol.asyncDispose]();
      const path = join(folder.path, 'server.key');
      writeFileSync(path, 'no key');
      await expect(startServer({ dataDir: folder.path })).rejects.toThrow(
        /holds no Ed25519 key\. Put the file back/,
      );
      rmSync(path);
      await expect(startServer({ dataDir: folder.path })).rejects.toThrow(
        /server\.key is missing.*benchbook site new-key/,
      );
    },
  );

  onlySqlite('key')('IDENTITY-7 a key that others can read is made private, and the log warns', async () => {
    await using folder = await temporaryFolder('identity');
    await (await startServer({ dataDir: folder.path }))[Symbol.asyncDispose]();
    const path = join(folder.path, 'server.key');
    chmodSync(path, 0o644);
    const logged: string[] = [];
    await using server = await startServer({ dataDir: folder.path, log: memoryLog(logged) });
    expect(server.url).toBeDefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(logged.join('\n')).toContain('server.key was open to other accounts');
  });

  onlySqlite('key')('IDENTITY-8 a copied server gets another key, and the audit log records it', async () => {
    await using folder = await temporaryFolder('identity');
    const about = async (server: TestServer): Promise<{ server: string; rows: number }> => {
      const { answer } = await ask(server.url, server.url);
      const rows = await server.services.storage.reader
        .selectFrom('audit_log')
        .select('object_id')
        .where('action', '=', 'server key')
        .execute();
      return { server: answer.server, rows: rows.length };
    };
    const first = await startServer({ dataDir: folder.path });
    const before = await about(first);
    await first[Symbol.asyncDispose]();
    replaceServerKey(folder.path);
    await using server = await startServer({ dataDir: folder.path });
    const after = await about(server);
    expect(after.server).not.toBe(before.server);
    expect([before.rows, after.rows]).toEqual([0, 1]);
  });

  onlySqlite('key')('IDENTITY-2 a command replaces a lost key while no server runs', async () => {
    await using folder = await temporaryFolder('identity');
    const before = await startServer({ dataDir: folder.path });
    const { id } = await before.services.identity.key();
    await before[Symbol.asyncDispose]();
    rmSync(join(folder.path, 'server.key'));
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const terminal = { env: {}, out: say, err: say, input: async () => '' };
    const command = ['--data', folder.path, 'site', 'new-key'];
    {
      using running = lockFolder(folder.path);
      expect(running).not.toBeNull();
      expect(await runCli(command, terminal)).toBe(1);
    }
    expect(await runCli(command, terminal)).toBe(0);
    await using server = await startServer({ dataDir: folder.path });
    const now = await server.services.identity.key();
    expect(now.id).not.toBe(id);
    expect(lines.join('\n')).toContain(`This server is ${now.id} from now on.`);
  });
});

describe("the proof of the server's origin", () => {
  test('IDENTITY-3 the proof is given for configured origins, the listening origin, and loopback', async () => {
    await using server = await startServer({ origins: ['https://guides.example.org'] });
    await changeSite(server.services, { address: 'https://bench.example.com' });
    const named = [
      'https://guides.example.org',
      'https://bench.example.com',
      server.url,
      'http://localhost:4020',
      'http://[::1]:1',
    ];
    for (const origin of named) {
      const { answer } = await ask(server.url, origin);
      expect(await proves(answer, origin), origin).toBe(true);
    }
    const listening = { ...server.services, listensAt: 'http://192.168.4.5:4020' };
    server.services.listensAt = listening.listensAt;
    expect((await ask(server.url, listening.listensAt)).answer.signature).not.toBeNull();
  });

  test('IDENTITY-4 the proof is not given for any other origin, so the question cannot be relayed', async () => {
    await using server = await startServer({ origins: ['https://guides.example.org'] });
    const others = [
      'https://relay.example.net',
      'http://guides.example.org',
      'https://guides.example.org:8443',
      'https://127.0.0.1.example.net',
      'https://localhost.example.net',
    ];
    for (const origin of others)
      expect((await ask(server.url, origin)).answer, origin).toMatchObject({
        signature: null,
        code: 'origin-not-named',
      });
  });

  test('IDENTITY-3 the proof is valid only for its nonce and its origin', async () => {
    await using server = await startServer();
    const { answer } = await ask(server.url, 'http://localhost:1');
    expect(await proves(answer, 'http://localhost:1')).toBe(true);
    expect(await proves(answer, 'http://localhost:2')).toBe(false);
    expect(await proves(answer, 'http://localhost:1', Buffer.alloc(16, 8).toString('base64url'))).toBe(false);
    const refused: [string, string][] = [
      [nonce.slice(0, 21), 'http://localhost:1'],
      ['a'.repeat(87), 'http://localhost:1'],
      [`${nonce}=`, 'http://localhost:1'],
      [nonce, 'http://localhost:1/'],
      [nonce, 'http://localhost:80'],
      [nonce, 'javascript:alert(1)'],
      [nonce, 'http://localhost:1\nx'],
    ];
    for (const [asked, origin] of refused) expect((await ask(server.url, origin, asked)).status).toBe(422);
  });

  test('IDENTITY-5 one address gets only so many proofs', async () => {
    const clock = { now: Date.parse('2026-05-04T08:00:00Z') };
    await using server = await startServer({ now: () => clock.now });
    const query = `/sync/1/identity?nonce=${nonce}&origin=${encodeURIComponent('http://localhost:1')}`;
    const statusOf = async (): Promise<number> => (await server.app.inject(query)).statusCode;
    // The number in the rule, which administrators read.
    const rules = readFileSync(new URL('../../sync-server/sync/identity.ts', import.meta.url), 'utf8');
    const most = Number(
      /IDENTITY-5 .* more than ([\d,]+) requests in a minute/.exec(rules)?.[1]?.replaceAll(',', ''),
    );
    // A thousand devices behind one address ask when the network comes back.
    expect(most).toBeGreaterThan(1000);
    for (let count = 0; count < most; count += 1) expect(await statusOf()).toBe(200);
    expect(await statusOf()).toBe(429);
    clock.now += 60_000;
    expect(await statusOf()).toBe(200);
  });

  test('IDENTITY-3 origins are configured as addresses at the start', () => {
    const args = ['--origin', 'https://guides.example.org/app', '--origin', 'http://bench:8080'];
    expect(readConfig(args, {})?.origins).toEqual(['https://guides.example.org', 'http://bench:8080']);
    expect(readConfig([], { BENCHBOOK_ORIGINS: 'https://a.example, https://b.example' })?.origins).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
    expect(readConfig([], { BENCHBOOK_ORIGINS: '' })?.origins).toEqual([]);
    expect(() => readConfig(['--origin', 'guides.example.org'], {})).toThrow(
      'An origin must be an address such as https://guides.example.org.',
    );
  });
});

describe('a device of another server', () => {
  test('IDENTITY-9 a device of another server is refused before its token is checked, and nothing is executed', async () => {
    await using server = await startServer();
    const ana = await server.person('Ana');
    const own = (await ask(server.url, server.url)).answer.server;
    const other = own.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
    const call = {
      id: '018f0000-0000-7000-8000-000000000001',
      lane: 'guides',
      method: 'POST',
      path: '/guides',
    };
    const batch = { protocol: 6, calls: [{ ...call, body: { category: 'X', type: 'repair' } }] };
    const requests = [
      ['GET', '/pull?since=0.0&'],
      ['GET', '/bootstrap?'],
      ['GET', '/events?since=0.0&'],
      ['GET', '/digest?'],
      ['POST', '/batch?', batch],
      ['POST', '/answers?', { keys: [call.id] }],
      ['POST', '/records?', { records: [] }],
      ['POST', '/uploads?'],
    ] as const;
    for (const [method, path, payload] of requests)
      for (const token of [ana.token, 'stale']) {
        const url = `/sync/1${path}protocol=5-6&server=`;
        const headers = { authorization: `api ${token}` };
        const refused = await server.app.inject({
          method,
          url: url + other,
          headers,
          ...(payload && { payload }),
        });
        expect([refused.statusCode, refused.json<{ code: string }>().code], path).toEqual([
          410,
          'other-server',
        ]);
      }
    const pulled = await server.app.inject({
      url: `/sync/1/pull?since=0.0&protocol=5-6&server=${own}`,
      headers: { authorization: `api ${ana.token}` },
    });
    expect(JSON.parse(pulled.body.split('\n')[0] ?? '')).toMatchObject({ server: own });
    expect(pulled.body).not.toContain('"guides"');
  });
});

describe('the identity of an account', () => {
  const own = z.object({ userid: z.int(), accountid: z.uuid(), serverid: z.string() });

  test('IDENTITY-6 the identity is sent to its owner at sign-in and in GET /user, and to nobody else', async () => {
    await using server = await startServer();
    const ana = await server.person('Ana');
    const ben = await server.person('Ben');
    const mira = await server.person('Mira', ['User', 'Admin']);
    const signedIn = await fetch(`${server.url}/api/2.0/user/token`, {
      method: 'POST',
      body: JSON.stringify({ email: 'ana@example.com', password: 'a long password' }),
    });
    const first = own.parse(await signedIn.json());
    expect(own.parse((await ana.call('GET', '/user')).body)).toEqual(first);
    expect(own.parse((await ben.call('GET', '/user')).body).accountid).not.toBe(first.accountid);
    expect(first.serverid).toBe((await ask(server.url, server.url)).answer.server);
    for (const other of [ben, mira])
      expect((await other.call('GET', `/users/${ana.userid}`)).body).not.toHaveProperty('accountid');
  });

  test('IDENTITY-6 the same account number has another identity on another server', async () => {
    await using folder = await temporaryFolder('identity');
    const ids: string[] = [];
    for (const dataDir of [join(folder.path, 'a'), join(folder.path, 'b')]) {
      await using server = await startServer({ dataDir });
      const ana = await server.person('Ana');
      expect(ana.userid).toBe(1);
      ids.push(own.parse((await ana.call('GET', '/user')).body).accountid);
    }
    expect(new Set(ids).size).toBe(2);
  });

  test('IDENTITY-6 existing accounts get an identity', async () => {
    await using folder = await temporaryFolder('identity');
    const dialect = new SqliteDialect({ database: new BetterSqlite3(join(folder.path, 'old.sqlite')) });
    await using db = new Kysely<Tables>({ dialect });
    await first.up(db);
    for (const userid of [1, 2])
      await sql`INSERT INTO users (userid, username, privileges, join_date, reputation, about_raw, langid, enabled)
        VALUES (${userid}, 'Ana', '["User"]', 5, 240, '', 'en', 1)`.execute(db);
    await accountIds.up(db, (size) => randomBytes(size));
    const rows = await db.selectFrom('users').select('accountid').execute();
    expect(new Set(rows.map(({ accountid }) => z.uuid().parse(accountid))).size).toBe(2);
  });
});
