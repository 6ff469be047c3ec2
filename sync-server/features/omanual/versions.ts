import type { Selectable } from 'kysely';

import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import type { Db, Tables, Tx } from '#server/storage/tables.ts';

export type ArchiveRow = Selectable<Tables['archives']>;

/** Retention of a replaced version, so that downloads of it can finish, seconds. */
export const keepReplacedSeconds = 7 * 24 * 3600;

/** Current versions of the collection that show only public guides, by name. */
export async function currentVersions(db: Db): Promise<Map<string, ArchiveRow>> {
  const rows = await db
    .selectFrom('archives')
    .selectAll()
    .where('current', '=', 1)
    .where('userid', 'is', null)
    .execute();
  const hidden = await withdrawn(db);
  return new Map(rows.filter((row) => !hidden.has(row.archiveid)).map((row) => [row.name, row]));
}

/** A version by name and hash, or the current version; undefined if it shows a guide that is no longer public. */
export async function findVersion(
  db: Db,
  name: string,
  sha256: string | undefined,
): Promise<ArchiveRow | undefined> {
  const row = await db
    .selectFrom('archives')
    .selectAll()
    .where('name', '=', name)
    .where('userid', 'is', null)
    .$if(sha256 !== undefined, (query) => query.where('sha256', '=', sha256 ?? ''))
    .$if(sha256 === undefined, (query) => query.where('current', '=', 1))
    .orderBy('archiveid', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || (await withdrawn(db, row.archiveid)).size > 0) return undefined;
  return row;
}

/** Whether the collection has, or recently had, a version with this name. */
export async function isKnownName(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('archives')
    .select('archiveid')
    .where('name', '=', name)
    .where('userid', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids of versions that show a guide which is no longer public; with `archiveid`, checks only that version. */
async function withdrawn(db: Db, archiveid?: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('archive_guides')
    .leftJoin('guides', 'guides.guideid', 'archive_guides.guideid')
    .select('archiveid')
    .distinct()
    .$if(archiveid !== undefined, (query) => query.where('archiveid', '=', archiveid ?? 0))
    .where((where) =>
      where.or([where('public', '=', 0), where('deleted', '=', 1), where('guides.guideid', 'is', null)]),
    )
    .execute();
  return new Set(rows.map((row) => row.archiveid));
}

/** A written version. */
export interface NewVersion {
  name: string;
  title: string;
  category: string | null;
  content: string;
  sha256: string;
  size: number;
  guides: ReadonlySet<number>;
  /** Guides whose titles it shows. */
  mentioned: ReadonlySet<number>;
}

/** Makes a version current. Returns false if it shows a guide that is no longer public. */
export async function publishVersion(tx: Tx, version: NewVersion, seconds: number): Promise<boolean> {
  const { guides, mentioned, ...row } = version;
  const previous = await tx
    .selectFrom('archives')
    .select(['archiveid', 'sha256'])
    .where('name', '=', version.name)
    .where('current', '=', 1)
    .executeTakeFirst();
  if (previous?.sha256 === version.sha256) {
    await tx
      .updateTable('archives')
      .set({ content: version.content })
      .where('archiveid', '=', previous.archiveid)
      .execute();
    return (await withdrawn(tx, previous.archiveid)).size === 0;
  }
  await replaceCurrent(tx, version.name, seconds);
  const { archiveid } = await tx
    .insertInto('archives')
    .values({
      ...row,
      userid: null,
      guides: guides.size,
      created_date: seconds,
      current: 1,
      expires_date: null,
    })
    .returning('archiveid')
    .executeTakeFirstOrThrow();
  for (const guideid of new Set([...guides, ...mentioned]))
    await tx.insertInto('archive_guides').values({ archiveid, guideid }).execute();
  return (await withdrawn(tx, archiveid)).size === 0;
}

async function replaceCurrent(tx: Tx, name: string, seconds: number): Promise<void> {
  await tx
    .updateTable('archives')
    .set({ current: 0, expires_date: seconds + keepReplacedSeconds })
    .where('name', '=', name)
    .where('current', '=', 1)
    .execute();
}

/**
 * Removes versions that can no longer be downloaded: replaced versions after their retention or with a guide that is no
 * longer public, and versions of names that the collection no longer has.
 */
export async function pruneVersions(services: Services, names?: ReadonlySet<string>): Promise<void> {
  const seconds = Math.floor(services.now() / 1000);
  const files = await services.storage.write(ownOrigin(services, 'prune archives'), async (tx) => {
    const rows = await tx.selectFrom('archives').selectAll().where('userid', 'is', null).execute();
    const hidden = await withdrawn(tx);
    const over = rows.filter(
      (row) =>
        (row.current === 0 && (hidden.has(row.archiveid) || (row.expires_date ?? 0) < seconds)) ||
        (names !== undefined && !names.has(row.name)),
    );
    for (const { archiveid } of over) {
      await tx.deleteFrom('archive_guides').where('archiveid', '=', archiveid).execute();
      await tx.deleteFrom('archives').where('archiveid', '=', archiveid).execute();
    }
    const gone = new Set(over.map((row) => row.archiveid));
    const used = new Set(rows.filter((row) => !gone.has(row.archiveid)).map((row) => row.sha256));
    return over.map((row) => row.sha256).filter((sha256) => !used.has(sha256));
  });
  for (const sha256 of new Set(files)) await services.archives.remove(sha256);
}

const baseName = 'collection_base';

/** The address of the first request for the collection, or of a later one that others can reach; null: none yet. */
export async function wantedBase(services: Services): Promise<string | null> {
  const row = await services.storage.reader
    .selectFrom('meta')
    .select('value')
    .where('name', '=', baseName)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Stores the address. */
export async function rememberBase(services: Services, origin: string): Promise<void> {
  await services.storage.write(ownOrigin(services, 'want archives'), (tx) =>
    tx
      .insertInto('meta')
      .values({ name: baseName, value: origin })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: origin }))
      .execute(),
  );
}
