import { unlessFull } from '#server/storage/sqlite.ts';
import type { Services } from '#server/core/services.ts';
import { publishProfile } from '#server/features/users/store.ts';

import { contextForJob } from '../../core/job.ts';

/** Interval between publications, ms. */
const intervalMs = 10 * 60 * 1000;
/** Number of people per transaction, to keep transactions short. */
const batch = 100;

/**
 * Publishes the facts of people whose reputation or badges changed since the last publication.
 *
 * - MERIT-10 Devices learn of merits at most once per person in ten minutes. Answers of the API are always current.
 */
export async function publishMerits(services: Services): Promise<void> {
  const waiting = await services.storage.reader.selectFrom('unpublished_merits').select('userid').execute();
  for (let start = 0; start < waiting.length; start += batch) {
    await contextForJob(services, null, async (ctx) => {
      for (const { userid } of waiting.slice(start, start + batch)) await publishProfile(ctx, userid);
    });
  }
}

/** Publishes now and every ten minutes, without keeping the process alive. Returns a function that stops it. */
export async function publishMeritsRegularly(services: Services): Promise<() => void> {
  await publishMerits(services).catch(unlessFull(services.log));
  const timer = setInterval(() => {
    publishMerits(services).catch((error: unknown) =>
      services.log.error({ err: error }, 'publishing merits failed'),
    );
  }, intervalMs).unref();
  return () => clearInterval(timer);
}
