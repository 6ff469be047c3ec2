import { join } from 'node:path';

import { watchIntegrity } from './features/health/integrity.ts';
import { unlessFull } from './storage/sqlite.ts';
import { databaseName } from './storage/sqlite.ts';
import { guardAudit, type Guard } from './features/audit/guard.ts';
import { HeadSender } from './features/audit/head-sender.ts';
import type { Services } from './core/services.ts';
import { CollectionKeeper } from './features/omanual/make/keeper.ts';
import { jobKinds } from './features/job-kinds.ts';
import { pruneDaily } from './features/prune.ts';
import { publishMeritsRegularly } from './features/merits/publish-job.ts';
import { storeMissingSummaries } from './features/guides/summaries.ts';
import { publishStoredReleases } from './features/guides/release-facts.ts';
import { publishTraining } from './features/training/publish-job.ts';
import { adoptCommands, JobRunner } from './jobs/runner.ts';
import { planAheadRegularly } from './features/planned-orders/series.ts';
import { indexRegularly } from './features/search/indexing.ts';
import { publishSiteAtStart, watchOtherProcesses } from './core/site.ts';
import { PackKeeper, type PackOptions } from './sync/packs/pack-keeper.ts';
import { Courier } from './features/webhooks/courier.ts';

/** Work that the server does without requests. */
export interface Background {
  jobs: JobRunner;
  collection: CollectionKeeper;
  packs: PackKeeper;
  heads: HeadSender;
  guard: Guard;
  /** Stops starting periodic work. Requests in progress may still start some. */
  quiet: () => void;
  /** Ends all work in order. The database may be closed afterwards. */
  end: () => Promise<void>;
}

/** Handles what changed while the server was stopped, and starts the continuous work. */
export async function startBackground(
  services: Services,
  dataDir: string,
  packOptions?: PackOptions,
): Promise<Background> {
  const stopChecking = watchIntegrity(services, join(dataDir, databaseName));
  const later = unlessFull(services.log);
  const guard = await guardAudit(services);
  const heads = new HeadSender(services);
  await publishSiteAtStart(services).catch(later);
  const stopPruning = await pruneDaily(services);
  const stopPublishing = await publishMeritsRegularly(services);
  await publishStoredReleases(services).catch(later);
  const stopPlanning = await planAheadRegularly(services);
  const stopIndexing = indexRegularly(services);
  const stopSummaries = new AbortController();
  const summaries = storeMissingSummaries(services, stopSummaries.signal).catch(later);
  const telling = await publishTraining(services).catch(later);
  const stopWatching = watchOtherProcesses(services);
  const courier = new Courier(services);
  courier.wake();
  heads.start();
  await services.training.files.sweep(services.storage.reader).catch(later);
  await services.archives.clear();
  await adoptCommands(services).catch(later);
  const jobs = new JobRunner(services, jobKinds);
  await jobs.start();
  const collection = new CollectionKeeper(services);
  services.wantCollection = (origin) => collection.want(origin);
  await collection.start();
  const packs = new PackKeeper(services, packOptions);
  await packs.start();
  return {
    jobs,
    collection,
    packs,
    heads,
    guard,
    quiet: () => {
      stopPruning();
      stopPublishing();
      stopPlanning();
      stopWatching();
      stopSummaries.abort();
    },
    end: async () => {
      await stopChecking();
      await telling?.stop();
      await courier.stop();
      await collection.stop();
      await packs.stop();
      await jobs.stop();
      await services.mailer.idle();
      await stopIndexing();
      await summaries;
      await guard.stop();
      await heads.stop();
    },
  };
}
