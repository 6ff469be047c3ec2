import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tokens } from '#shared/api/tokens.ts';
import { guides } from '#shared/api/guides.ts';
import { users } from '#shared/api/users.ts';
import { categories, wikis } from '#shared/api/wikis.ts';
import { createClient, type Client } from '#shared/api/client.ts';
import {
  buildServer,
  listenForModules,
  type ModuleOrigins,
  type Server,
  type ServerOptions,
} from '#server/app.ts';
import { contextForJob } from '#server/core/job.ts';
import { Passwords } from '#server/features/tokens/passwords.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { createAccount } from '#server/features/users/store.ts';
import { recordLocation } from '#server/media/recorded-location.ts';
import type { S3Location } from '#server/platform/s3-location.ts';
import { saveWiki, stubOf } from '#server/features/wikis/store.ts';

import { jsonOf } from './answer.ts';
import { noteStatuses } from './answered-statuses.ts';
import { reportBrokenAnswer } from './broken-answers.ts';
import { databaseOf, forgetDatabaseOf, onPostgres } from './postgres-databases.ts';
import { checkDocumented } from './documented-answers.ts';

const tables = { tokens, guides, users, wikis, categories };

/** A running server on an empty data folder, listening on a free port of 127.0.0.1. */
export interface TestServer extends Server, AsyncDisposable {
  url: string;
  dataDir: string;
  /** Creates a person and returns a client with their token. */
  person(name: string, privileges?: string[]): Promise<TestPerson>;
  anonymous: Client<typeof tables>;
  /** Another session of a person, without their password. */
  session(person: Pick<TestPerson, 'userid'>): Promise<TestPerson['call']>;
  /** Creates a category; without text it is a stub. */
  category(title: string, parent?: string, contents?: string): Promise<void>;
}

export interface TestPerson {
  userid: number;
  token: string;
  client: Client<typeof tables>;
  /** A raw request as this person; JSON in and out. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; body: never }>;
}

let filesOf: ((dataDir: string) => S3Location) | undefined;

/** From now on servers store their files in S3. `location`: returns where, for a data folder. */
export function storeFilesIn(location: ((dataDir: string) => S3Location) | undefined): void {
  filesOf = location;
}

/** Cheap hashing. Tests of the real cost pass their own. */
export const quickPasswords = (): Passwords => new Passwords({ memoryCost: 8, timeCost: 1 });

interface TestServerOptions extends Partial<ServerOptions> {
  /** Whether answers are checked against contract and document; benchmarks turn this off. Default true. */
  checked?: boolean;
  /** Where to note which endpoint answered which status. Default: where `test/run.ts` says, if it asks for that. */
  statusFolder?: string | undefined;
  /** Default: a free one. */
  port?: number;
  /** Default: any free port for each. */
  modules?: ModuleOrigins;
}

export async function startServer({
  checked = true,
  statusFolder = process.env['BENCHBOOK_STATUSES'],
  port = 0,
  modules = { ports: { first: 0, last: 65_535, areNamed: false } },
  ...options
}: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'benchbook-test-'));
  const database = options.database ?? (onPostgres() ? await databaseOf(dataDir) : undefined);
  const blobs = options.blobs ?? filesOf?.(dataDir);
  // Like the program, so that commands and later starts know it.
  mkdirSync(dataDir, { recursive: true });
  if (blobs !== undefined) recordLocation(dataDir, blobs);
  const server = await buildServer({
    passwords: quickPasswords(),
    ...(checked ? { onBrokenAnswer: reportBrokenAnswer } : {}),
    ...options,
    dataDir,
    database,
  });
  if (checked && options.onBrokenAnswer === undefined) checkDocumented(server.app, reportBrokenAnswer);
  if (statusFolder !== undefined) noteStatuses(server.app, statusFolder);
  const url = await server.app.listen({ host: '127.0.0.1', port });
  await listenForModules(server, '127.0.0.1', modules);
  return {
    ...server,
    url,
    dataDir,
    anonymous: createClient(tables, { baseUrl: url }),
    async person(name, privileges = ['User', 'Author']) {
      // Before the transaction, which PostgreSQL ends if it takes long.
      const passwordHash = await server.services.passwords.hash('a long password');
      const { userid, token } = await contextForJob(server.services, null, async (ctx) => {
        const created = await createAccount(ctx, {
          username: name,
          unique_username: name.toLowerCase(),
          email: `${name.toLowerCase()}@example.com`,
          passwordHash,
          passwordIsOwn: true,
          privileges,
        });
        return { userid: created, token: await issueToken(ctx, created, 'test') };
      });
      return {
        userid,
        token,
        client: createClient(tables, { baseUrl: url, token }),
        call: clientOf(url, token),
      };
    },
    session: async ({ userid }) =>
      clientOf(url, await contextForJob(server.services, null, (ctx) => issueToken(ctx, userid, 'test'))),
    async category(title, parent, contents = '') {
      await contextForJob(server.services, null, async (ctx) => {
        const stub = stubOf({
          namespace: 'CATEGORY',
          title,
          langid: 'en',
          parent: parent ?? null,
          userid: 0,
        });
        await saveWiki(ctx, { ...stub, contents_raw: contents });
      });
    },
    async [Symbol.asyncDispose]() {
      // Like the program: an idle connection would keep the server open.
      const forced = setTimeout(() => server.app.server.closeAllConnections(), 1000);
      await server.app.close();
      clearTimeout(forced);
      if (options.dataDir === undefined) {
        rmSync(dataDir, { recursive: true, force: true });
        await forgetDatabaseOf(dataDir);
      }
    },
  };
}

/** A raw request with a token; JSON in and out. */
export function clientOf(url: string, token: string): TestPerson['call'] {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/api/2.0${path}`, {
      method,
      headers: {
        Authorization: `api ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await jsonOf(response) };
  };
}
