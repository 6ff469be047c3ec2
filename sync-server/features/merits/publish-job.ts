import { unlessFull } from '#server/storage/full-disk.ts';
import type { Services } from '#server/core/services.ts';
import { publishProfile } from '#server/features/users/store.ts';

import { contextForJob } from '../../core/job.ts';

/** How often what people earned is told to devices: at most one row of the feed per person and interval. */
const intervalMs = 10 * 60 * 1000;
/** People per transaction, so that no other write waits for long. */
const batch = 100;

/** Publishes the facts of people whose reputation or badges moved since they were last published. */
export async function publishMerits(services: Services): Promise<void> {
  const waiting = await services.storage.reader.selectFrom('unpublished_merits').select('userid').execute();
  for (let start = 0; start < waiting.length; start += batch) {
    await contextForJob(services, null, async (ctx) => {
      for (const { userid } of waiting.slice(start, start + batch)) await publishProfile(ctx, userid);
    });
  }
}

/** Publishes now and every ten minutes, without keeping the process alive. Returns what ends it. */
export async function publishMeritsRegularly(services: Services): Promise<() => void> {
  await publishMerits(services).catch(unlessFull(services.log));
  const timer = setInterval(() => {
    publishMerits(services).catch((error: unknown) =>
      services.log.error({ err: error }, 'publishing merits failed'),
    );
  }, intervalMs).unref();
  return () => clearInterval(timer);
}
