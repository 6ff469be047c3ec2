import { sql } from 'kysely';
import { z } from 'zod';

import { BadSetting } from '#server/platform/config.ts';

import { isPostgres } from '../dialect.ts';
import type { Db } from '../tables.ts';
import { quoted } from './data.ts';

/** The ends of audit log and feed. */
const heads = z.strictObject({ audit: z.int(), feed: z.int() });
export type Heads = z.infer<typeof heads>;

const move = {
  /** Identifies the move. */
  id: z.string(),
  /** Data folder or address of a database, for people. */
  from: z.string(),
  to: z.string(),
  /** UNIX milliseconds. */
  at: z.int(),
  /** The command that made it. */
  by: z.enum(['move', 'restore']),
};

/**
 * What moves note in `meta` of a database.
 *
 * - `sealed`: the site is elsewhere. `moved`: it went to `to`. `given-up`: it came by a move that was undone, and is at
 *   `from` again; `lost`: changes that were made here are not.
 * - `moved`: the site came by this move, with these ends of its logs.
 * - `arriving`: a move, or a restore, has filled the database but is not at its end.
 */
const marks = {
  sealed: z.strictObject({ ...move, kind: z.enum(['moved', 'given-up']), lost: z.boolean() }),
  moved: z.strictObject({ ...move, heads }),
  arriving: z.strictObject(move),
};
type Marks = { [Name in keyof typeof marks]: z.infer<(typeof marks)[Name]> };
export type Seal = Marks['sealed'];
export type Move = Marks['arriving'];

/** A note of a move; null if there is none. */
export async function readMark<Name extends keyof Marks>(db: Db, name: Name): Promise<Marks[Name] | null> {
  if (!(await hasMeta(db))) return null;
  const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
  return row === undefined ? null : (marks[name].parse(JSON.parse(row.value)) as Marks[Name]);
}

export async function writeMark<Name extends keyof Marks>(
  db: Db,
  name: Name,
  mark: Marks[Name],
): Promise<void> {
  await db
    .insertInto('meta')
    .values({ name, value: JSON.stringify(mark) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: JSON.stringify(mark) }))
    .execute();
}

export async function removeMark(db: Db, name: keyof Marks): Promise<void> {
  await db.deleteFrom('meta').where('name', '=', name).execute();
}

async function hasMeta(db: Db): Promise<boolean> {
  const { rows } = await (
    isPostgres(db)
      ? sql`SELECT 1 WHERE to_regclass('meta') IS NOT NULL`
      : sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'`
  ).execute(db);
  return rows.length > 0;
}

/** The ends of audit log and feed. */
export async function headsOf(db: Db): Promise<Heads> {
  const last = async (table: 'audit_log' | 'feed'): Promise<number> => {
    const row = await db.selectFrom(table).select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
    return row?.seq ?? 0;
  };
  return { audit: await last('audit_log'), feed: await last('feed') };
}

/**
 * Refuses a database that must not be used, whoever opens it.
 *
 * - MOVE-3 A sealed database is not opened, by a server or a command: the message says where the site is, and how to
 *   undo the move.
 * - MOVE-4 A database that an interrupted move or restore has filled is not opened until the command is run again.
 *
 * @throws BadSetting
 */
export async function mustNotHaveMoved(db: Db): Promise<void> {
  const seal = await readMark(db, 'sealed');
  if (seal !== null) throw new BadSetting(sentenceOf(seal));
  const arriving = await readMark(db, 'arriving');
  if (arriving !== null)
    throw new BadSetting(
      `A "benchbook ${arriving.by}" from ${arriving.from} to this database was interrupted. Run the same command again, which finishes it or begins anew.`,
    );
}

/** What a sealed database tells whoever wants to use it. */
export function sentenceOf({ kind, from, to, at, lost }: Seal): string {
  const date = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  if (kind === 'given-up')
    return `This copy of the site was given up at ${date} UTC: the site is at ${from} again.${lost ? ' What was changed only in this copy is still in it.' : ''}`;
  return `This site moved from ${from} to ${to} at ${date} UTC, and nothing may change here any more. ${startAt(to)} If the move was a mistake: benchbook move --undo ${argumentsOf(from, to)}`;
}

function startAt(place: string): string {
  return isDatabase(place)
    ? `Start the server with --database ${place}.`
    : `Start the server with --data ${place}, without --database.`;
}

function argumentsOf(from: string, to: string): string {
  return isDatabase(to) ? `--to ${to} --data ${from}` : `--from ${from} --data ${to}`;
}

function isDatabase(place: string): boolean {
  return /^postgres(?:ql)?:/.test(place);
}

/**
 * Seals a database, inside the caller's transaction.
 *
 * - MOVE-5 In a sealed database every write is refused with the same message, also by a program that does not look for
 *   the seal: an older version, a node that was cut off, or a tool.
 */
export async function sealDatabase(db: Db, seal: Seal): Promise<void> {
  await writeMark(db, 'sealed', seal);
  const text = sentenceOf(seal).replaceAll("'", "''");
  for (const table of await tablesOf(db))
    for (const operation of isPostgres(db)
      ? ['INSERT OR UPDATE OR DELETE']
      : ['INSERT', 'UPDATE', 'DELETE']) {
      const name = quoted(`sealed_${table}${isPostgres(db) ? '' : `_${operation.toLowerCase()}`}`);
      const action = isPostgres(db)
        ? `FOR EACH STATEMENT EXECUTE FUNCTION refused('${text}')`
        : `BEGIN SELECT RAISE(ABORT, '${text}'); END`;
      await sql.raw(`CREATE TRIGGER ${name} BEFORE ${operation} ON ${quoted(table)} ${action}`).execute(db);
    }
}

/** Removes a seal, inside the caller's transaction. */
export async function unsealDatabase(db: Db): Promise<void> {
  const { rows } = await (
    isPostgres(db)
      ? sql<{ name: string; table: string }>`
          SELECT tgname AS name, pg_class.relname AS "table"
          FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
          WHERE pg_class.relnamespace = current_schema()::regnamespace AND tgname LIKE 'sealed\\_%'`
      : sql<{ name: string; table: string }>`
          SELECT name, tbl_name AS "table" FROM sqlite_schema
          WHERE type = 'trigger' AND name LIKE 'sealed\\_%' ESCAPE '\\'`
  ).execute(db);
  for (const { name, table } of rows)
    await sql.raw(`DROP TRIGGER ${quoted(name)}${isPostgres(db) ? ` ON ${quoted(table)}` : ''}`).execute(db);
  await removeMark(db, 'sealed');
}

/** The tables of a database, without those of an index of SQLite. */
export async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await (
    isPostgres(db)
      ? sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
          WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`
      : sql<{ name: string }>`SELECT name FROM sqlite_schema
          WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            AND name NOT LIKE 'search\\_index%' ESCAPE '\\' ORDER BY name`
  ).execute(db);
  return rows.map(({ name }) => name);
}
