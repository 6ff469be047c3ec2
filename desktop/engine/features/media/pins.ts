import { type Observable, BehaviorSubject, Subscription, distinctUntilChanged, map } from 'rxjs';
import { z } from 'zod';

import { HomeChanged } from '#desktop/engine/platform/held.ts';
import type { SessionControl } from '#desktop/engine/account/core.ts';
import type { Journal, JournalRecord } from '#desktop/engine/journal/journal.ts';

const stored = z.looseObject({ guideids: z.array(z.string()) });

/** The guides that a person has pinned for offline use on this device. */
export class Pins {
  readonly #journal: Journal;
  readonly #state = new BehaviorSubject<readonly string[]>([]);
  readonly #subscriptions = new Subscription();
  #home: string | null = null;
  /** Journal records that take over the pins of an earlier version and could not be written yet. */
  #unwritten: readonly JournalRecord[] = [];
  #loading: Promise<void> = Promise.resolve();

  constructor(journal: Journal, session: SessionControl) {
    this.#journal = journal;
    const home = session.state.pipe(
      map(({ server, user, home: name }) => ({ home: name, before: `pins/${server}/${user?.userid}` })),
      distinctUntilChanged((a, b) => a.home === b.home),
    );
    this.#subscriptions.add(
      home.subscribe(({ home: name, before }) => {
        this.#home = name;
        this.#unwritten = [];
        this.#state.next([]);
        this.#loading = this.#loading.catch(() => undefined).then(() => this.#load(name, before));
        // `add` throws the error.
        this.#loading.catch(() => undefined);
      }),
    );
  }

  /** Guide ids. */
  get guides(): Observable<readonly string[]> {
    return this.#state;
  }

  async add(guideids: readonly string[]): Promise<void> {
    const home = this.#home;
    await this.#loading;
    if (home !== this.#home) throw new HomeChanged();
    if (home === null) return;
    const next = [...new Set([...this.#state.value, ...guideids])];
    this.#state.next(next);
    await this.#write(home, next);
  }

  /** Resolves once the pins are read. Throws if they cannot be read. */
  async loaded(): Promise<void> {
    await this.#loading;
  }

  /** Unpins all guides. Resolves when that is journalled. */
  async clear(): Promise<void> {
    const home = this.#home;
    await this.#loading;
    if (home !== this.#home) throw new HomeChanged();
    if (home === null) return;
    this.#state.next([]);
    await this.#write(home, []);
  }

  close(): void {
    this.#subscriptions.unsubscribe();
    this.#state.complete();
  }

  async #load(home: string | null, before: string): Promise<void> {
    const { meta } = await this.#journal.entries();
    const own = home === null ? undefined : guideidsIn(meta.get(idOf(home)));
    const found = own ?? guideidsIn(meta.get(before));
    if (home !== this.#home || home === null || found === undefined) return;
    this.#state.next(found);
    if (own !== undefined) return;
    // Earlier versions stored pins by address and user id. The first home that reads them takes them over.
    this.#unwritten = [{ op: 'delete', collection: 'meta', id: before }];
    // If this fails, the next pin or the next start tries again.
    await this.#write(home, found).catch(() => undefined);
  }

  async #write(home: string, guideids: readonly string[]): Promise<void> {
    const unwritten = this.#unwritten;
    await this.#journal.append([pinsOf(home, guideids), ...unwritten]);
    if (this.#unwritten === unwritten) this.#unwritten = [];
  }
}

function idOf(home: string): string {
  return `pins/${home}`;
}

function pinsOf(home: string, guideids: readonly string[]): JournalRecord {
  return { op: 'put', collection: 'meta', id: idOf(home), value: { guideids } };
}

function guideidsIn(value: unknown): string[] | undefined {
  return stored.safeParse(value).data?.guideids;
}
