import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';

import { BadSetting } from '#server/platform/config.ts';

import { migrate, type RandomBytes } from '../migrations/index.ts';
import { indexEntries } from '../search-entries.ts';
import { databaseName } from '../sqlite.ts';
import type { Tables } from '../tables.ts';
import { quoted } from './data.ts';
import { readMark, tablesOf, type Move, type Seal } from './marks.ts';
import { SqliteReader, SqliteWriter } from './sqlite-data.ts';
import type { FillableDatabase, FilledSite, HeldSite } from './site.ts';

/** Name of the database in a data folder while it is being filled. */
const arrivingName = `${databaseName}.arriving`;

/** Name of the private key of the server in a data folder. */
const keyName = 'server.key';
const arrivingKey = `${keyName}.arriving`;

/** A site in a data folder. The caller has locked the folder. */
export class SqliteSite implements FillableDatabase {
  readonly label: string;
  readonly #randomBytes: RandomBytes;
  readonly #now: () => number;

  /** `now`: wall clock, ms. */
  constructor(dataDir: string, randomBytes: RandomBytes, now: () => number) {
    this.label = dataDir;
    this.#randomBytes = randomBytes;
    this.#now = now;
  }

  get #path(): string {
    return join(this.label, databaseName);
  }

  async hold<T>(work: (held: HeldSite) => Promise<T>): Promise<T> {
    const sqlite = new BetterSqlite3(this.#path, { fileMustExist: true });
    try {
      sqlite.pragma('busy_timeout = 5000');
      sqlite.pragma('synchronous = FULL');
      sqlite.pragma('foreign_keys = ON');
      sqlite.exec('BEGIN IMMEDIATE');
      const result = await work(new Held(sqlite, this.label));
      sqlite.exec('COMMIT');
      return result;
    } finally {
      // Without a commit, SQLite takes back the transaction.
      sqlite.close();
    }
  }

  seal(): Promise<Seal | null> {
    return readSqlite(this.#path, (db) => readMark(db, 'sealed'));
  }

  async arriving(): Promise<Move | null> {
    const path = join(this.label, arrivingName);
    if (!existsSync(path)) return null;
    // The move may have been killed while it filled the file.
    return readSqlite(path, (db) => readMark(db, 'moved')).catch(() => null);
  }

  async fill<T>(_: Move, work: (filled: FilledSite) => Promise<T>): Promise<T> {
    await this.#mustBeFree();
    const path = join(this.label, arrivingName);
    return fillSqlite(path, this.#randomBytes, async (filled) => {
      const keyPath = join(this.label, arrivingKey);
      rmSync(keyPath, { force: true });
      filled.placeKey = (pem) => writeDurably(keyPath, pem);
      return work(filled);
    });
  }

  async settle(): Promise<string | null> {
    const stamp = new Date(this.#now()).toISOString().slice(0, 19).replaceAll(':', '-');
    const aside: string[] = [];
    const place = (name: string, from: string): void => {
      const path = join(this.label, name);
      if (!existsSync(join(this.label, from))) return;
      if (existsSync(path)) aside.push(`${path}.${stamp}`);
      for (const suffix of ['', '-wal', '-shm'])
        if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.${stamp}${suffix}`);
      renameSync(join(this.label, from), path);
    };
    const arrived = join(this.label, arrivingKey);
    const here = join(this.label, keyName);
    if (
      existsSync(arrived) &&
      existsSync(here) &&
      readFileSync(arrived, 'utf8') === readFileSync(here, 'utf8')
    )
      rmSync(arrived);
    place(keyName, arrivingKey);
    if (existsSync(join(this.label, arrivingName))) {
      checkpointed(this.#path);
      place(databaseName, arrivingName);
    }
    syncFolder(this.label);
    return aside.length === 0
      ? null
      : `What was there is kept in ${aside.join(' and ')}; delete it when you no longer need it.`;
  }

  /** @throws BadSetting if there is a site in the folder that has not moved */
  async #mustBeFree(): Promise<void> {
    if (!existsSync(this.#path) || (await this.seal()) !== null) return;
    throw new BadSetting(`There is a Benchbook site in ${this.label}. Name another folder with --data.`);
  }
}

class Held extends SqliteReader implements HeldSite {
  readonly db: Kysely<Tables>;
  readonly #dataDir: string;

  constructor(sqlite: BetterSqlite3.Database, dataDir: string) {
    super(sqlite);
    this.db = kyselyOf(sqlite);
    this.#dataDir = dataDir;
  }

  async serverKey(): Promise<string | null> {
    const path = join(this.#dataDir, keyName);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  }
}

class Filled extends SqliteWriter implements FilledSite {
  readonly db: Kysely<Tables>;
  placeKey: (pem: string) => void = () => undefined;
  readonly #triggers: readonly string[];

  constructor(sqlite: BetterSqlite3.Database, triggers: readonly string[]) {
    super(sqlite);
    this.db = kyselyOf(sqlite);
    this.#triggers = triggers;
  }

  async setServerKey(pem: string): Promise<void> {
    this.placeKey(pem);
  }

  async finish(): Promise<void> {
    for (let last: number | null = 0; last !== null;) last = await indexEntries(this.db, last);
    for (const text of this.#triggers) this.sqlite.exec(text);
    const broken = this.sqlite.pragma('foreign_key_check') as { table: string }[];
    const [first] = broken;
    if (first !== undefined)
      throw new Error(`${broken.length} rows refer to rows that do not exist, the first in ${first.table}`);
  }
}

/** Reads a database that others may use. */
export async function readSqlite<T>(path: string, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const sqlite = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  try {
    sqlite.pragma('busy_timeout = 5000');
    return await work(kyselyOf(sqlite));
  } finally {
    sqlite.close();
  }
}

/** Makes a new database at `path` and fills it, in one transaction. A file that is there is replaced. */
export async function fillSqlite<T>(
  path: string,
  randomBytes: RandomBytes,
  work: (filled: Filled) => Promise<T>,
): Promise<T> {
  for (const name of [path, `${path}-journal`]) rmSync(name, { force: true });
  closeSync(openSync(path, 'wx', 0o600));
  const sqlite = new BetterSqlite3(path);
  try {
    // If this process is killed, the file is not used: no journal is needed.
    sqlite.pragma('journal_mode = OFF');
    sqlite.pragma('synchronous = OFF');
    sqlite.pragma('foreign_keys = OFF');
    await migrate(kyselyOf(sqlite), { randomBytes });
    sqlite.exec('BEGIN');
    const filled = new Filled(sqlite, withoutTriggers(sqlite));
    await emptyTables(sqlite);
    const result = await work(filled);
    sqlite.exec('COMMIT');
    sqlite.close();
    syncFile(path);
    return result;
  } catch (error) {
    sqlite.close();
    rmSync(path, { force: true });
    throw error;
  }
}

/** Removes all triggers. Returns the statements that make them. */
function withoutTriggers(sqlite: BetterSqlite3.Database): string[] {
  const rows = sqlite.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of rows) sqlite.exec(`DROP TRIGGER ${quoted(name)}`);
  return rows.map((row) => row.sql);
}

/** Removes what migrations put into a new database. */
async function emptyTables(sqlite: BetterSqlite3.Database): Promise<void> {
  for (const table of await tablesOf(kyselyOf(sqlite)))
    sqlite.exec(
      `DELETE FROM ${quoted(table)}${table === 'meta' ? " WHERE name NOT IN ('schema_version', 'oldest_code')" : ''}`,
    );
}

function kyselyOf(sqlite: BetterSqlite3.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
}

/** Moves the write-ahead log of a database that is put aside into it. */
function checkpointed(path: string): void {
  if (!existsSync(path)) return;
  const sqlite = new BetterSqlite3(path);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
