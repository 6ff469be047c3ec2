import type { RxDocument } from 'rxdb';
import { map, type Observable, of, Subject, distinctUntilChanged, tap } from 'rxjs';

import { must } from '#shared/must.ts';
import type { FeedRow, SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import type { GuideRow, Mirror, Mirrored } from '#desktop/engine/platform/ports.ts';
import type { RecordsByKind } from '#desktop/engine/storage/mirror-collections.ts';
import type { MirrorRecords, StoredRecord } from '#desktop/engine/storage/mirror-records.ts';
import { GuideRows } from './guide-rows.ts';
import type { RowSnapshots } from './row-snapshots.ts';

/** Number of parsed records in the cache; the least recently used ones are dropped first. */
const cacheSize = 4000;

/** Reads the mirror. Facts are parsed once per revision in the database, so that an unchanged record is the same object. */
export class RxMirror implements Mirror {
  readonly arrived = new Subject<FeedRow[]>();
  /** Ids of guides that were looked for and are not there. */
  readonly missed = new Subject<string>();
  readonly #records: RecordsByKind;
  readonly #parsed = new Map<string, { revision: string; mirrored: Mirrored<SyncedCollection> }>();
  readonly #guideRows: GuideRows;

  /** `snapshots`: where the rows of guides are kept for the next start; without it, every guide is read. `titles`: of guides that are still to come. */
  constructor(
    records: RecordsByKind,
    snapshots: RowSnapshots | null = null,
    titles: Observable<GuideRow[]> = of([]),
  ) {
    this.#records = records;
    this.#guideRows = new GuideRows(records.guides, snapshots, titles);
  }

  one<C extends SyncedCollection>(collection: C, id: string): Observable<Mirrored<C> | null> {
    return this.#of(collection)
      .observe(id)
      .pipe(
        map((found) => (found === null || isEmptied(found) ? null : this.#mirrored(collection, found))),
        distinctUntilChanged(),
        tap((found) => {
          if (found === null && collection === 'guides') this.missed.next(id);
        }),
      );
  }

  async get<C extends SyncedCollection>(collection: C, id: string): Promise<Mirrored<C> | null> {
    const found = await this.#of(collection).get(id);
    return found === null || isEmptied(found) ? null : this.#mirrored(collection, found);
  }

  where<C extends SyncedCollection>(
    collection: C,
    field: string,
    value: string | number,
  ): Observable<Mirrored<C>[]> {
    return this.#of(collection)
      .observeAll({ [field]: value })
      .pipe(map((found) => this.#all(collection, found)));
  }

  all<C extends SyncedCollection>(collection: C): Observable<Mirrored<C>[]> {
    return this.#of(collection)
      .observeAll()
      .pipe(map((found) => this.#all(collection, found)));
  }

  guideRows(): Observable<GuideRow[]> {
    return this.#guideRows.all;
  }

  /** Keeps the rows of guides for the next start, if they are being read. */
  saveGuideRows(): Promise<void> {
    return this.#guideRows.save();
  }

  #of(collection: SyncedCollection): MirrorRecords {
    return must(this.#records[collection], collection);
  }

  #all<C extends SyncedCollection>(collection: C, found: RxDocument<StoredRecord>[]): Mirrored<C>[] {
    return found.filter((row) => !isEmptied(row)).map((row) => this.#mirrored(collection, row));
  }

  #mirrored<C extends SyncedCollection>(collection: C, document: RxDocument<StoredRecord>): Mirrored<C> {
    const { seq, body, revision } = document;
    const id = this.#of(collection).idOf(document);
    const key = `${collection}/${id}`;
    const known = this.#parsed.get(key);
    this.#parsed.delete(key);
    const mirrored =
      known?.revision === revision
        ? (known.mirrored as Mirrored<C>)
        : { id, seq, facts: JSON.parse(body) as SyncedDocument<C> };
    this.#parsed.set(key, { revision, mirrored });
    if (this.#parsed.size > cacheSize)
      this.#parsed.delete(must(this.#parsed.keys().next().value, 'oldest record'));
    return mirrored;
  }
}

/** Whether a record is a counter, or a record that an earlier version of the app was about to remove. */
function isEmptied({ body }: StoredRecord): boolean {
  return body === '';
}
