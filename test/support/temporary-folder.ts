import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder that is removed when the scope ends, with the database that belongs to it. */
export async function temporaryFolder(name: string): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), `benchbook-${name}-`));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      // Only these runs load the code for PostgreSQL.
      if (process.env['BENCHBOOK_TEST_DATABASE'] === 'postgres')
        await (await import('./postgres-databases.ts')).forgetDatabaseOf(path);
    },
  };
}
