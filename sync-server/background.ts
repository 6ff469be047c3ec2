import { join } from 'node:path';

import { watchIntegrity } from './features/health/integrity.ts';
import { databaseName, unlessFull } from './storage/sqlite.ts';
import { guardAudit, type Guard } from './features/audit/guard.ts';
import { HeadSender } from './features/audit/head-sender.ts';
import { Leader, type SiteWork } from './core/leading.ts';
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
  /** As this node began them last, or would begin them if it led. */
  readonly collection: CollectionKeeper;
  readonly packs: PackKeeper;
  readonly heads: HeadSender;
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
  const isOnlyNode = services.storage.kind === 'sqlite';
  // PostgreSQL checks its pages itself.
  const stopChecking = isOnlyNode
    ? watchIntegrity(services, join(dataDir, databaseName))
    : async () => undefined;
  const stopWatching = watchOtherProcesses(services);
  const partsOf = (acting: Services): Parts => ({
    heads: new HeadSender(acting),
    collection: new CollectionKeeper(acting),
    packs: new PackKeeper(acting, packOptions),
    guard: null,
  });
  let parts = partsOf(services);
  services.wantCollection = (origin) => parts.collection.want(origin);
  const leader = new Leader(services, async (led) => {
    parts = { ...partsOf(led), guard: await guardAudit(led) };
    const work = await startSiteWork(led, parts, services);
    return {
      ...work,
      end: async () => {
        await work.end();
        // Requests go on, and another node leads.
        parts = partsOf(services);
      },
    };
  });
  // What a start removes, another node may be writing.
  const unfinishedBefore = isOnlyNode ? Infinity : services.now() - dayMs;
  await services.training.files
    .sweep(services.storage.reader, unfinishedBefore)
    .catch(unlessFull(services.log));
  await services.archives.clear(unfinishedBefore);
  await leader.start();
  const jobs = new JobRunner(services, jobKinds);
  await jobs.start();
  return {
    jobs,
    get collection() {
      return parts.collection;
    },
    get packs() {
      return parts.packs;
    },
    get heads() {
      return parts.heads;
    },
    get guard() {
      return parts.guard ?? { look: async () => undefined, stop: async () => undefined };
    },
    quiet: () => {
      leader.quiet();
      stopWatching();
    },
    end: async () => {
      await stopChecking();
      await jobs.stop();
      await services.mailer.idle();
      await leader.end();
    },
  };
}

const dayMs = 24 * 3600 * 1000;

/** Parts of the site's work that requests and tests use too. `guard`: null while another node leads. */
interface Parts {
  heads: HeadSender;
  collection: CollectionKeeper;
  packs: PackKeeper;
  guard: Guard | null;
}

/** Begins the work that only one node does. `unfenced`: services whose writes need no lease. */
async function startSiteWork(
  services: Services,
  { heads, collection, packs, guard }: Parts,
  unfenced: Services,
): Promise<SiteWork> {
  const later = unlessFull(services.log);
  const stops: (() => void)[] = [];
  const ends: (() => Promise<unknown>)[] = [];
  const work: SiteWork = {
    quiet: () => {
      for (const stop of stops) stop();
    },
    end: async () => {
      for (const end of ends) await end();
    },
  };
  try {
    await publishSiteAtStart(services).catch(later);
    stops.push(await pruneDaily(services), await publishMeritsRegularly(services));
    await publishStoredReleases(services).catch(later);
    stops.push(await planAheadRegularly(services));
    const stopSummaries = new AbortController();
    stops.push(() => stopSummaries.abort());
    const summaries = storeMissingSummaries(services, stopSummaries.signal).catch(later);
    const telling = await publishTraining(services).catch(later);
    const courier = new Courier(services);
    courier.wake();
    heads.start();
    // A search that waits for words to be indexed must not fail with the lease.
    const stopIndexing = indexRegularly(unfenced);
    ends.push(
      async () => telling?.stop(),
      () => courier.stop(),
      () => collection.stop(),
      () => packs.stop(),
      stopIndexing,
      () => summaries,
      async () => guard?.stop(),
      () => heads.stop(),
    );
    await adoptCommands(services).catch(later);
    await collection.start();
    await packs.start();
    return work;
  } catch (error) {
    work.quiet();
    await work.end();
    throw error;
  }
}
