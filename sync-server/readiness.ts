import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { Problem } from '#shared/api/problem.ts';
import type { Services } from './core/services.ts';
import { isDamage, type Damage } from '#server/storage/damage.ts';
import { historyId } from '#server/sync/feed-reader.ts';

/** Name of the file that is written to find out whether the disk takes anything. */
const probeName = 'readiness.probe';
/** More than a small write to the database needs, so that a nearly full disk is told before a save fails, bytes. */
const probeBytes = 4 * 1024 * 1024;
/** How long one look at the disk counts, ms: anyone may ask, and each look waits for the disk. */
const probeLife = 5000;

/**
 * Tells whether this server can serve: the database can be read and the disk takes writes.
 * @returns a function that resolves when it can, and throws `Problem` 503 saying why when it cannot
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
      // Awaited below; without a second asker its failure must not count as unhandled.
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
