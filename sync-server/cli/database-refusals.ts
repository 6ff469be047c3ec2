import BetterSqlite3 from 'better-sqlite3';

import { BadSetting } from '#server/platform/config.ts';
import { reasonOf } from '#server/storage/move/move-site.ts';

/** For the `catch` of work in one transaction: turns errors of databases into a refusal. */
export function refusedByDatabase(cause: unknown): never {
  if (cause instanceof BadSetting) throw cause;
  if (cause instanceof BetterSqlite3.SqliteError && cause.code.startsWith('SQLITE_BUSY'))
    throw new BadSetting('A command is writing to the data folder. Wait until it is done, then try again.', {
      cause,
    });
  throw new BadSetting(`That failed, and nothing was changed: ${reasonOf(cause)}.`, { cause });
}
