import { type Observable, BehaviorSubject, Subscription, distinctUntilChanged, map } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';

import type { Core } from '#desktop/engine/account/core.ts';
import type { Session } from '#desktop/engine/api/sync-records.ts';
import { HomeChanged } from '#desktop/engine/platform/held.ts';
import { serialQueue } from '#desktop/engine/platform/serial-queue.ts';

/** The part of the core that keeps such records. */
export type RecordCore = Pick<Core, 'environment' | 'journal' | 'lock' | 'session' | 'tabs'>;

/** Pause before a record is read again after a failure, ms. */
const againMs = 5000;

/** What the journal has of a record. `value` undefined: nothing. `error`: why it could not be read, or null. */
export interface HomeValue {
  value: unknown;
  error: unknown;
}

/** The record of one home, as far as it was read. */
interface Place {
  id: string;
  /** Id under which an earlier version of the app stored it; null: none did. */
  earlierId: string | null;
  /** Number of the last append that was read. */
  seq: number;
  found: Map<string, unknown>;
}

/**
 * A record of the person who is signed in, in the journal's `meta`: one for each home of this device, the same in all tabs.
 *
 * - CARRY-16 What a person chooses in one tab is valid in all of them. A change begins with what the journal has, and only
 *   one tab changes a record at a time, so that no tab undoes the change of another.
 */
export class HomeRecord {
  readonly #core: RecordCore;
  readonly #state = new BehaviorSubject<HomeValue | null>(null);
  readonly #subscriptions = new Subscription();
  /** Readings and changes of this tab. */
  readonly #inOrder = serialQueue();
  #place: Place | null = null;

  /** `kind`: its id is `{kind}/{home}`. `earlierId`: where an earlier version stored it; the first home that reads it takes it. */
  constructor(core: RecordCore, kind: string, earlierId: (session: Session) => string | null = () => null) {
    this.#core = core;
    const homes = core.session.state.pipe(
      map((session) => ({ home: session.home, before: earlierId(session) })),
      distinctUntilChanged((a, b) => a.home === b.home),
    );
    this.#subscriptions.add(
      homes.subscribe(({ home, before }) => {
        const id = `${kind}/${home}`;
        this.#place = home === null ? null : { id, earlierId: before, seq: 0, found: new Map() };
        this.#state.next(null);
        this.#reload();
      }),
    );
    this.#subscriptions.add(
      core.tabs?.heard.subscribe((word) => {
        if (word === this.#place?.id) this.#reload();
      }),
    );
  }

  /** What is stored; null while it is read, and while nobody is signed in. */
  get state(): Observable<HomeValue | null> {
    return this.#state;
  }

  /**
   * Replaces the record by what `next` makes of it. Resolves when that is journalled. Throws `HomeChanged` when somebody
   * else signs in meanwhile, and the error of a journal that cannot be read.
   */
  async change(next: (before: unknown) => unknown): Promise<void> {
    const place = this.#place;
    if (place === null) throw new HomeChanged();
    await this.#inOrder(() => this.#core.lock(place.id, () => this.#change(place, next)));
  }

  close(): void {
    this.#place = null;
    this.#subscriptions.unsubscribe();
    this.#state.complete();
  }

  #reload(): void {
    const place = this.#place;
    if (place === null) return;
    void this.#inOrder(async () => {
      const read = await this.#read(place).then(
        (value) => ({ value, error: null }),
        (error: unknown) => ({ value: undefined, error }),
      );
      if (place !== this.#place) return;
      this.#state.next(read);
      if (read.error !== null) this.#core.environment.setTimer(() => this.#reload(), againMs);
      // If this fails, the next change or the next start tries again.
      if (earlierOf(place) !== null) void this.change((before) => before).catch(() => undefined);
    });
  }

  async #change(place: Place, next: (before: unknown) => unknown): Promise<void> {
    const before = await this.#read(place);
    if (place !== this.#place) throw new HomeChanged();
    const { id, found } = place;
    const value = next(before);
    const earlier = earlierOf(place);
    if (earlier !== null || !sameValue(found.get(id), value)) {
      await this.#core.journal.append([
        { op: 'put', collection: 'meta', id, value },
        ...(earlier === null ? [] : [{ op: 'delete', collection: 'meta', id: earlier } as const]),
      ]);
      found.set(id, value);
      if (earlier !== null) found.delete(earlier);
      this.#core.tabs?.tell(id);
    }
    if (place === this.#place) this.#state.next({ value, error: null });
  }

  /** Reads what changed since the last reading. */
  async #read(place: Place): Promise<unknown> {
    const { id, earlierId, found } = place;
    const { seq, isWhole, values, deleted } = await this.#core.journal.changes('meta', place.seq);
    for (const one of earlierId === null ? [id] : [id, earlierId]) {
      if (values.has(one)) found.set(one, values.get(one));
      else if (isWhole || deleted.includes(one)) found.delete(one);
    }
    place.seq = seq;
    return found.get(id) ?? found.get(earlierOf(place) ?? id);
  }
}

/** The id of an earlier version's record, if there is one. */
function earlierOf({ earlierId, found }: Place): string | null {
  return earlierId !== null && found.has(earlierId) ? earlierId : null;
}
