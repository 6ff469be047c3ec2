import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import sharp from 'sharp';
import { expect } from 'vitest';

import { must } from '#shared/must.ts';
import type { S3Location } from '#server/platform/s3-location.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { runCommand, type Ran } from '#test/support/command-line.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

/** The folders of a test; they are removed when it ends. */
export interface Folders extends Disposable {
  root: string;
  data: string;
  backup: string;
}

export function folders(): Folders {
  const root = mkdtempSync(join(tmpdir(), 'benchbook-backup-'));
  return {
    root,
    data: join(root, 'data'),
    backup: join(root, 'backup'),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Runs a command `benchbook`. */
export const benchbook = (...args: string[]): Promise<Ran> => runCommand(args);

/** A picture that no other one equals, as a file of a person. */
export async function picture(person: TestPerson, shade: number): Promise<void> {
  const bytes = await sharp({
    create: {
      width: 40,
      height: 30,
      channels: 3,
      background: { r: shade % 256, g: (shade * 7) % 256, b: 90 },
    },
  })
    .png()
    .toBuffer();
  const answer = await fetch(`${person.url}/api/2.0/user/media/images?file=shade-${shade}.png`, {
    method: 'POST',
    headers: { Authorization: `api ${person.token}`, 'Content-Type': 'image/png' },
    body: new Uint8Array(bytes),
  });
  expect(answer.status).toBe(200);
}

type TestPerson = { url: string; token: string } & Awaited<ReturnType<TestServer['person']>>;

/** A data folder with guides, pictures and an archive of imported work; its server runs until it is disposed of. */
export async function workshop(
  at: Folders,
  options: { blobs?: S3Location } = {},
): Promise<{ server: TestServer; ana: TestPerson } & AsyncDisposable> {
  const server = await startServer({ ...options, dataDir: at.data, site: { title: 'North plant' } });
  await server.category('Bench Grinder');
  const ana = { ...(await server.person('Ana')), url: server.url };
  await makeGuide(ana);
  for (const shade of [1, 2, 3]) await picture(ana, shade);
  return { server, ana, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The pictures of a data folder. */
export const mediaOf = (folder: string): string[] =>
  readdirSync(join(folder, 'media'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[0-9a-f]{2}.[0-9a-f]{64}$/.test(name))
    .toSorted();

/** Rows of a table in a data folder. */
export function rows(folder: string, table: string): number {
  const database = new BetterSqlite3(join(folder, databaseName), { readonly: true });
  try {
    return Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  } finally {
    database.close();
  }
}

/** Every file below a folder, with `/`. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted();

/** Flips a bit of a file. */
export function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  const place = at % bytes.length;
  bytes[place] = must(bytes[place], 'a byte') ^ (1 << (at % 8));
  writeFileSync(path, bytes);
}
