import { BehaviorSubject, distinctUntilChanged, filter, map, type Observable, type Subscription } from 'rxjs';
import { z } from 'zod';

import { HomeChanged } from '../platform/held.ts';
import type { Core } from './core.ts';
import { GroupedWrites } from '../journal/grouped-writes.ts';
import type { Journal, JournalRecord } from '../journal/journal.ts';
import type { PreparedDecision } from '../api/approval-records.ts';

/** A decision as it is stored, here and by earlier versions. */
export const preparedDecision = z.object({
  decision: z.enum(['approve', 'review', 'reject']).nullable(),
  comment: z.string(),
});

/** Decisions that are not signed yet, by request (`requestid`). */
export type PreparedDecisions = ReadonlyMap<number, PreparedDecision>;

/** Decisions of the person that wait for their signature, in the journal's `meta`, without a password. */
export class PreparedSignatures {
  readonly #journal: Journal;
  readonly #writes: GroupedWrites;
  /** Null until the decisions are read. */
  readonly #state = new BehaviorSubject<PreparedDecisions | null>(null);
  readonly #subscription: Subscription;
  #home: string | null = null;
  #loading: Promise<void> = Promise.resolve();

  constructor({ journal, session, environment }: Pick<Core, 'journal' | 'session' | 'environment'>) {
    this.#journal = journal;
    this.#writes = new GroupedWrites(journal, environment);
    const homes = session.state.pipe(
      map(({ home }) => home),
      distinctUntilChanged(),
    );
    this.#subscription = homes.subscribe((home) => {
      this.#home = home;
      this.#state.next(null);
      this.#loading = this.#load(home);
      this.#loading.catch(() => this.#state.next(new Map()));
    });
  }

  get decisions(): Observable<PreparedDecisions> {
    return this.#state.pipe(filter((found) => found !== null));
  }

  /** Resolves when the decision about a request is journalled; null forgets it. */
  async keep(requestid: number, prepared: PreparedDecision | null): Promise<void> {
    const home = this.#home;
    await this.#loading.catch(() => undefined);
    if (home !== this.#home) throw new HomeChanged();
    if (home === null) return;
    const next = new Map(this.#state.value);
    if (prepared === null) next.delete(requestid);
    else next.set(requestid, prepared);
    this.#state.next(next);
    const record = { collection: 'meta', id: preparedPrefix(home) + requestid } as const;
    const change: JournalRecord =
      prepared === null ? { op: 'delete', ...record } : { op: 'put', ...record, value: prepared };
    await this.#writes.write([change]);
  }

  /** Stores decisions of an earlier version, except for requests that have one here. */
  async adopt(decisions: PreparedDecisions): Promise<void> {
    const home = this.#home;
    await this.#loading;
    if (home === null || home !== this.#home) throw new HomeChanged();
    for (const [requestid, prepared] of decisions)
      if (this.#state.value?.has(requestid) !== true) await this.keep(requestid, prepared);
  }

  /** Whether decisions wait to be stored; emits the present state first. */
  get isBusy(): Observable<boolean> {
    return this.#writes.isBusy;
  }

  /** Resolves when all decisions are stored; rejects when the disk refuses them. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  close(): void {
    this.#subscription.unsubscribe();
    this.#writes.close();
    this.#state.complete();
  }

  async #load(home: string | null): Promise<void> {
    if (home === null) return this.#state.next(new Map());
    const { meta } = await this.#journal.entries();
    const prefix = preparedPrefix(home);
    const found = [...meta].flatMap(([id, value]) => {
      const { data } = preparedDecision.safeParse(value);
      return id.startsWith(prefix) && data !== undefined
        ? [[Number(id.slice(prefix.length)), data] as const]
        : [];
    });
    if (home === this.#home) this.#state.next(new Map(found));
  }
}

/** Prefix of the unsigned decisions of a home in the journal's `meta`. */
export function preparedPrefix(home: string): string {
  return `prepared/${home}/`;
}
