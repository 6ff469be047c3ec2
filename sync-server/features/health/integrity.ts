import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { z } from 'zod';

import { mailAdministrators } from '#server/features/tokens/notices.ts';
import type { Services } from '#server/core/services.ts';

/** Time between the start and the first check, ms: the start has priority. */
const firstMs = 60_000;
const dayMs = 24 * 3_600_000;

type Needs = Pick<Services, 'damage' | 'log' | 'site' | 'mailer' | 'storage'>;

/**
 * Checks the whole database a minute after the start and then daily.
 *
 * - HEALTH-1 Damage that a request or a check finds is immediately in `/readyz` and the log, and administrators get a mail.
 *   What can still be read is served.
 * - HEALTH-2 The check uses a thread and a connection of its own: neither the start nor a request waits for it.
 *
 * @returns a function that ends the checks
 */
export function watchIntegrity(services: Needs, databasePath: string): () => Promise<void> {
  const { damage, log, site } = services;
  damage.onFound((words) => {
    log.fatal({ damage: words }, 'the database is damaged');
    void mailAdministrators(services, ({ mails }) => ({
      subject: mails.damage.subject(site.title),
      text: mails.damage.text(site.title, words),
    })).catch((error: unknown) => log.error({ err: error }, 'administrators could not be notified'));
  });
  let running: Promise<unknown> = Promise.resolve();
  let stop: () => void = () => undefined;
  const check = (): void => {
    const { worker, result } = quickCheck(databasePath);
    stop = () => void worker.terminate();
    running = result
      .then((words) => (words === 'ok' ? undefined : damage.report(words)))
      .catch((error: unknown) => log.error({ err: error }, 'the database could not be checked'))
      .finally(() => (stop = () => undefined));
  };
  const first = setTimeout(check, firstMs).unref();
  const daily = setInterval(check, dayMs).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(daily);
    stop();
    await running;
  };
}

/** `ok`, or the faults of a database in SQLite's words. */
export function quickCheck(databasePath: string): { worker: Worker; result: Promise<string> } {
  const worker = new Worker(fileURLToPath(new URL('integrity-worker.ts', import.meta.url)), {
    workerData: databasePath,
  });
  const result = new Promise<string>((resolve, reject) => {
    worker.once('message', (words: unknown) => resolve(z.string().parse(words)));
    worker.once('error', reject);
    // The check was ended early.
    worker.once('exit', () => resolve('ok'));
  });
  return { worker, result };
}
