import { Subject, type Observable } from 'rxjs';
import { z } from 'zod';

import { collectionNames, type SyncedCollection } from '#shared/sync/wire.ts';

import { mirrorOf, type EngineDatabase } from '#desktop/engine/storage/database.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import type { JournaledRecords } from '#desktop/engine/outbox/journaled-records.ts';
import { readMark } from '#desktop/engine/sync/mirror/mark.ts';
import type { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { LeavingMark } from './mark.ts';
import { keyOf, Quarantine, type KeptWords, type UnreadableWords } from './quarantine.ts';

/** What a complete mirror knows of some records, by number. */
export interface Whereabouts {
  /** Those that the server removed. */
  removed: string[];
  /** Those that the mirror does not know. */
  absent: string[];
  /** The `uid` of each present one that has one. */
  uids: ReadonlyMap<string, string>;
}

const identified = z.object({ uid: z.string().optional() });

/** The part of the engine's core about records that the person may no longer see. */
export interface LeavingControl {
  /** Looks up these records; nothing is found while the mirror is not complete. */
  whereabouts(collection: SyncedCollection, ids: readonly string[]): Promise<Whereabouts>;
  /** The server's history that the mirror follows; null while the mirror is not complete. */
  history(): Promise<string | null>;
  /** The facts of every record of the mirror, as text. */
  bodies(): AsyncIterable<string>;
  /** The calls that are remembered as sent, oldest first. */
  sentCalls(): Promise<OutboxCall[]>;
  /** Replaces remembered calls by id; null removes one. */
  rewriteSent(changes: ReadonlyMap<string, OutboxCall | null>): Promise<void>;
  /** Kept words; emits the present ones first. */
  kept: Observable<readonly KeptWords[]>;
  /** Kept words that this version of the app cannot read; emits the present ones first. */
  unreadable: Observable<readonly UnreadableWords[]>;
  /** Stores words; resolves to their ids. */
  keep(items: readonly KeptWords[]): Promise<string[]>;
  /** Replaces the kept words with the same id. */
  rewrite(item: KeptWords): Promise<void>;
  release(ids: readonly string[]): Promise<void>;
  /** Emits when the mirror was loaded again after a restore, and `history` is the new one. */
  rebuilt: Observable<void>;
  /** Notes that records were revoked. */
  mark(): Promise<void>;
  /** Runs `drop` if cached media of revoked records may still exist, until it has succeeded once. */
  dropMedia(drop: () => Promise<void>): Promise<void>;
  /** Makes the next start create new files, and rewrites the journal now. */
  purge(): Promise<void>;
}

interface Deps {
  database: EngineDatabase;
  outbox: JournaledOutbox;
  journal: Journal;
  kept: JournaledRecords;
  mark: LeavingMark;
  now: () => number;
}

/** `LeavingControl` of one home. */
export class HomeLeaving implements LeavingControl {
  readonly rebuilt = new Subject<void>();
  readonly #deps: Deps;
  readonly #quarantine: Quarantine;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#quarantine = new Quarantine(deps.kept);
  }

  get kept(): Observable<readonly KeptWords[]> {
    return this.#quarantine.kept;
  }

  get unreadable(): Observable<readonly UnreadableWords[]> {
    return this.#quarantine.unreadable;
  }

  async whereabouts(collection: SyncedCollection, ids: readonly string[]): Promise<Whereabouts> {
    if (ids.length === 0 || (await this.history()) === null)
      return { removed: [], absent: [], uids: new Map() };
    const known = await mirrorOf(this.#deps.database)[collection].find(ids);
    const uids = [...known.values()].flatMap(({ id, body, _deleted }) => {
      const { uid } = _deleted ? {} : identified.parse(JSON.parse(body));
      return uid === undefined ? [] : [[id, uid] as const];
    });
    return {
      removed: ids.filter((id) => known.get(id)?._deleted === true),
      absent: ids.filter((id) => !known.has(id)),
      uids: new Map(uids),
    };
  }

  async history(): Promise<string | null> {
    const mark = await readMark(this.#deps.database);
    // After a restore, records that the server forgot are offered again first: they are lost, not revoked.
    return mark?.state === 'ready' && !mark.isRebuild ? mark.history : null;
  }

  async *bodies(): AsyncGenerator<string> {
    const mirror = mirrorOf(this.#deps.database);
    for (const name of collectionNames) for await (const { body } of mirror[name].all()) yield body;
  }

  sentCalls(): Promise<OutboxCall[]> {
    return this.#deps.outbox.log.read();
  }

  rewriteSent(changes: ReadonlyMap<string, OutboxCall | null>): Promise<void> {
    return this.#deps.outbox.rewriteSent(changes);
  }

  keep(items: readonly KeptWords[]): Promise<string[]> {
    return this.#quarantine.put(items);
  }

  rewrite(item: KeptWords): Promise<void> {
    return this.#quarantine.rewrite(item);
  }

  release(ids: readonly string[]): Promise<void> {
    return this.#quarantine.remove(ids);
  }

  /**
   * The server was restored: kept words that it had may be lost there, and then wait for the person like all others.
   * `known`: which of these keys the restored server still knows.
   */
  async doubtServer(known: (keys: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    await this.#deps.kept.reread();
    const taken = this.#quarantine.present().filter(({ isOnServer }) => isOnServer);
    if (taken.length === 0) return;
    const there = await known(taken.map(keyOf));
    const mark = await readMark(this.#deps.database);
    await this.#quarantine.put(
      taken.map((one) =>
        there.has(keyOf(one)) && mark !== null
          ? { ...one, history: mark.history }
          : { ...one, isOnServer: false },
      ),
    );
  }

  mark(): Promise<void> {
    return this.#deps.mark.set(this.#deps.now());
  }

  dropMedia(drop: () => Promise<void>): Promise<void> {
    return this.#deps.mark.dropMedia(drop);
  }

  async purge(): Promise<void> {
    const { journal, mark, now } = this.#deps;
    await mark.set(now());
    await journal.purge();
  }

  async close(): Promise<void> {
    this.rebuilt.complete();
    await this.#deps.kept.close();
  }
}
