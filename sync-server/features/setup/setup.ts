import { readablePassword } from '#server/platform/random.ts';
import { isSameSecret } from '#server/platform/same-secret.ts';
import { administers } from '#server/core/roles.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import { contains } from '#server/storage/dialect.ts';
import type { Db } from '#server/storage/tables.ts';

declare module '#server/core/services.ts' {
  interface Services {
    setup: Setup;
  }
}

/** A backup to restore, with paths on this machine. */
export interface WantedBackup {
  folder: string;
  key: string | undefined;
  backup: string;
}

/** What the program that runs the server provides for the setup. */
export interface SetupHost {
  /** The folder of the scheduled backups and their key file. */
  folder: string | undefined;
  key: string | undefined;
  /** Restores a backup and restarts the server with it. Returns before that. */
  restore: (wanted: WantedBackup) => void;
  /** The code of the server before the restart, so that people need not look for another. */
  code?: string | undefined;
  /** Why the restore before this start failed. */
  failure: string | null;
}

/**
 * The first run of an empty server.
 *
 * - SETUP-1 A server without an administrator prints a code. The person who sends it makes the site and its first
 *   administrator, or restores a backup.
 * - SETUP-2 Without the code, and once there is an administrator, nothing can be set up, listed or restored.
 * - SETUP-3 After a restore the server runs with the backup. If the restore fails, it runs as before, and says why.
 */
export class Setup {
  readonly #randomBytes: (size: number) => Uint8Array;
  #code: string | undefined;
  host: SetupHost | null = null;
  isRestoring = false;

  constructor(randomBytes: (size: number) => Uint8Array) {
    this.#randomBytes = randomBytes;
  }

  /** About 59 bits, so that guessing is hopeless even without a limit. */
  get code(): string {
    return this.host?.code ?? (this.#code ??= readablePassword(this.#randomBytes));
  }

  /** Whether somebody typed the code; capitals do not matter. */
  accepts(code: string): boolean {
    return isSameSecret(code.toLowerCase(), this.code);
  }
}

/** The name of the code in `meta`, where the nodes of a site without an administrator share it. */
const codeName = 'setup_code';

/**
 * The code that all nodes on a PostgreSQL database accept; undefined on SQLite, or once there is an administrator.
 *
 * - SETUP-4 Nodes on one database print and accept the same code. It is removed from the database at the first start after
 *   the setup.
 */
export async function sharedCode(
  services: Pick<Services, 'storage' | 'acting' | 'setup'>,
): Promise<string | undefined> {
  const { storage, setup } = services;
  if (storage.kind === 'sqlite') return undefined;
  const isNeeded = await needsSetup(storage.reader);
  const stored = await storage.reader
    .selectFrom('meta')
    .select('value')
    .where('name', '=', codeName)
    .executeTakeFirst();
  if (isNeeded && stored !== undefined) return stored.value;
  if (!isNeeded && stored === undefined) return undefined;
  return storage.write(ownOrigin(services, 'setup code'), async (tx) => {
    if (!isNeeded) {
      await tx.deleteFrom('meta').where('name', '=', codeName).execute();
      return undefined;
    }
    await tx
      .insertInto('meta')
      .values({ name: codeName, value: setup.code })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const { value } = await tx
      .selectFrom('meta')
      .select('value')
      .where('name', '=', codeName)
      .executeTakeFirstOrThrow();
    return value;
  });
}

/** Whether the site has no administrator. */
export async function needsSetup(db: Db): Promise<boolean> {
  const rows = await db
    .selectFrom('users')
    .select('privileges')
    .where('enabled', '=', 1)
    .where(contains(db, 'privileges', '"Admin"'))
    .execute();
  return !rows.some(({ privileges }) => administers(JSON.parse(privileges) as string[]));
}
