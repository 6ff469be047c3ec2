import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';

import { ownProcessor, workRate, type Rate } from './load.ts';

/** Transactions per second of SQLite alone, each waiting for the disk, with `rows` of these sizes in each. */
export async function rawRate(folder: string, rows: number[], seconds: number): Promise<Rate> {
  const db = new BetterSqlite3(join(folder, `raw-${rows.join('-')}.sqlite`));
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.exec('CREATE TABLE IF NOT EXISTS record (id INTEGER PRIMARY KEY, body TEXT)');
    const insert = db.prepare('INSERT INTO record (body) VALUES (?)');
    const bodies = rows.map((bytes) => 'x'.repeat(bytes));
    const write = db.transaction(() => {
      for (const body of bodies) insert.run(body);
    });
    return await workRate(async () => write(), { seconds, lanes: 1, processor: ownProcessor });
  } finally {
    db.close();
  }
}
