import { type Observable, BehaviorSubject, Subscription, distinctUntilChanged, map } from 'rxjs';
import { z } from 'zod';

import type { Session } from '#desktop/engine/api/sync-records.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';

const stored = z.looseObject({ guideids: z.array(z.string()) });

/** Number of guides that are remembered. */
export const recentGuides = 12;

/**
 * The guides that the person opened last on this device, the latest first.
 *
 * - FIND-5 Each person has their own, at a station too, and they are there again after a restart.
 */
export class RecentGuides {
  readonly #journal: Journal;
  readonly #state = new BehaviorSubject<readonly string[]>([]);
  readonly #subscriptions = new Subscription();
  #place: string | null = null;
  /** Guides that were opened while those of the person are still read. */
  #opened: string[] = [];
  #isLoaded = false;

  /** `session`: at a station that of the person who is signed in there. */
  constructor(journal: Journal, session: Observable<Session>) {
    this.#journal = journal;
    const place = session.pipe(
      map(({ home, user }) => (home === null || user === null ? null : `recent/${home}/${user.userid}`)),
      distinctUntilChanged(),
    );
    this.#subscriptions.add(place.subscribe((next) => void this.#load(next)));
  }

  /** Ids of guides, the latest first. */
  get guides(): Observable<readonly string[]> {
    return this.#state;
  }

  /** To be called when the person opens a guide. */
  opened(guideid: string): void {
    if (!this.#isLoaded) this.#opened.unshift(guideid);
    if (this.#place === null || !this.#isLoaded || this.#state.value[0] === guideid) return;
    this.#put(this.#place, [guideid]);
  }

  close(): void {
    this.#subscriptions.unsubscribe();
    this.#state.complete();
  }

  async #load(place: string | null): Promise<void> {
    this.#place = place;
    this.#isLoaded = false;
    this.#opened = [];
    this.#state.next([]);
    if (place === null) return;
    // Without a journal, only what is opened from now on is remembered.
    const known = await this.#read(place).catch(() => []);
    if (place !== this.#place || this.#subscriptions.closed) return;
    this.#isLoaded = true;
    this.#state.next(known);
    if (this.#opened.length > 0) this.#put(place, this.#opened);
  }

  async #read(place: string): Promise<string[]> {
    const { meta } = await this.#journal.entries();
    return stored.safeParse(meta.get(place)).data?.guideids ?? [];
  }

  #put(place: string, opened: readonly string[]): void {
    const guideids = [...new Set([...opened, ...this.#state.value])].slice(0, recentGuides);
    this.#state.next(guideids);
    // A list that cannot be stored is only a convenience less.
    this.#journal
      .append([{ op: 'put', collection: 'meta', id: place, value: { guideids } }])
      .catch(() => undefined);
  }
}
