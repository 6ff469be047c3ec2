import { isReachable } from '#shared/rules/urls.ts';
import type { Services } from '#server/core/services.ts';
import { newestSeq, outOfDate } from '#server/features/omanual/freshness.ts';
import { plannedArchives, type PlannedArchive } from '#server/features/omanual/plan.ts';
import {
  currentVersions,
  pruneVersions,
  type ArchiveRow,
  rememberBase,
  wantedBase,
} from '#server/features/omanual/versions.ts';

import { enqueueJob } from '../../../jobs/store.ts';
import { contextForJob } from '../../../core/job.ts';
import { collectKind, type CollectInput } from './collect.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** Enables the collection of archives; returns the address that the archives have as their origin. */
    wantCollection(origin: string): Promise<string>;
  }
}

/** Delay after the last change, and longest delay after the first change, before the collection is checked, ms. */
const usualWait = { quietMs: 20_000, mostMs: 300_000 };

/** A large archive is made at most once in as many seconds as it has megabytes. */
const bytesPerSecond = 1_000_000;

/**
 * Keeps the archives of the collection up to date after their first request, so that servers without such requests
 * spend nothing on them. Writes wake it; it queues jobs for outdated archives.
 */
export class CollectionKeeper {
  readonly #services: Services;
  readonly #wait: { quietMs: number; mostMs: number };
  #stopListening: () => void = () => undefined;
  #base: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #changedAt: number | undefined;
  #looking: Promise<void> = Promise.resolve();
  #stopped = false;
  /** The state for which the collection was last found up to date. */
  #seen = '';

  constructor(services: Services, wait: { quietMs: number; mostMs: number } = usualWait) {
    this.#services = services;
    this.#wait = wait;
  }

  /** Starts if the collection was requested before this start of the server. */
  async start(): Promise<void> {
    this.#base = await wantedBase(this.#services);
    this.#stopListening = this.#services.bus.listen(() => this.#changed());
    if (this.#base !== null) this.#changed();
  }

  /** Handles a request for the collection. `origin`: its address, used if the site has no address. */
  async want(origin: string): Promise<string> {
    // A first request from the server's own machine (`http://localhost`) must not decide for everybody.
    if (this.#base === null || (!isReachable(this.#base) && isReachable(origin))) {
      await rememberBase(this.#services, origin);
      this.#base = await wantedBase(this.#services);
      await this.look();
    }
    return this.#services.site.address ?? this.#base ?? origin;
  }

  /** Queues jobs for outdated archives; resolves when they are queued. */
  look(): Promise<void> {
    clearTimeout(this.#timer);
    this.#changedAt = undefined;
    this.#looking = this.#looking
      .catch(() => undefined)
      .then(async () => {
        if (!this.#stopped) await this.#look();
      });
    return this.#looking;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    await this.#looking.catch(() => undefined);
  }

  #changed(): void {
    // Another node may have been asked for the collection.
    const isPossible = this.#base !== null || this.#services.storage.leases !== undefined;
    if (!isPossible || this.#stopped) return;
    // oxlint-disable-next-line no-restricted-properties -- measures waits of `setTimeout`
    const now = performance.now();
    this.#changedAt ??= now;
    const latest = this.#changedAt + this.#wait.mostMs - now;
    this.#lookIn(Math.max(0, Math.min(this.#wait.quietMs, latest)));
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.look().catch((error: unknown) =>
        this.#services.log.error({ err: error }, 'the collection of archives could not be looked at'),
      );
    }, ms).unref();
  }

  async #look(): Promise<void> {
    this.#base ??= await wantedBase(this.#services);
    if (this.#base === null) return;
    const base = this.#services.site.address ?? this.#base;
    const { reader } = this.#services.storage;
    const state = `${base} ${this.#services.site.title} ${await newestSeq(reader)}`;
    if (state === this.#seen) return;
    const plan = await plannedArchives(reader, this.#services, base);
    const current = await currentVersions(reader);
    const stale = await outOfDate(reader, plan, current);
    const due = stale.filter((one) => this.#waitOf(current.get(one.name)) <= 0).toSorted(smallFirst);
    await enqueueMissing(this.#services, due, base);
    const names = new Set(plan.map((one) => one.name));
    if ([...current.keys()].some((name) => !names.has(name))) await pruneVersions(this.#services, names);
    const waits = stale.map((one) => this.#waitOf(current.get(one.name))).filter((wait) => wait > 0);
    this.#seen = waits.length === 0 ? state : '';
    if (waits.length > 0 && this.#changedAt === undefined) this.#lookIn(Math.min(...waits) * 1000);
  }

  /** Seconds until a version may be replaced. */
  #waitOf(version: ArchiveRow | undefined): number {
    if (version === undefined) return 0;
    return version.created_date + version.size / bytesPerSecond - this.#services.now() / 1000;
  }
}

/** Sorts small archives before large ones, and the whole site last. */
function smallFirst(one: PlannedArchive, other: PlannedArchive): number {
  return one.guides - other.guides || Number(one.category === null) - Number(other.category === null);
}

async function enqueueMissing(services: Services, due: PlannedArchive[], base: string): Promise<void> {
  if (due.length === 0) return;
  await contextForJob(services, null, async (ctx) => {
    const waiting = await ctx.db
      .selectFrom('jobs')
      .select('subject')
      .where('kind', '=', collectKind)
      .where('state', '=', 'waiting')
      .execute();
    const known = new Set(waiting.map((row) => row.subject));
    for (const { name } of due) {
      if (known.has(name)) continue;
      const input: CollectInput = { name, base };
      await enqueueJob(ctx, { kind: collectKind, userid: null, subject: name, input });
    }
  });
}
