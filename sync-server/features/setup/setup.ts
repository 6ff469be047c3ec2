import { readablePassword } from '#server/platform/random.ts';
import { isSameSecret } from '#server/platform/same-secret.ts';
import { administers } from '#server/core/roles.ts';
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
    return (this.#code ??= this.host?.code ?? readablePassword(this.#randomBytes));
  }

  /** Whether somebody typed the code; capitals do not matter. */
  accepts(code: string): boolean {
    return isSameSecret(code.toLowerCase(), this.code);
  }
}

/** Whether the site has no administrator. */
export async function needsSetup(db: Db): Promise<boolean> {
  const rows = await db
    .selectFrom('users')
    .select('privileges')
    .where('enabled', '=', 1)
    .where('privileges', 'like', '%"Admin"%')
    .execute();
  return !rows.some(({ privileges }) => administers(JSON.parse(privileges) as string[]));
}
