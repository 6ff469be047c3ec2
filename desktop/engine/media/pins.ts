import type { Observable } from 'rxjs';
import { BehaviorSubject, Subscription, distinctUntilChanged, map } from 'rxjs';
import { z } from 'zod';

import type { SessionControl } from '../core.ts';
import type { Journal } from '../journal/journal.ts';

const stored = z.looseObject({ guideids: z.array(z.string()) });

/** The guides that a person keeps for offline use on this device. */
export class Pins {
  readonly #journal: Journal;
  readonly #state = new BehaviorSubject<readonly string[]>([]);
  readonly #subscriptions = new Subscription();
  #home: string | null = null;
  #loading: Promise<void> = Promise.resolve();

  constructor(journal: Journal, session: SessionControl) {
    this.#journal = journal;
    const home = session.state.pipe(
      map(({ server, user }) => (user === null ? null : `pins/${server}/${user.userid}`)),
      distinctUntilChanged(),
    );
    this.#subscriptions.add(
      home.subscribe((id) => {
        this.#home = id;
        this.#loading = this.#loading.then(() => this.#load(id));
      }),
    );
  }

  /** Guide ids. */
  get guides(): Observable<readonly string[]> {
    return this.#state;
  }

  async add(guideids: readonly string[]): Promise<void> {
    await this.#loading;
    if (this.#home === null) return;
    const next = [...new Set([...this.#state.value, ...guideids])];
    await this.#journal.append([
      { op: 'put', collection: 'meta', id: this.#home, value: { guideids: next } },
    ]);
    this.#state.next(next);
  }

  close(): void {
    this.#subscriptions.unsubscribe();
    this.#state.complete();
  }

  async #load(id: string | null): Promise<void> {
    const { meta } = await this.#journal.entries();
    const pinned = id === null ? undefined : stored.safeParse(meta.get(id)).data;
    if (id === this.#home) this.#state.next(pinned?.guideids ?? []);
  }
}
