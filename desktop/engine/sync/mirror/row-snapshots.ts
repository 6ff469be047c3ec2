import { z } from 'zod';

import type { Environment, GuideRow } from '#desktop/engine/platform/ports.ts';
import type { EngineDatabase } from '#desktop/engine/storage/database.ts';

/** Which writes some rows contain: the states of the counters, by their ids. */
export type CountedWrites = Record<string, string>;

/** All rows as of a state of the guides. */
export interface RowSnapshot {
  writes: CountedWrites;
  rows: GuideRow[];
}

/** The stored snapshot. */
export interface RowSnapshots {
  /** The snapshot; null where there is none that this version of the app can read. */
  read(): Promise<RowSnapshot | null>;
  write(snapshot: RowSnapshot): Promise<void>;
}

const snapshotId = 'guideRows';

/** Changes whenever `GuideRow` does. */
const version = 1;

const stored = z.object({
  version: z.literal(version),
  writes: z.record(z.string(), z.string()),
  rows: z.string(),
});

/** Snapshots in a local document of the database. The rows are one text, because RxDB clones what it stores. */
export function rowSnapshotsIn(database: EngineDatabase): RowSnapshots {
  return {
    async read() {
      const found = await database.getLocal<object>(snapshotId);
      const { data } = stored.safeParse(found?.toJSON().data);
      return data === undefined ? null : { writes: data.writes, rows: JSON.parse(data.rows) as GuideRow[] };
    },
    async write({ writes, rows }) {
      await database.upsertLocal(snapshotId, { version, writes, rows: JSON.stringify(rows) });
    },
  };
}

/** How long after the last change a snapshot is taken, ms. */
const restMs = 3000;
/** The least time between two snapshots, ms: each is about a megabyte for 5,000 guides. */
const leastMs = 60_000;

/** Takes snapshots some time after changes. */
export class SnapshotTimer {
  readonly #environment: Pick<Environment, 'setTimer' | 'now'>;
  readonly #save: () => Promise<void>;
  #cancel: (() => void) | undefined;
  #last = Number.NEGATIVE_INFINITY;

  /** `save` may fail, for example on a full disk; the next change tries again. */
  constructor(environment: Pick<Environment, 'setTimer' | 'now'>, save: () => Promise<void>) {
    this.#environment = environment;
    this.#save = save;
  }

  changed(): void {
    this.#cancel?.();
    const wait = Math.max(restMs, this.#last + leastMs - this.#environment.now());
    this.#cancel = this.#environment.setTimer(() => {
      this.#cancel = undefined;
      this.#last = this.#environment.now();
      void this.#save().catch(() => undefined);
    }, wait);
  }

  close(): void {
    this.#cancel?.();
  }
}
