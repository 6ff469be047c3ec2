import { Subject, type Observable } from 'rxjs';
import { z } from 'zod';

import { collectionNames } from '#shared/sync/wire.ts';

import { mirrorOf, type EngineDatabase } from '#desktop/engine/storage/database.ts';
import type { Journal } from '#desktop/engine/journal/journal.ts';
import type { JournaledRecords } from '#desktop/engine/outbox/journaled-records.ts';
import { readMark } from '#desktop/engine/sync/mirror/mark.ts';
import type { JournaledOutbox } from '#desktop/engine/outbox/outbox.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { LeavingMark } from './mark.ts';
import { keyOf, Quarantine, type KeptWords, type UnreadableWords } from './quarantine.ts';

/** What a complete mirror knows of records, by number. */
export interface Whereabouts {
  /** Those that the server took away. */
  removed: string[];
  /** Those that are not here at all. */
  absent: string[];
  /** The identity (`uid`) of each that is here, as far as it has one. */
  uids: ReadonlyMap<string, string>;
}

const identified = z.object({ uid: z.string().optional() });

/** What the engine's core tells of records that left, and lets be done about them. */
export interface LeavingControl {
  /** Where these records are. Nothing is told of them while the mirror is not complete. */
  whereabouts(collection: 'guides' | 'wikis', ids: readonly string[]): Promise<Whereabouts>;
  /** The server's history that the mirror follows; null while the mirror is not complete. */
  history(): Promise<string | null>;
  /** The facts of every record of the mirror, as text. */
  bodies(): AsyncIterable<string>;
  /** The calls that are remembered as sent, oldest first. */
  sentCalls(): Promise<OutboxCall[]>;
  /** Replaces remembered calls by the ones given under the same ids; null: forgets one. */
  rewriteSent(changes: ReadonlyMap<string, OutboxCall | null>): Promise<void>;
  /** Words that are kept apart; emits the present ones first. */
  kept: Observable<readonly KeptWords[]>;
  /** The same of words that this version of the app cannot read. */
  unreadable: Observable<readonly UnreadableWords[]>;
  /** Resolves with the ids under which the words are kept. */
  keep(items: readonly KeptWords[]): Promise<string[]>;
  /** Replaces kept words by the ones given under the same id. */
  rewrite(item: KeptWords): Promise<void>;
  release(ids: readonly string[]): Promise<void>;
  /** Emits when the mirror was built anew after a restore, and `history` tells of it. */
  rebuilt: Observable<void>;
  /** Remembers that something left. */
  mark(): Promise<void>;
  /** Runs `drop` if cached media of what left may still be here, until it has succeeded once. */
  dropMedia(drop: () => Promise<void>): Promise<void>;
  /** Has the files made fresh at the next start, and the journal now. */
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

/** The same for one home. */
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

  async whereabouts(collection: 'guides' | 'wikis', ids: readonly string[]): Promise<Whereabouts> {
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
    // What the server forgot is to be offered again first: it is gone, and has not left.
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
   * The server was restored: kept words that it had taken may be gone there, and wait for the person like all others.
   * `known`: which of these keys the restored server still knows, so that it has the words.
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
