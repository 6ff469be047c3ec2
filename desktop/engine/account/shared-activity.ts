import { BehaviorSubject, type Observable, type Subscription } from 'rxjs';

import type { Calls } from '../outbox/calls.ts';
import type { Environment } from '../platform/ports.ts';
import type { EngineDatabase } from '../storage/database.ts';
import { localDocument } from '../storage/local-document.ts';
import { isEqual, noActivity, readActivity, type SharedActivity } from './sync-state.ts';

/** Local document with the activity of the leading tab. */
const activityId = 'activity';
/** Shortest time between two writes of it, ms: other tabs need time to read. */
const tellEvery = 250;

/** Activity of sync in the leading tab, shared with other tabs and with the next start. */
export class ActivityShare {
  readonly #database: EngineDatabase;
  readonly #environment: Pick<Environment, 'now' | 'setTimer'>;
  readonly #calls: () => Pick<Calls, 'count'>;
  readonly #activity = new BehaviorSubject<SharedActivity>(noActivity);
  #cancel: (() => void) | null = null;
  #isClosed = false;

  /** `calls`: the calls of the outbox as they are now. */
  constructor(
    database: EngineDatabase,
    environment: Pick<Environment, 'now' | 'setTimer'>,
    calls: () => Pick<Calls, 'count'>,
  ) {
    this.#database = database;
    this.#environment = environment;
    this.#calls = calls;
  }

  get state(): Observable<SharedActivity> {
    return this.#activity;
  }

  /** Restores when the home was last equal to the server; false: no earlier start has stored anything. */
  async restore(): Promise<boolean> {
    const stored = await this.#database.getLocal<object>(activityId);
    if (stored === null) return false;
    const { lastSyncedAt } = readActivity(stored.toJSON().data);
    this.#activity.next({ ...noActivity, lastSyncedAt });
    return true;
  }

  /** Shows what another leading tab writes, while this tab does not lead. */
  follow(leads: () => boolean): Subscription {
    return localDocument(this.#database, activityId).subscribe((stored) => {
      if (!leads() && stored !== null) this.#activity.next(readActivity(stored));
    });
  }

  /**
   * Shows a change in the leading tab. If the home is equal to the server before or after the change, this is the last
   * moment of being equal.
   */
  show(change: Partial<SharedActivity>): void {
    const before = this.#activity.value;
    const after = { ...before, ...change };
    const calls = this.#calls();
    const wasEqual = isEqual(after, calls) || isEqual(before, calls);
    if (wasEqual) after.lastSyncedAt = this.#environment.now();
    if (Object.keys(change).length === 0 && !wasEqual) return;
    this.#activity.next(after);
    this.tell();
  }

  /** Writes the activity for other tabs, soon. */
  tell(): void {
    if (this.#isClosed) return;
    this.#cancel ??= this.#environment.setTimer(() => {
      this.#cancel = null;
      if (isEqual(this.#activity.value, this.#calls()))
        this.#activity.next({ ...this.#activity.value, lastSyncedAt: this.#environment.now() });
      void this.#database.upsertLocal(activityId, this.#activity.value).catch(() => undefined);
    }, tellEvery);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }
}
