import type BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';

/** The identity of the data of a site. */
export const siteIds = z.strictObject({
  /** Identity of the history: the same in all restored states of a site. */
  history: z.string(),
  /** Identity of the server. `benchbook restore --copy` gives the copy another one. */
  server: z.string().nullable(),
});
export type SiteIds = z.infer<typeof siteIds>;

/** Tables with a column `sha256` that names a stored file. */
const fileTables = ['images', 'document_files', 'video_files'] as const;

/** The number of rows of every table, the title of the site, and the files that records name. */
export function factsOf(database: BetterSqlite3.Database): {
  site: string;
  counts: Record<string, number>;
  files: string[];
} {
  const tables = z
    .array(z.string())
    .parse(
      database
        .prepare(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
        )
        .pluck()
        .all(),
    );
  const count = (table: string): number =>
    z.int().parse(database.prepare(`SELECT count(*) FROM "${table}"`).pluck().get());
  const files = fileTables.flatMap((table) =>
    z
      .array(z.string())
      .parse(
        database.prepare(`SELECT DISTINCT sha256 FROM "${table}" WHERE sha256 IS NOT NULL`).pluck().all(),
      ),
  );
  return {
    site: titleOf(database),
    counts: Object.fromEntries(tables.map((table) => [table, count(table)])),
    files: [...new Set(files)].toSorted(),
  };
}

const settings = z.object({ title: z.string() });

function titleOf(database: BetterSqlite3.Database): string {
  const value: unknown = database.prepare("SELECT value FROM meta WHERE name = 'site'").pluck().get();
  const read = settings.safeParse(typeof value === 'string' ? JSON.parse(value) : undefined);
  return read.success ? read.data.title : 'Benchbook';
}
