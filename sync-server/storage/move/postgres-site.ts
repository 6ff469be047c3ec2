import { setTimeout as pause } from 'node:timers/promises';

import { sql, type Kysely } from 'kysely';

import { BadSetting } from '#server/platform/config.ts';

import { schemaVersion, type RandomBytes } from '../migrations/index.ts';
import { onConnection } from '../postgres/connections.ts';
import { moveLock, writeLock } from '../postgres/locks.ts';
import { migrateWithin } from '../postgres/migrate.ts';
import { writingConnection } from '../postgres/watcher.ts';
import { indexEntries } from '../search-entries.ts';
import type { Db, Tables } from '../tables.ts';
import { quoted } from './data.ts';
import {
  mustNotHaveMoved,
  readMark,
  removeMark,
  tablesOf,
  unsealDatabase,
  writeMark,
  type Move,
  type Seal,
} from './marks.ts';
import { ownMeta } from './moved-tables.ts';
import { PostgresReader, PostgresWriter } from './postgres-data.ts';
import type { FillableDatabase, FilledSite, HeldSite } from './site.ts';

/** Longest wait for connections that are just ending, ms. */
const endingMs = 3000;

/** The name of the server's key in `server_keys`. */
const keyName = 'server';

/**
 * A site in a PostgreSQL database.
 *
 * - MOVE-11 The role that owns the database may do all of it; it need not be a superuser.
 * - MOVE-6 Neither a move nor an undoing begins while a server or command is connected; the message names the
 *   connections. Meanwhile none is let in.
 */
export class PostgresSite implements FillableDatabase {
  readonly label: string;
  readonly #url: string;
  readonly #randomBytes: RandomBytes;

  constructor(url: string, label: string, randomBytes: RandomBytes) {
    this.#url = url;
    this.label = label;
    this.#randomBytes = randomBytes;
  }

  hold<T>(work: (held: HeldSite) => Promise<T>): Promise<T> {
    return this.#alone((db) => inTransaction(db, 'REPEATABLE READ', () => work(new Held(db))));
  }

  seal(): Promise<Seal | null> {
    return this.#connected((db) => readMark(db, 'sealed'));
  }

  arriving(): Promise<Move | null> {
    return this.#connected((db) => readMark(db, 'arriving'));
  }

  /** Refuses a database that `fill` would refuse, before anything else is done. @throws BadSetting */
  mustBeFree(move: Move): Promise<void> {
    return this.#alone((db) => mustBeFree(db, this.label, move));
  }

  fill<T>(move: Move, work: (filled: FilledSite) => Promise<T>): Promise<T> {
    return this.#alone(async (db) => {
      await sql.raw(writingConnection).execute(db);
      return inTransaction(db, 'READ COMMITTED', async () => {
        await mustBeFree(db, this.label, move);
        await unsealIfSealed(db);
        await migrateWithin(db, this.#randomBytes);
        const filled = new Filled(db, await emptied(db));
        const result = await work(filled);
        await writeMark(db, 'arriving', move);
        return result;
      });
    });
  }

  async settle(): Promise<string | null> {
    await this.#alone((db) => removeMark(db, 'arriving'));
    return null;
  }

  /** Runs work on one connection, while nobody else is connected. */
  #alone<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#connected(async (db) => {
      await lockOut(db, this.label);
      return work(db);
    });
  }

  #connected<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return onConnection(this.#url, 'move', work);
  }
}

/**
 * Reads a PostgreSQL database as of one moment, while nodes work on it.
 * @throws BadSetting if the site has moved, or another version of Benchbook works on it
 */
export async function readSnapshot<T>(url: string, work: (held: HeldSite) => Promise<T>): Promise<T> {
  return onConnection(url, 'backup', (db) =>
    inTransaction(db, 'REPEATABLE READ, READ ONLY', async () => {
      await mustNotHaveMoved(db);
      const row = await db
        .selectFrom('meta')
        .select('value')
        .where('name', '=', 'schema_version')
        .executeTakeFirst();
      if (Number(row?.value) !== schemaVersion)
        throw new BadSetting(
          `The database has the schema ${row?.value}, and this Benchbook the schema ${schemaVersion}. Use the version that the servers have.`,
        );
      return work(new Held(db));
    }),
  );
}

class Held extends PostgresReader implements HeldSite {
  override readonly db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    super(db);
    this.db = db;
  }

  async serverKey(): Promise<string | null> {
    const { rows } = await sql<{ pem: string }>`SELECT pem FROM server_keys WHERE name = ${keyName}`.execute(
      this.db,
    );
    return rows[0]?.pem ?? null;
  }
}

class Filled extends PostgresWriter implements FilledSite {
  override readonly db: Kysely<Tables>;
  readonly #references: readonly Reference[];

  constructor(db: Kysely<Tables>, references: readonly Reference[]) {
    super(db);
    this.db = db;
    this.#references = references;
  }

  async setServerKey(pem: string): Promise<void> {
    await sql`INSERT INTO server_keys (name, pem) VALUES (${keyName}, ${pem})`.execute(this.db);
  }

  async finish(): Promise<void> {
    for (const { table, name, definition } of this.#references)
      await sql.raw(`ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`).execute(this.db);
    for (let last: number | null = 0; last !== null;) last = await indexEntries(this.db, last);
    for (const table of await tablesOf(this.db)) {
      await sql.raw(`ALTER TABLE ${quoted(table)} ENABLE TRIGGER USER`).execute(this.db);
      await sql.raw(`ANALYZE ${quoted(table)}`).execute(this.db);
    }
  }
}

async function inTransaction<T>(db: Db, mode: string, work: () => Promise<T>): Promise<T> {
  await sql.raw(`BEGIN ISOLATION LEVEL ${mode}`).execute(db);
  try {
    const result = await work();
    await sql.raw('COMMIT').execute(db);
    return result;
  } catch (error) {
    // The connection may be the reason.
    await sql
      .raw('ROLLBACK')
      .execute(db)
      .catch(() => undefined);
    throw error;
  }
}

/** Keeps everybody else out until the connection ends. @throws BadSetting while somebody is connected */
async function lockOut(db: Db, label: string): Promise<void> {
  const isLocked = async (): Promise<boolean> => {
    const { rows } = await sql
      .raw<{ free: boolean }>(`SELECT pg_try_advisory_lock(${moveLock}) AS free`)
      .execute(db);
    return rows[0]?.free === true;
  };
  if (!(await inTime(isLocked)))
    throw new BadSetting(
      `Another "benchbook move" is working on ${label}, or a server is just starting there.`,
    );
  let others: string[] = [];
  const isAlone = async (): Promise<boolean> => {
    others = await connectionsOf(db);
    return others.length === 0;
  };
  if (!(await inTime(isAlone)))
    throw new BadSetting(
      `Benchbook is connected to ${label}: ${others.join(', ')}. Stop every server and command that uses it, then try again.`,
    );
  // Whoever writes without being seen has to wait now, and finds a sealed database then.
  await sql
    .raw(`SET lock_timeout = '10s'; SELECT pg_advisory_lock(${writeLock}); SET lock_timeout = 0`)
    .execute(db);
}

/** Whether something becomes true soon: connections of a process that has just ended stay for a moment. */
async function inTime(isSo: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < endingMs; waited += 100) {
    if (await isSo()) return true;
    await pause(100);
  }
  return isSo();
}

/** Connections of servers and commands, described for people. */
async function connectionsOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; address: string | null; count: number }>`
    SELECT application_name AS name, host(client_addr) AS address, count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'benchbook %' AND pid <> pg_backend_pid()
    GROUP BY 1, 2 ORDER BY 1, 2`.execute(db);
  return rows.map(
    ({ name, address, count }) =>
      `${name}${address === null ? '' : ` from ${address}`}${count === 1 ? '' : ` (${count} connections)`}`,
  );
}

/** @throws BadSetting if there is a site in the database, or something else */
async function mustBeFree(db: Db, label: string, move: Move): Promise<void> {
  const tables = await tablesOf(db);
  if (tables.length === 0) return;
  if (!tables.includes('meta') || !tables.includes('users'))
    throw new BadSetting(`There are tables of another program in ${label}. Name an empty database.`);
  const arriving = await readMark(db, 'arriving');
  if (arriving !== null) return mustBeginAnew(arriving, label, move);
  const seal = await readMark(db, 'sealed');
  if (seal?.kind === 'given-up' && !seal.lost) return;
  const { rows } = await sql`SELECT 1 FROM users UNION ALL SELECT 1 FROM guides LIMIT 1`.execute(db);
  if (rows.length > 0) throw new BadSetting(`There is a Benchbook site in ${label}. Name an empty database.`);
}

/** What a move has filled may be the site that it sealed then: only the same move replaces it. @throws BadSetting */
function mustBeginAnew(arriving: Move, label: string, { by, from }: Move): void {
  if (arriving.by === by && (by === 'restore' || arriving.from === from)) return;
  throw new BadSetting(
    `A "benchbook ${arriving.by}" from ${arriving.from} to ${label} was interrupted. Run that again, or name an empty database.`,
  );
}

async function unsealIfSealed(db: Db): Promise<void> {
  if ((await readMark(db, 'sealed')) !== null) await unsealDatabase(db);
}

/** A foreign key. */
interface Reference {
  table: string;
  name: string;
  definition: string;
}

/** Empties all tables, turns their triggers off, and removes foreign keys, which are returned. */
async function emptied(db: Db): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
    ORDER BY conrelid::regclass::text, conname`.execute(db);
  for (const { table, name } of rows)
    await sql.raw(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`).execute(db);
  const tables = await tablesOf(db);
  for (const table of tables) await sql.raw(`ALTER TABLE ${quoted(table)} DISABLE TRIGGER USER`).execute(db);
  const emptying = tables.filter((table) => table !== 'meta').map(quoted);
  await sql.raw(`TRUNCATE ${emptying.join(', ')} RESTART IDENTITY`).execute(db);
  await db
    .deleteFrom('meta')
    .where((eb) => eb.or([eb('name', 'not in', ownMeta), eb('name', 'in', ['moved', 'arriving'])]))
    .execute();
  return rows;
}
