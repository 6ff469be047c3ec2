import pg from 'pg';

import { openPostgres } from '#server/storage/postgres/open.ts';

import { postgresForTests } from './postgres.ts';

/** Whether servers of tests use PostgreSQL (`npm run test:postgres`). */
export function onPostgres(): boolean {
  return process.env['BENCHBOOK_TEST_DATABASE'] === 'postgres';
}

let databases = 0;

/** An empty database on the server for tests, which is removed at the end. */
export async function makePostgresDatabase({ encoding = 'UTF8' } = {}): Promise<
  AsyncDisposable & { url: string }
> {
  const name = await createDatabase(`TEMPLATE template0 LOCALE 'C' ENCODING '${encoding}'`);
  return { url: await urlOf(name), [Symbol.asyncDispose]: () => dropDatabase(name) };
}

/** The database of each data folder, because tests start servers again on the same one. */
const byFolder = new Map<string, Promise<string>>();

/** The address of the database that belongs to a data folder; a new one has the tables of a new site. */
export async function databaseOf(dataDir: string): Promise<string> {
  const name = byFolder.get(dataDir) ?? copyOfNewSite();
  byFolder.set(dataDir, name);
  return urlOf(await name);
}

/** Gives a data folder a copy of the database of another one, which nobody uses at the moment. */
export async function copyDatabaseOf(from: string, to: string): Promise<void> {
  const source = byFolder.get(from);
  if (source === undefined) throw new Error(`${from} has no database`);
  const copy = createDatabase(`TEMPLATE ${await source} STRATEGY FILE_COPY`);
  byFolder.set(to, copy);
  await copy;
}

/** Removes the database of a data folder. */
export async function forgetDatabaseOf(dataDir: string): Promise<void> {
  const name = byFolder.get(dataDir);
  byFolder.delete(dataDir);
  if (name !== undefined) await dropDatabase(await name);
}

let newSite: Promise<string> | undefined;

/** A copy of a database with the tables of a new site, which takes less time than making them. */
async function copyOfNewSite(): Promise<string> {
  newSite ??= makeNewSite();
  return createDatabase(`TEMPLATE ${await newSite} STRATEGY FILE_COPY`);
}

async function makeNewSite(): Promise<string> {
  const name = await createDatabase("TEMPLATE template0 LOCALE 'C' ENCODING 'UTF8'");
  const storage = await openPostgres(await urlOf(name));
  await storage[Symbol.asyncDispose]();
  // Each copy gets a history of its own.
  await onServer(
    await urlOf(name),
    "SET benchbook.collecting = 'on'; DELETE FROM meta WHERE name = 'history'",
  );
  return name;
}

async function createDatabase(options: string): Promise<string> {
  databases += 1;
  const name = `test_${process.pid}_${databases}`;
  await onServer(await postgresForTests(), `CREATE DATABASE ${name} ${options}`);
  return name;
}

async function dropDatabase(name: string): Promise<void> {
  await onServer(await postgresForTests(), `DROP DATABASE ${name} WITH (FORCE)`);
}

async function urlOf(name: string): Promise<string> {
  const url = new URL(await postgresForTests());
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
