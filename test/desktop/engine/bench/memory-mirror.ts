import { type Observable, BehaviorSubject, Subject, distinctUntilChanged, map } from 'rxjs';

import type { GuideRow, Mirror, Mirrored } from '#desktop/engine/platform/ports.ts';
import {
  type FeedRow,
  type SyncedCollection,
  type SyncedDocument,
  collectionNames,
  syncedCollections,
} from '#shared/sync/wire.ts';

type Records<C extends SyncedCollection> = ReadonlyMap<string, Mirrored<C>>;
type Collections = { [C in SyncedCollection]: BehaviorSubject<Records<C>> };

const empty = <C extends SyncedCollection>(): BehaviorSubject<Records<C>> =>
  new BehaviorSubject<Records<C>>(new Map());

const emptyCollections = (): Collections => ({
  guides: empty(),
  wikis: empty(),
  stepForms: empty(),
  workLog: empty(),
  comments: empty(),
  people: empty(),
  media: empty(),
  viewer: empty(),
  training: empty(),
  deviations: empty(),
  plannedOrders: empty(),
  releases: empty(),
  releaseTexts: empty(),
  workVersions: empty(),
  shiftSummaries: empty(),
});

/** A mirror in memory: a higher seq wins, and every document is parsed strictly. */
export class MemoryMirror implements Mirror {
  readonly #collections = emptyCollections();
  readonly #removed = new Map<string, number>();
  readonly #arrived = new Subject<FeedRow[]>();
  seq = 0;

  get arrived(): Observable<FeedRow[]> {
    return this.#arrived;
  }

  store(rows: readonly FeedRow[]): void {
    for (const collection of collectionNames) {
      const own = rows.filter((row) => row.c === collection);
      if (own.length > 0) this.#storeIn(collection, own);
    }
    this.#arrived.next([...rows]);
  }

  one<C extends SyncedCollection>(collection: C, id: string): Observable<Mirrored<C> | null> {
    return this.#of(collection).pipe(
      map((records) => records.get(id) ?? null),
      distinctUntilChanged(),
    );
  }

  get<C extends SyncedCollection>(collection: C, id: string): Promise<Mirrored<C> | null> {
    return Promise.resolve(this.#of(collection).value.get(id) ?? null);
  }

  where<C extends SyncedCollection>(
    collection: C,
    field: string,
    value: string | number,
  ): Observable<Mirrored<C>[]> {
    const matches = ({ facts }: Mirrored<C>): boolean =>
      (new Map<string, unknown>(Object.entries(facts)).get(field) ?? 0) === value;
    return this.all(collection).pipe(map((records) => records.filter(matches)));
  }

  all<C extends SyncedCollection>(collection: C): Observable<Mirrored<C>[]> {
    return this.#of(collection).pipe(map((records) => [...records.values()]));
  }

  guideRows(): Observable<GuideRow[]> {
    return this.all('guides').pipe(map((records) => records.map(rowOf)));
  }

  #storeIn<C extends SyncedCollection>(collection: C, rows: readonly FeedRow[]): void {
    const subject = this.#of(collection);
    const next = new Map<string, Mirrored<C>>(subject.value);
    for (const { id, seq, doc, removed } of rows) {
      const known = Math.max(next.get(id)?.seq ?? 0, this.#removed.get(`${collection}/${id}`) ?? 0);
      if (seq < known) continue;
      if (removed === true) {
        next.delete(id);
        this.#removed.set(`${collection}/${id}`, seq);
      } else if (doc !== undefined)
        next.set(id, { id, seq, facts: syncedCollections[collection].parse(doc) as SyncedDocument<C> });
    }
    subject.next(next);
  }

  #of<C extends SyncedCollection>(collection: C): Collections[C] {
    return this.#collections[collection];
  }
}

function rowOf({ id, seq, facts }: Mirrored<'guides'>): GuideRow {
  const { title, category, type, summary, difficulty, userid } = facts satisfies SyncedDocument<'guides'>;
  return {
    id,
    seq,
    title,
    category,
    type,
    summary,
    difficulty,
    timeRequired: facts.time_required_max,
    steps: facts.steps.length,
    imageGuid: facts.image?.guid ?? '',
    public: facts.public,
    userid,
    modifiedAt: facts.modified_date * 1000,
  };
}
