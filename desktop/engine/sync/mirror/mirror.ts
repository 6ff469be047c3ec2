import type { RxDocument } from 'rxdb';
import { map, type Observable, shareReplay, Subject, distinctUntilChanged } from 'rxjs';

import { must } from '#shared/must.ts';
import type { FeedRow, SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import type { GuideRow, Mirror, Mirrored } from '#desktop/engine/platform/ports.ts';
import type {
  MirrorCollection,
  MirrorCollections,
  StoredRecord,
} from '#desktop/engine/storage/mirror-collections.ts';
import { guideRowsOf } from './guide-rows.ts';

/** Parsed records that are kept; the ones not asked for longest go first. */
const cacheSize = 4000;

/** Reads the mirror's collections. Facts are parsed once per revision in the database, so equal records are the same object. */
export class RxMirror implements Mirror {
  readonly arrived = new Subject<FeedRow[]>();
  readonly #collections: MirrorCollections;
  readonly #parsed = new Map<string, { revision: string; mirrored: Mirrored<SyncedCollection> }>();
  readonly #guideRows: Observable<GuideRow[]>;

  constructor(collections: MirrorCollections) {
    this.#collections = collections;
    this.#guideRows = guideRowsOf(collections.guides).pipe(shareReplay({ bufferSize: 1, refCount: true }));
  }

  one<C extends SyncedCollection>(collection: C, id: string): Observable<Mirrored<C> | null> {
    return this.#of(collection)
      .findOne(id)
      .$.pipe(
        map((found) => (found === null || isEmptied(found) ? null : this.#mirrored(collection, found))),
        distinctUntilChanged(),
      );
  }

  async get<C extends SyncedCollection>(collection: C, id: string): Promise<Mirrored<C> | null> {
    const found = await this.#of(collection).findOne(id).exec();
    return found === null || isEmptied(found) ? null : this.#mirrored(collection, found);
  }

  where<C extends SyncedCollection>(
    collection: C,
    field: string,
    value: string | number,
  ): Observable<Mirrored<C>[]> {
    return this.#of(collection)
      .find({ selector: { [field]: value } })
      .$.pipe(map((found) => this.#all(collection, found)));
  }

  all<C extends SyncedCollection>(collection: C): Observable<Mirrored<C>[]> {
    return this.#of(collection)
      .find()
      .$.pipe(map((found) => this.#all(collection, found)));
  }

  guideRows(): Observable<GuideRow[]> {
    return this.#guideRows;
  }

  #of(collection: SyncedCollection): MirrorCollection {
    return must(this.#collections[collection], collection);
  }

  #all<C extends SyncedCollection>(collection: C, found: RxDocument<StoredRecord>[]): Mirrored<C>[] {
    return found.filter((row) => !isEmptied(row)).map((row) => this.#mirrored(collection, row));
  }

  #mirrored<C extends SyncedCollection>(
    collection: C,
    { id, seq, body, revision }: RxDocument<StoredRecord>,
  ): Mirrored<C> {
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

/** Such a record counts the writes of its collection, or an earlier version of the app was about to remove it. */
function isEmptied({ body }: StoredRecord): boolean {
  return body === '';
}
