import { Problem } from '#shared/api/problem.ts';
import { unlessFull } from '#server/storage/sqlite.ts';
import { pruneAccessChanges } from '#server/storage/access-changes.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import { pruneResets } from './tokens/password-reset.ts';
import { knownSeconds } from './tokens/known-devices.ts';
import { keepAttemptsSeconds } from './tokens/policy.ts';
import { withdrawOldWork } from './stations/open-work.ts';
import { pruneVersions } from './omanual/versions.ts';
import { pruneDeliveries } from './webhooks/store.ts';

import { pruneUploads } from './omanual/import/prune-uploads.ts';
import { collectKind } from './omanual/make/collect.ts';
import { keepMadeSeconds, madeName, makeKind } from './omanual/make/make.ts';

/** Retention of idempotency keys: a call may be repeated this long after it took effect, seconds. */
export const keepKeysSeconds = 400 * 24 * 3600;
const dayMs = 24 * 3600 * 1000;

/** Deletes expired records: idempotency keys with their temporary ids, tokens, failed logins, jobs, archives. */
export async function prune(services: Services): Promise<void> {
  const seconds = Math.floor(services.now() / 1000);
  await services.storage.write(ownOrigin(services, 'prune'), async (tx) => {
    const oldest = seconds - keepKeysSeconds;
    await tx
      .deleteFrom('temporary_ids')
      .where((where) =>
        where.exists(
          where
            .selectFrom('idempotency')
            .select('idempotency.key')
            .whereRef('idempotency.userid', '=', 'temporary_ids.userid')
            .whereRef('idempotency.key', '=', 'temporary_ids.key')
            .where('created_date', '<', oldest),
        ),
      )
      .execute();
    await tx.deleteFrom('idempotency').where('created_date', '<', oldest).execute();
    await pruneResets(tx, seconds);
    await pruneDeliveries(tx, seconds);
    await tx.deleteFrom('tokens').where('expires_date', '<', seconds).execute();
    await tx
      .deleteFrom('login_attempts')
      .where('last_date', '<', seconds - keepAttemptsSeconds)
      .execute();
    await pruneAccessChanges(tx);
    await tx
      .deleteFrom('known_devices')
      .where('seen_date', '<', seconds - knownSeconds)
      .execute();
  });
  await pruneCollected(services, seconds);
  await pruneMade(services, seconds);
  await pruneVersions(services);
  await pruneUploads(services, seconds);
  await withdrawOldWork(services);
  // The storage of files may not answer at the moment; the next day does as well.
  await services.uploads.prune().catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'storage-unavailable') throw error;
    services.log.warn({ err: error }, 'expired uploads are not removed');
  });
}

/** Retention of jobs that made versions of the collection's archives, seconds. */
const keepCollectedSeconds = 7 * 24 * 3600;

/**
 * Deletes old jobs of the collection. The newest job of an existing or failed archive stays, because it has its result.
 */
async function pruneCollected(services: Services, seconds: number): Promise<void> {
  await services.storage.write(ownOrigin(services, 'prune'), (tx) =>
    tx
      .deleteFrom('jobs')
      .where('kind', '=', collectKind)
      .where('finished_date', '<', seconds - keepCollectedSeconds)
      .where((where) =>
        where.or([
          where.exists(
            where
              .selectFrom('jobs as newer')
              .select('newer.jobid')
              .where('newer.kind', '=', collectKind)
              .whereRef('newer.subject', '=', 'jobs.subject')
              .whereRef('newer.jobid', '>', 'jobs.jobid'),
          ),
          where.and([
            where('state', '!=', 'failed'),
            where('subject', 'not in', (query) =>
              query.selectFrom('archives').select('name').where('current', '=', 1),
            ),
          ]),
        ]),
      )
      .execute(),
  );
}

/** Deletes expired archives that people requested. */
async function pruneMade(services: Services, seconds: number): Promise<void> {
  const rows = await services.storage.reader
    .selectFrom('jobs')
    .select('jobid')
    .where('kind', '=', makeKind)
    .where('finished_date', '<', seconds - keepMadeSeconds)
    .execute();
  for (const { jobid } of rows) {
    await services.archives.remove(madeName(jobid));
    await services.storage.write(ownOrigin(services, 'prune'), (tx) =>
      tx.deleteFrom('jobs').where('jobid', '=', jobid).execute(),
    );
  }
}

/** Prunes now and once a day, without keeping the process alive. Returns a function that stops it. */
export async function pruneDaily(services: Services): Promise<() => void> {
  await prune(services).catch(unlessFull(services.log));
  const timer = setInterval(() => {
    prune(services).catch((error: unknown) => services.log.error({ err: error }, 'pruning failed'));
  }, dayMs).unref();
  return () => clearInterval(timer);
}
