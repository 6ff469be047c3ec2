import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { Problem } from '#shared/api/problem.ts';
import type { Services } from './core/services.ts';
import { isDamage, type Damage } from '#server/storage/damage.ts';
import { historyId } from '#server/sync/feed-reader.ts';

/** Name of a file that is written to check whether the disk accepts writes. */
const probeName = 'readiness.probe';
/**
 * Size of that file, bytes: more than a small database write, so that a nearly full disk is reported before a save
 * fails.
 */
const probeBytes = 4 * 1024 * 1024;
/**
 * Time for which one check of the disk is valid, ms: anybody may call the endpoint, and each check waits for the disk.
 */
const probeLife = 5000;

/**
 * Makes the readiness check: a function that throws `Problem` 503 with the reason if the server is not ready.
 *
 * - INPUT-26 `/readyz` answers 503 with the reason while the database cannot be read or the data folder is not
 *   writable. It checks the disk at most every 5 seconds. It does not ask an S3 store: while that is down, everything
 *   works but pictures and files, and every node would be taken out of service at once.
 */
export function readinessOf(
  services: Pick<Services, 'storage' | 'now' | 'damage' | 'space'>,
  dataDir: string,
  write: (path: string) => Promise<void> = writeProbe,
): () => Promise<void> {
  let probe: { at: number; result: Promise<void> } | null = null;
  const path = join(dataDir, probeName);
  return async () => {
    mustBeSound(services.damage);
    try {
      services.space.mustHaveRoom();
    } catch (cause) {
      throw diskProblem(cause);
    }
    try {
      await historyId(services.storage.reader);
    } catch (cause) {
      if (isDamage(cause)) services.damage.report(String(cause));
      mustBeSound(services.damage);
      throw new Problem('unavailable', 'The database cannot be read', { cause });
    }
    const now = services.now();
    if (probe === null || now - probe.at >= probeLife || now < probe.at) {
      const result = write(path);
      // Awaited below. Without this, a failure could count as unhandled.
      result.catch(() => undefined);
      probe = { at: now, result };
    }
    await probe.result.catch((cause: unknown) => {
      throw diskProblem(cause);
    });
  };
}

function mustBeSound({ found }: Damage): void {
  if (found !== null)
    throw new Problem(
      'unavailable',
      `The database is damaged (${found}). Restore the newest backup: stop the server, run "benchbook restore FOLDER"`,
      { code: 'database-damaged' },
    );
}

async function writeProbe(path: string): Promise<void> {
  try {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(Buffer.alloc(probeBytes));
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

function diskProblem(cause: unknown): Problem {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Problem('unavailable', "The server's disk is full; free some space", {
      code: 'disk-full',
      cause,
    });
  return new Problem(
    'unavailable',
    `The server cannot write to its data folder (${code ?? 'unknown error'})`,
    {
      code: 'disk-not-writable',
      cause,
    },
  );
}
