import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Lease } from '#server/storage/leases.ts';
import { DatabaseUnreachable } from '#server/storage/unreachable.ts';

import { fenced } from './fenced.ts';
import type { Services } from './services.ts';

/** Interval at which a node looks whether nobody leads, ms. */
const lookMs = 2000;
const leaseName = 'leader';

/**
 * A lease for work that a node goes on doing as long as it lives. `isOurs`: whether this node has it, or takes it now;
 * always, where one process does all work of the site.
 */
export function standingLease(
  { storage, acting }: Pick<Services, 'storage' | 'acting'>,
  name: string,
): { isOurs: () => Promise<boolean>; release: () => Promise<void> } {
  let held: Lease | null = null;
  return {
    async isOurs() {
      const { leases } = storage;
      if (leases === undefined || (held !== null && !held.signal.aborted)) return true;
      if (!(await leases.isFree(name))) return false;
      held = await storage.write(ownOrigin({ acting }, name), (tx) => leases.take(name, tx));
      return held !== null;
    },
    async release() {
      await held?.release();
      held = null;
    },
  };
}

/** Work of the whole site that has begun. */
export interface SiteWork {
  /** Stops starting periodic work; what was started goes on. */
  quiet: () => void;
  end: () => Promise<void>;
}

/**
 * Does work of the site that only one node may do: prunes, publishes, delivers.
 *
 * - LEADER-1 Of several nodes on one database, one does this work. There is one lease for all of it, because it takes
 *   little time, and its parts wake each other. When that node ends, another one begins at most 12 seconds later.
 * - LEADER-2 A node that lost the lease writes nothing more of this work, and ends it.
 */
export class Leader {
  readonly #services: Services;
  readonly #begin: (services: Services) => Promise<SiteWork>;
  #leading: { work: Promise<SiteWork>; lease: Lease | undefined } | undefined;
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;

  /** `begin`: begins the work. It gets services that refuse writes after the lease is lost. */
  constructor(services: Services, begin: (services: Services) => Promise<SiteWork>) {
    this.#services = services;
    this.#begin = begin;
  }

  /** Begins the work if no other node does it, and looks for that from now on. */
  async start(): Promise<void> {
    if (this.#services.storage.leases === undefined) {
      await this.#lead(undefined);
      return;
    }
    await this.#look();
    this.#timer = setInterval(() => {
      this.#looking = this.#looking.then(() => this.#look()).catch((error: unknown) => this.#failed(error));
    }, lookMs).unref();
  }

  /** Whether this node does the work. */
  get isLeading(): boolean {
    return this.#leading !== undefined;
  }

  /** Stops starting periodic work. */
  quiet(): void {
    this.#isEnding = true;
    clearInterval(this.#timer);
    void this.#leading?.work.then(({ quiet }) => quiet()).catch(() => undefined);
  }

  /** Ends the work, so that another node can begin. */
  async end(): Promise<void> {
    this.quiet();
    await this.#looking;
    await this.#stop();
  }

  async #look(): Promise<void> {
    const { storage } = this.#services;
    const { leases } = storage;
    if (leases === undefined || this.#isEnding || this.#leading !== undefined) return;
    if (!(await leases.isFree(leaseName))) return;
    const lease = await storage.write(ownOrigin(this.#services, 'lead'), (tx) => leases.take(leaseName, tx));
    if (lease === null) return;
    lease.signal.addEventListener('abort', () => {
      this.#looking = this.#looking.then(() => this.#stop()).catch((error: unknown) => this.#failed(error));
    });
    await this.#lead(lease);
  }

  async #lead(lease: Lease | undefined): Promise<void> {
    const work = this.#begin(lease === undefined ? this.#services : fenced(this.#services, lease));
    this.#leading = { work, lease };
    try {
      await work;
    } catch (error) {
      this.#leading = undefined;
      await lease?.release();
      throw error;
    }
  }

  async #stop(): Promise<void> {
    const leading = this.#leading;
    this.#leading = undefined;
    if (leading === undefined) return;
    try {
      const work = await leading.work;
      work.quiet();
      await work.end();
    } finally {
      await leading.lease?.release();
    }
  }

  #failed(error: unknown): void {
    const { log } = this.#services;
    if (error instanceof DatabaseUnreachable)
      log.warn({ err: error }, 'the work of the site waits for the database');
    else log.error({ err: error }, 'the work of the site failed');
  }
}
