import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';

import { openSqlite } from '#server/storage/sqlite.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const script = fileURLToPath(new URL('write-on.ts', import.meta.url));
const writes = 20;
/** Failing calls in one process are far enough apart that some writes succeed between them. */
const apart = 97;

/**
 * The acknowledged writes of a process whose n-th write or fsync fails, and every 97th after it (strace(1),
 * "Tampering").
 */
async function writeWithFault(path: string, nth: number, error: string): Promise<number[]> {
  const fault = [
    '-e',
    'trace=pwrite64,fdatasync,fsync',
    '-e',
    `inject=pwrite64,fdatasync,fsync:error=${error}:when=${nth}+${apart}`,
  ];
  const command = [process.execPath, script, path, String(writes)];
  const args = ['-f', '-qq', '-o', '/dev/null', ...fault, ...command];
  const { stdout } = await promisify(execFile)('strace', args).catch(
    (error: Error & { code: unknown; stdout: string }) => {
      // A process that cannot open the database ends before the first write.
      if (error.code === 1 && error.stdout === '') return error;
      throw error;
    },
  );
  return stdout.split('\n').filter(Boolean).map(Number);
}

// A disk that fails now and then. Needs strace, so it is in the long run only.
test.runIf(isLongRun)(
  'STORAGE-27 no acknowledged write is lost, whichever of the first 500 disk calls fails',
  { timeout: 3_600_000 },
  async () => {
    await using temporary = await temporaryFolder('failing-disk');
    const prepared = join(temporary.path, 'prepared.sqlite');
    await (await openSqlite(prepared))[Symbol.asyncDispose]();
    let failed = 0;
    for (let nth = 1; nth <= apart; nth += 1) {
      const path = join(temporary.path, `${nth}.sqlite`);
      await copyFile(prepared, path);
      const acked = await writeWithFault(path, nth, nth % 2 === 0 ? 'EIO' : 'ENOSPC');
      if (acked.length < writes) failed += 1;
      await using storage = await openSqlite(path);
      const names = await storage.reader.selectFrom('tags').select('name').execute();
      const documents = await storage.reader.selectFrom('documents').select('id').execute();
      const feed = await storage.reader.selectFrom('feed').select('id').execute();
      const written = names.map(({ name }) => name);
      expect(written, `n = ${nth}`).toEqual(expect.arrayContaining(acked.map((number) => `write ${number}`)));
      for (const rows of [documents, feed])
        expect(rows.map(({ id }) => `write ${id}`).toSorted()).toEqual(written.toSorted());
      const raw = new BetterSqlite3(path);
      expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
      raw.close();
    }
    expect(failed).toBeGreaterThan(apart / 2);
  },
);
