import { sql, type Kysely } from 'kysely';

import { must } from '#shared/must.ts';
import { newGuid } from '#server/platform/random.ts';

import type { Tables } from '../tables.ts';

const statements = [
  `ALTER TABLE video_files ADD COLUMN duration INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE video_files ADD COLUMN width INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE video_files ADD COLUMN height INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE video_files ADD COLUMN poster TEXT`,
];

/** Videos get a duration, a size and a preview picture. */
export async function up(db: Kysely<Tables>, randomBytes: (size: number) => Uint8Array): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const videos = await db.selectFrom('video_files').select(['videoid', 'userid', 'created_date']).execute();
  for (const { videoid, userid, created_date } of videos) {
    const guid = newGuid(randomBytes);
    const id = await insertPoster(db, { guid, userid, created_date });
    await sql`UPDATE video_files SET poster = ${JSON.stringify({ id, guid, width: 1280, height: 720 })}
      WHERE videoid = ${videoid}`.execute(db);
  }
}

async function insertPoster(
  db: Kysely<Tables>,
  { guid, userid, created_date }: { guid: string; userid: number; created_date: number },
): Promise<number> {
  const { rows } = await sql<{ imageid: number }>`
    INSERT INTO images (guid, userid, filename, width, height, size, sha256, format, exif, drawing, created_date)
    VALUES (${guid}, ${userid}, 'film.jpg', 1280, 720, 0, NULL, 'jpeg', '{}', '{"film":true}', ${created_date})
    RETURNING imageid`.execute(db);
  return must(rows[0], 'the poster').imageid;
}
