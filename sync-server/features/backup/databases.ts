import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';

import { keyFileName } from '#server/core/identity/server-key.ts';
import { shownDatabase } from '#server/platform/config.ts';
import { oldestCodeFor } from '#server/storage/migrations/index.ts';
import { mustNotHaveMoved } from '#server/storage/move/marks.ts';
import { copySite } from '#server/storage/move/move-site.ts';
import { readSnapshot } from '#server/storage/move/postgres-site.ts';
import { fillSqlite, readSqlite } from '#server/storage/move/sqlite-site.ts';
import { databaseName } from '#server/storage/sqlite.ts';

import { factsOf, siteIds, type SiteIds } from './database-facts.ts';
import { copyDatabase, type SnapshotFacts } from './snapshot.ts';

/** A database as a backup reads it. */
export interface BackedUpDatabase {
  /** For messages. */
  label: string;
  /**
   * The identity of the site; null in a database that no recent version has opened.
   * @throws BadSetting if the site has moved
   */
  siteIds(): Promise<SiteIds | null>;
  /** Room for a copy, roughly, in bytes. */
  size(): Promise<number>;
  /** Writes a SQLite database with its content of one moment, while others write. */
  copy(to: string): Promise<SnapshotFacts>;
  /** The private key of the server, if it is not a file of the data folder; undefined: it is. */
  serverKey: (() => Promise<string | null>) | undefined;
}

/** The database of a data folder. */
export function sqliteOf(dataDir: string): BackedUpDatabase {
  const path = join(dataDir, databaseName);
  return {
    label: dataDir,
    siteIds: () =>
      readSqlite(path, async (db) => {
        await mustNotHaveMoved(db);
        return idsIn(await db.selectFrom('meta').selectAll().execute());
      }),
    size: async () => (await stat(path)).size,
    copy: (to) => copyDatabase(path, to),
    serverKey: undefined,
  };
}

/**
 * A PostgreSQL database.
 *
 * - BACKUP-22 A backup of a site in PostgreSQL is the same as one of a site in SQLite: its database is copied from one
 *   snapshot, while nodes write, and compared. It is proved in the same way, and restored to either database.
 */
export function postgresAt(url: string): BackedUpDatabase {
  return {
    label: shownDatabase(url),
    siteIds: () =>
      readSnapshot(url, async ({ db }) => idsIn(await db.selectFrom('meta').selectAll().execute())),
    size: () =>
      readSnapshot(url, async ({ db }) => {
        const { rows } = await sql<{
          size: number;
        }>`SELECT pg_database_size(current_database()) AS size`.execute(db);
        return rows[0]?.size ?? 0;
      }),
    async copy(to) {
      await readSnapshot(url, (held) => fillSqlite(to, noIds, (filled) => copySite(held, filled)));
      const sqlite = new BetterSqlite3(to, { readonly: true });
      try {
        const { version, oldest } = oldestCodeFor(sqlite);
        return { schema: version, oldestSchema: oldest, ...factsOf(sqlite) };
      } finally {
        sqlite.close();
      }
    },
    serverKey: () => readSnapshot(url, (held) => held.serverKey()),
  };
}

/** Where the key of a server is in a backup. */
export const keyInBackup = keyFileName;

/** The ids of a new database are replaced by those of the site. */
const noIds = (size: number): Uint8Array => new Uint8Array(size);

function idsIn(meta: readonly { name: string; value: string }[]): SiteIds | null {
  const values = new Map(meta.map(({ name, value }) => [name, value]));
  const history = values.get('history');
  return history === undefined ? null : siteIds.parse({ history, server: values.get('server') ?? null });
}
