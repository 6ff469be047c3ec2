import {
  type Observable,
  BehaviorSubject,
  Subscription,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
} from 'rxjs';
import { z } from 'zod';

import type { SessionControl } from '#desktop/engine/account/core.ts';
import type { OfflineChoice } from '#desktop/engine/api/offline-records.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import { HomeChanged } from '#desktop/engine/platform/held.ts';

const stored = z.looseObject({
  everything: z.boolean(),
  favorites: z.boolean(),
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  teams: z.array(z.int()),
  isPaused: z.boolean(),
});

/** What a person wants on this device, and whether loading it is paused. */
export interface OfflineSetting {
  choice: OfflineChoice;
  isPaused: boolean;
}

/** Before a person chooses. */
export const usualChoice: OfflineChoice = {
  everything: false,
  favorites: true,
  categories: [],
  tags: [],
  teams: [],
};

/**
 * The setting of the person who is signed in.
 *
 * - CARRY-5 Each person has a setting of their own on each device. Choice and pause survive a restart. While loading is
 *   paused, only what must stay (CARRY-3) is loaded.
 */
export class OfflineSettings {
  readonly #journal: Journal;
  readonly #state = new BehaviorSubject<OfflineSetting | null>(null);
  readonly #subscription: Subscription;
  #home: string | null = null;

  constructor(journal: Journal, session: Pick<SessionControl, 'state'>) {
    this.#journal = journal;
    const home = session.state.pipe(
      map((state) => state.home),
      distinctUntilChanged(),
    );
    this.#subscription = home.subscribe((name) => void this.#load(name));
  }

  /** Emits the setting whenever it changes, and once it is read. */
  get setting(): Observable<OfflineSetting> {
    return this.#state.pipe(filter((state) => state !== null));
  }

  /** Changes the setting. Resolves when that is journalled. Throws `HomeChanged` when somebody else signs in meanwhile. */
  async change(change: Partial<OfflineSetting>): Promise<void> {
    const home = this.#home;
    const before = await firstValueFrom(this.setting);
    if (home === null || home !== this.#home) throw new HomeChanged();
    const next = { ...before, ...change };
    const value = { ...next.choice, isPaused: next.isPaused };
    await this.#journal.append([{ op: 'put', collection: 'meta', id: idOf(home), value }]);
    if (home === this.#home) this.#state.next(next);
  }

  close(): void {
    this.#subscription.unsubscribe();
    this.#state.complete();
  }

  async #load(home: string | null): Promise<void> {
    this.#home = home;
    this.#state.next(null);
    // A setting that cannot be read now is read at the next start: until then, nothing else is loaded or removed.
    const entries = await this.#journal.entries().catch(() => null);
    if (home !== this.#home || this.#subscription.closed || entries === null) return;
    const found = home === null ? undefined : stored.safeParse(entries.meta.get(idOf(home))).data;
    if (found === undefined) return this.#state.next({ choice: usualChoice, isPaused: false });
    const { everything, favorites, categories, tags, teams, isPaused } = found;
    this.#state.next({ choice: { everything, favorites, categories, tags, teams }, isPaused });
  }
}

function idOf(home: string): string {
  return `offline/${home}`;
}
