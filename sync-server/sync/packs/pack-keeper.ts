import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import type { Services } from '#server/core/services.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { prepared } from '#server/storage/prepared.ts';
import { databaseName, unlessFull } from '#server/storage/sqlite.ts';

import type { PackRow } from './live-packs.ts';
import { makePacks, packedCollections, type PackSizes, type PackWork, usualSizes } from './make-packs.ts';

/** Makes the files of packs. `signal`: the server closes, and does not wait for them. */
export type Packing = (work: PackWork, signal: AbortSignal) => Promise<PackRow[]>;

/** How packs are made; tests choose smaller ones, and make them without a thread. */
export interface PackOptions {
  sizes: PackSizes;
  /** Fewer documents of a collection and audience are not worth looking at their sizes. */
  fewest: number;
  /** How long after a change packs are made, ms; Infinity: only when told. */
  restMs: number;
  packing: Packing;
}

/** Makes packs in this thread, which does nothing else meanwhile. */
export const packHere: Packing = async (work) => makePacks(work);

/** Makes packs in a thread of its own. */
export const packInThread: Packing = async (workerData, signal) => {
  const thread = new Worker(fileURLToPath(new URL('pack-thread.ts', import.meta.url)), { workerData });
  thread.unref();
  signal.addEventListener('abort', () => void thread.terminate());
  const { promise, resolve, reject } = Promise.withResolvers<PackRow[]>();
  thread
    .once('message', resolve)
    .once('error', reject)
    .once('exit', () => reject(new Error('The thread that makes packs ended')));
  return promise;
};

export const usualPacks: PackOptions = {
  sizes: usualSizes,
  fewest: 20,
  restMs: 20_000,
  packing: packInThread,
};

/** The folder of packs in a data folder. */
export function packFolder(dataDir: string): string {
  return join(dataDir, 'packs');
}

/** Makes packs at the start and after changes, in the background, and removes the files of packs that have ended. */
export class PackKeeper {
  readonly #services: Services;
  readonly #options: PackOptions;
  readonly #folder: string;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();
  #stopListening: () => void = () => undefined;

  constructor(services: Services, options: PackOptions = usualPacks) {
    this.#services = services;
    this.#options = options;
    this.#folder = packFolder(services.dataDir);
  }

  /** Forgets packs whose files are missing (a restored backup has none), and makes packs from now on. */
  async start(): Promise<void> {
    // Packs are files of one machine: nodes that share a database send documents one by one.
    if (this.#services.storage.kind === 'postgres') return;
    await this.#forgetLost();
    if (this.#options.restMs === Number.POSITIVE_INFINITY) return;
    this.#stopListening = this.#services.bus.listen(() => this.#soon());
    this.#soon();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopListening();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Makes all packs that pay now. */
  make(): Promise<void> {
    this.#running = this.#running.then(() => this.#make());
    return this.#running;
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.make();
    }, this.#options.restMs).unref();
  }

  async #make(): Promise<void> {
    const { storage, space, log, dataDir } = this.#services;
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    try {
      await this.#sweep();
      if (!(await this.#mayPay())) return;
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      space.mustHaveRoom();
      const { packing, sizes } = this.#options;
      const work = { database: join(dataDir, databaseName), folder: this.#folder, sizes };
      const made = await packing(work, signal);
      for (const pack of made) {
        if (signal.aborted) return;
        await storage.write(ownOrigin(this.#services, 'make packs'), async (tx) => {
          const [row] = await recordsIn(tx, pack);
          // Nothing enters a range of seqs that are given out: if it has as many documents, they are the same.
          if (row?.records === pack.records) await tx.insertInto('packs').values(pack).execute();
        });
      }
    } catch (error) {
      // Initial loads do without packs until the next attempt.
      if (!signal.aborted) log.warn({ err: error }, 'packs could not be made');
    }
  }

  async #mayPay(): Promise<boolean> {
    const rows = await this.#services.storage.reader
      .selectFrom('documents')
      .select('audience')
      .where('collection', 'in', packedCollections)
      .groupBy(['audience', 'collection'])
      .having(({ fn }) => fn.countAll(), '>=', this.#options.fewest)
      .limit(1)
      .execute();
    return rows.length > 0;
  }

  /** Removes files that no pack names. */
  async #sweep(): Promise<void> {
    const rows = await this.#services.storage.reader
      .selectFrom('packs')
      .select(['hash', 'titles_hash'])
      .execute();
    const named = new Set(rows.flatMap(({ hash, titles_hash }) => [hash, titles_hash]));
    for (const name of await readdir(this.#folder).catch(() => []))
      // A file that is being sent cannot be removed on Windows; the next time it can.
      if (!named.has(name)) await rm(join(this.#folder, name), { force: true }).catch(() => undefined);
  }

  async #forgetLost(): Promise<void> {
    const { storage, log } = this.#services;
    const names = new Set(await readdir(this.#folder).catch(() => []));
    const rows = await storage.reader.selectFrom('packs').selectAll().execute();
    const lost = rows.filter(
      ({ hash, titles_hash }) => !names.has(hash) || (titles_hash !== null && !names.has(titles_hash)),
    );
    if (lost.length === 0) return;
    await storage
      .write(ownOrigin(this.#services, 'make packs'), async (tx) => {
        for (const { hash } of lost) await tx.deleteFrom('packs').where('hash', '=', hash).execute();
      })
      .catch(unlessFull(log));
  }
}

const recordsIn = prepared<Pick<PackRow, 'audience' | 'collection' | 'since' | 'until'>, { records: number }>(
  (db, value) =>
    db
      .selectFrom('documents')
      .select(({ fn }) => fn.countAll<number>().as('records'))
      .where('audience', '=', value('audience'))
      .where('collection', '=', value('collection'))
      .where('seq', '>', value('since'))
      .where('seq', '<=', value('until'))
      .where((where) =>
        where.not(
          where.and([
            where('collection', '=', 'guides'),
            where.exists(
              where
                .selectFrom('guide_prerequisites')
                .select('guideid')
                .where('guideid', '=', where.cast<number>('documents.id', 'integer')),
            ),
          ]),
        ),
      ),
);
