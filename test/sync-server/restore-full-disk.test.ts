import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';

import { runCli } from '#server/cli/program.ts';
import { databaseName } from '#server/services.ts';
import { startServer } from '#test/support/server.ts';

/** Throws where the disk has no room any more; nothing while it has. */
const room = vi.hoisted(() => ({ forCopy: (): void => undefined, forNumbers: (): void => undefined }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const cp: typeof real.cp = async (...args) => {
    await real.cp(...args);
    room.forCopy();
  };
  return { ...real, cp };
});

vi.mock('#server/storage/leap.ts', async (original) => {
  const real = await original<typeof import('#server/storage/leap.ts')>();
  const leap: typeof real.leap = async (...args) => {
    await real.leap(...args);
    room.forNumbers();
  };
  return { ...real, leap };
});

afterEach(() => {
  vi.restoreAllMocks();
  room.forCopy = () => undefined;
  room.forNumbers = () => undefined;
});

const full = (): never => {
  throw new BetterSqlite3.SqliteError('database or disk is full', 'SQLITE_FULL');
};

test.each([
  ['before it begins', () => void vi.spyOn(BetterSqlite3.prototype, 'exec').mockImplementationOnce(full)],
  [
    'while it copies',
    () => {
      room.forCopy = () => {
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'copyfile' });
      };
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
      room.forNumbers = full;
    },
  ],
])(
  'RS2 a restore that finds the disk full %s says what to do, and the data folder stays as it was',
  async (_, fill) => {
    const root = mkdtempSync(join(tmpdir(), 'benchbook-full-'));
    try {
      const [data, backup] = [join(root, 'data'), join(root, 'backup')];
      await (await startServer({ dataDir: data }))[Symbol.asyncDispose]();
      cpSync(data, backup, { recursive: true });
      fill();
      const err: string[] = [];
      const code = await runCli(['restore', backup, '--data', data], {
        env: {},
        out: () => undefined,
        err: (line) => void err.push(line),
        input: async () => '',
      });
      expect([code, err]).toEqual([
        1,
        [
          `There is no room for a copy of ${backup} on the disk of ${data}. Nothing was changed. Make room there, then run the restore again.`,
        ],
      ]);
      expect(readdirSync(root).toSorted()).toEqual(['backup', 'data']);
      expect(existsSync(join(data, databaseName))).toBe(true);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
