import { getHeightOfRevision } from 'rxdb';
import { Observable, of, shareReplay } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';

import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import { compareTitles } from '#desktop/engine/platform/title-order.ts';
import {
  isCounter,
  type MirrorRecords,
  type StoredData,
  type StoredRecord,
} from '#desktop/engine/storage/mirror-records.ts';

import type { CountedWrites, RowSnapshots } from './row-snapshots.ts';

/**
 * The shallow rows of all guides. They are read past RxDB's document cache, which would hold every body, and then updated
 * from the changes of the mirror.
 *
 * - MIRROR-22 A start reads the rows from a snapshot if the guides were not written since it was taken, by the counter of
 *   their writes (MIRROR-20). Otherwise it reads every guide, and a new snapshot is taken. Reading 5,000 guides with their
 *   text takes five seconds (`bench:electron`).
 * - MIRROR-24 During an initial load, guides are listed as soon as their titles are there. Such a row says that the facts
 *   of the guide follow.
 */
export class GuideRows {
  /** Emits all rows, now and after each change in any tab. */
  readonly all: Observable<GuideRow[]>;
  readonly #guides: MirrorRecords;
  readonly #snapshots: RowSnapshots | null;
  readonly #titles: Observable<GuideRow[]>;
  #rows = new Map<string, GuideRow>();
  /** Count and time of the last write that the rows contain, by the id of the counter. */
  #writes = new Map<string, string>();
  #isLoaded = false;
  /** What the stored snapshot contains. */
  #saved: CountedWrites = {};

  /** `snapshots` null: every guide is read. `titles`: rows of guides that an initial load has still to bring. */
  constructor(
    guides: MirrorRecords,
    snapshots: RowSnapshots | null,
    titles: Observable<GuideRow[]> = of([]),
  ) {
    this.#guides = guides;
    this.#snapshots = snapshots;
    this.#titles = titles;
    this.all = this.#observed().pipe(shareReplay({ bufferSize: 1, refCount: true }));
  }

  /** Stores a snapshot, unless the stored one is current or the rows are not known. */
  async save(): Promise<void> {
    const writes = Object.fromEntries(this.#writes);
    if (this.#snapshots === null || !this.#isLoaded) return;
    if (this.#writes.size === 0 || sameValue(writes, this.#saved)) return;
    // In the order of the library, so that the next start need not sort them.
    await this.#snapshots.write({ writes, rows: [...this.#rows.values()].toSorted(compareTitles) });
    this.#saved = writes;
  }

  #observed(): Observable<GuideRow[]> {
    return new Observable((subscriber) => {
      const rows = (this.#rows = new Map<string, GuideRow>());
      const writes = (this.#writes = new Map<string, string>());
      const removed = new Set<string>();
      this.#isLoaded = false;
      // Not by seq: a restored server starts again at a lower one.
      const heights = new Map<string, number>();
      const apply = (record: StoredData, isRemoved: boolean): void => {
        const height = getHeightOfRevision(record._rev);
        if ((heights.get(record.id) ?? 0) > height) return;
        heights.set(record.id, height);
        if (isCounter(record)) {
          if (isRemoved) writes.delete(record.id);
          else writes.set(record.id, stateOf(record));
        } else if (isRemoved) {
          rows.delete(record.id);
          if (!this.#isLoaded) removed.add(record.id);
        } else rows.set(record.id, toGuideRow(record));
      };
      let coming: readonly GuideRow[] = [];
      const emit = (): void => {
        const present = [...rows.values()];
        subscriber.next(
          coming.length === 0 ? present : [...present, ...coming.filter(({ id }) => !rows.has(id))],
        );
      };
      const titles = this.#titles.subscribe((next) => {
        const isSame = next.length === 0 && coming.every(({ id }) => rows.has(id));
        coming = next;
        if (this.#isLoaded && !isSame) emit();
      });
      const events = this.#guides.changes.subscribe((changes) => {
        for (const { record, isRemoved } of changes) apply(record, isRemoved);
        if (this.#isLoaded) emit();
      });
      const load = async (): Promise<void> => {
        const snapshot = (await this.#snapshots?.read()) ?? null;
        const known = snapshot === null ? null : await this.#writesIn(Object.keys(snapshot.writes));
        const isCurrent = snapshot !== null && known !== null && sameValue(known, snapshot.writes);
        const stored = isCurrent ? known : await this.#allWrites();
        const add = (row: GuideRow): void => {
          if (!removed.has(row.id) && !rows.has(row.id)) rows.set(row.id, row);
        };
        if (isCurrent) for (const row of snapshot.rows) add(row);
        else
          for await (const record of this.#guides.all()) {
            if (subscriber.closed) return;
            add(toGuideRow(record));
          }
        if (subscriber.closed) return;
        for (const [id, state] of Object.entries(stored)) if (!heights.has(id)) writes.set(id, state);
        this.#saved = isCurrent ? snapshot.writes : {};
        this.#isLoaded = true;
        emit();
      };
      load().catch((error: unknown) => subscriber.error(error));
      return () => {
        this.#isLoaded = false;
        events.unsubscribe();
        titles.unsubscribe();
      };
    });
  }

  /** The states of these counters, without those that were removed: a load removes the counters of earlier ones. */
  async #writesIn(ids: readonly string[]): Promise<CountedWrites> {
    const found = await this.#guides.find(ids);
    const present = [...found.values()].filter(({ _deleted }) => !_deleted);
    return Object.fromEntries(present.map((counter) => [counter.id, stateOf(counter)]));
  }

  async #allWrites(): Promise<CountedWrites> {
    const writes: CountedWrites = {};
    for await (const counter of this.#guides.counters()) writes[counter.id] = stateOf(counter);
    return writes;
  }
}

/** The state of a counter. With the time, because a count may be reached again after writes were lost. */
function stateOf({ seq, _meta }: StoredData): string {
  return `${seq}@${_meta.lwt}`;
}

function toGuideRow(record: StoredRecord): GuideRow {
  return {
    id: record.id,
    seq: record.seq,
    title: record.title ?? '',
    category: record.category ?? '',
    type: record.type ?? '',
    summary: record.summary ?? '',
    difficulty: record.difficulty ?? '',
    timeRequired: record.timeRequired ?? 0,
    steps: record.steps ?? 0,
    imageGuid: record.imageGuid ?? '',
    public: record.public ?? false,
    userid: record.userid ?? 0,
    modifiedAt: record.modifiedAt ?? 0,
  };
}
