import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { z } from 'zod';

/** Facts of a copied database. */
export const snapshotFacts = z.strictObject({
  schema: z.int(),
  oldestSchema: z.int(),
  site: z.string(),
  counts: z.record(z.string(), z.int()),
  /** SHA-256 of every stored file that a record names. */
  files: z.array(z.string()),
});
export type SnapshotFacts = z.infer<typeof snapshotFacts>;

const answer = z.union([z.strictObject({ facts: snapshotFacts }), z.strictObject({ error: z.string() })]);

/**
 * Copies a database as of one moment with SQLite's backup interface (https://sqlite.org/backup.html), while others write to
 * it. Uses a thread, so that the caller's event loop is not blocked.
 */
export async function copyDatabase(from: string, to: string): Promise<SnapshotFacts> {
  const worker = new Worker(fileURLToPath(new URL('snapshot-worker.ts', import.meta.url)), {
    workerData: { from, to },
  });
  try {
    const message: unknown = await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
    const result = answer.parse(message);
    if ('error' in result) throw new Error(result.error);
    return result.facts;
  } finally {
    await worker.terminate();
  }
}
