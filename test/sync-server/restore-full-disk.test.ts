import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';

import { databaseName } from '#server/storage/sqlite.ts';
import { runCommand } from '#test/support/command-line.ts';
import { startServer } from '#test/support/server.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const full = (): never => {
  throw new BetterSqlite3.SqliteError('database or disk is full', 'SQLITE_FULL');
};

test.each([
  ['before it begins', () => void vi.spyOn(BetterSqlite3.prototype, 'exec').mockImplementationOnce(full)],
  [
    'while it copies',
    () => {
      const error = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'copyfile' });
      vi.spyOn(files, 'cp').mockRejectedValue(error);
      syncBuiltinESMExports();
    },
  ],
  [
    'while it checks the copy',
    () => {
      vi.spyOn(BetterSqlite3.prototype, 'pragma').mockImplementationOnce(() => {
        throw new BetterSqlite3.SqliteError('disk I/O error', 'SQLITE_IOERR_SHMSIZE');
      });
    },
  ],
  [
    'while it makes the copy ready',
    () => {
      const prepare = Object.getOwnPropertyDescriptor(BetterSqlite3.prototype, 'prepare')?.value as (
        this: BetterSqlite3.Database,
        sql: string,
      ) => BetterSqlite3.Statement;
      vi.spyOn(BetterSqlite3.prototype, 'prepare').mockImplementation(function (
        this: BetterSqlite3.Database,
        sql: string,
      ) {
        return sql.includes('sqlite_sequence') ? full() : prepare.call(this, sql);
      });
    },
  ],
])(
  'RESTORE-2 a restore that finds the disk full %s says what to do, and the data folder is unchanged',
  async (_, fill) => {
    const root = mkdtempSync(join(tmpdir(), 'benchbook-full-'));
    try {
      const [data, backup] = [join(root, 'data'), join(root, 'backup')];
      await (await startServer({ dataDir: data }))[Symbol.asyncDispose]();
      cpSync(data, backup, { recursive: true });
      fill();
      const { code, err } = await runCommand(['restore', backup, '--data', data]);
      expect([code, err]).toEqual([
        1,
        `There is no room for a copy of ${backup} on the disk of ${data}. Nothing was changed. Make room there, then run the restore again.`,
      ]);
      expect(readdirSync(root).toSorted()).toEqual(['backup', 'data']);
      expect(existsSync(join(data, databaseName))).toBe(true);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
