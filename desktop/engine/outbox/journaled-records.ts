import { BehaviorSubject, type Observable } from 'rxjs';
import type { RxCollection } from 'rxdb';
import { z } from 'zod';

import { HomeChanged } from '../platform/held.ts';
import type { DraftStore, Environment } from '../platform/ports.ts';
import { damagedSegment } from '../journal/damage.ts';
import { type CopyRow, isOwn } from '../storage/database.ts';
import { fromBase64, toBase64 } from '../platform/base64.ts';
import type { Journal, JournalRecord } from '../journal/journal.ts';
import { OwedCopies, overIn } from './owed-copies.ts';
import type { TroubleNotes } from '../sync/troubles.ts';

/** `noteTrouble` and `noteSuccess` are about copies that the database cannot take; the journal has the records. */
export interface JournaledDeps extends TroubleNotes {
  /** Notified when the journal cannot be read again after another tab has written. */
  reading: TroubleNotes;
  environment: Pick<Environment, 'setTimer'>;
  journal: Journal;
  rows: RxCollection<CopyRow>;
  /** Names the person's database. */
  home: string;
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T>;
}

/** Pause before records are read again after a failure, ms. */
const againAfter = 5000;

/** Where the journal stores records of one kind, and how two versions of a record are ordered. */
export interface RecordKind {
  /** Part of the name of the lock under which they are written. */
  name: string;
  collection: 'drafts' | 'meta';
  prefix: (home: string) => string;
  orderOf: (value: unknown) => number;
}

const numbered = z.looseObject({ batch: z.number() });

/** Drafts of guides. Each stored version of a draft has a higher `batch` than the one before. */
export const draftRecords: RecordKind = {
  name: 'drafts',
  collection: 'drafts',
  prefix: (home) => `${home}/`,
  orderOf: (value) => numbered.safeParse(value).data?.batch ?? 0,
};

/**
 * Records of one kind and one person. Journal first, as in the outbox. Rows of the database are copies: they notify other
 * tabs of changes, and restore what the journal lost (OUTBOX-8, OUTBOX-9).
 */
export class JournaledRecords implements DraftStore {
  readonly #deps: JournaledDeps;
  readonly #kind: RecordKind;
  readonly #prefix: string;
  /** Record in the journal's `meta`: the newest damaged segment whose records were taken from the database. */
  readonly #mendedId: string;
  /** Prefix of records in the journal's `meta` that note removed records while the database still holds their copies. */
  readonly #overPrefix: string;
  readonly #ids = new BehaviorSubject<readonly string[]>([]);
  readonly #known = new Map<string, unknown>();
  readonly #copies: OwedCopies<readonly [string, unknown]>;
  readonly #stopWatching: () => void;
  #reading: Promise<void> | null = null;
  #cancelRefresh: (() => void) | null = null;
  #isStale = false;
  #isClosed = false;
  #running: Promise<void> = Promise.resolve();
  #hasRecovered = false;

  private constructor(kind: RecordKind, deps: JournaledDeps) {
    this.#deps = deps;
    this.#kind = kind;
    this.#prefix = kind.prefix(deps.home);
    this.#mendedId = `mended-${kind.name}/${deps.home}`;
    this.#overPrefix = `over-${kind.name}/${deps.home}/`;
    const { rows } = deps;
    const watching = rows.eventBulks$.subscribe(({ events }) => {
      if (events.some(({ documentData }) => !isOwn(rows, documentData))) void this.refresh();
    });
    this.#stopWatching = () => watching.unsubscribe();
    const inOrder = (run: () => Promise<void>): Promise<void> =>
      this.#inOrder(async () => {
        await this.#forgetOver();
        await run();
      });
    this.#copies = new OwedCopies({ ...deps, inOrder, overPrefix: this.#overPrefix }, (put, drop) =>
      this.#write(put, drop),
    );
  }

  static async open(kind: RecordKind, deps: JournaledDeps): Promise<JournaledRecords> {
    const records = new JournaledRecords(kind, deps);
    try {
      await records.#inOrder(() => records.#bringTogether());
      await records.reread();
      return records;
    } catch (error) {
      await records.close();
      throw error;
    }
  }

  /** The journal had lost records that the database gave back. */
  get hasRecovered(): boolean {
    return this.#hasRecovered;
  }

  get ids(): Observable<readonly string[]> {
    return this.#ids;
  }

  /** All of them, by id. */
  present(): ReadonlyMap<string, unknown> {
    return this.#known;
  }

  async get(id: string): Promise<unknown> {
    return this.#known.get(id);
  }

  put(id: string, value: unknown): Promise<void> {
    return this.putAll([[id, value]]);
  }

  /** Resolves when all of them are journalled, in one append. */
  async putAll(records: readonly (readonly [string, unknown])[]): Promise<void> {
    if (records.length === 0) return;
    await this.#inOrder(async () => {
      const puts = records.map(([id, value]) => this.#record(id, value));
      const put = records.map(([id]) => id);
      await this.#copies.noteOver((notes) => this.#deps.journal.append([...puts, ...notes]), put);
      for (const [id, value] of records) this.#known.set(id, value);
      await this.#copy(records);
    });
    this.#show();
  }

  remove(id: string): Promise<void> {
    return this.removeAll([id]);
  }

  /**
   * Deletes the copies first: a record that only the database has is one that the journal lost. If the database cannot
   * delete them, the journal notes it.
   */
  async removeAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#inOrder(async () => {
      await this.#forgetOver();
      await this.#copies.store([], ids);
      const { collection } = this.#kind;
      const deletes = ids.map((id): JournalRecord => ({ op: 'delete', collection, id: this.#prefix + id }));
      await this.#copies.noteOver((notes) => this.#deps.journal.append([...deletes, ...notes]));
      for (const id of ids) this.#known.delete(id);
    });
    this.#show();
  }

  /** Resolves when writes that have begun are done; nothing is stored after that. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running.catch(() => undefined);
    this.#stopWatching();
    this.#cancelRefresh?.();
    this.#copies.close();
    this.#ids.complete();
  }

  /** Reads the journal. All calls during a reading share one more reading. */
  async reread(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale().finally(() => (this.#reading = null));
    await this.#reading;
  }

  /** Reads the journal. A failure is noted, and the journal is read again after a while. */
  async refresh(): Promise<void> {
    const { environment, reading } = this.#deps;
    try {
      await this.reread();
      reading.noteSuccess();
    } catch (error) {
      if (this.#isClosed) return;
      reading.noteTrouble(error);
      this.#cancelRefresh ??= environment.setTimer(() => {
        this.#cancelRefresh = null;
        void this.refresh();
      }, againAfter);
    }
  }

  async #readWhileStale(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#read();
    }
  }

  async #read(): Promise<void> {
    const records = await this.#journalled();
    this.#known.clear();
    for (const [id, value] of records) this.#known.set(id, value);
    this.#show();
  }

  async #journalled(): Promise<Map<string, unknown>> {
    const { values } = await this.#deps.journal.changes(this.#kind.collection, 0);
    const own = [...values].filter(([id]) => id.startsWith(this.#prefix));
    return new Map(own.map(([id, value]) => [id.slice(this.#prefix.length), value]));
  }

  /**
   * Journal and database restore what the other lost. Where they differ, the journal is right. If damage may have taken
   * the last version from the journal, a later copy counts, once after each damage (OUTBOX-41).
   */
  async #bringTogether(): Promise<void> {
    const { rows, journal, noteTrouble } = this.#deps;
    const stored = await rows
      .find()
      .exec()
      .catch((error: unknown) => {
        noteTrouble(error);
        return [];
      });
    const bodies = new Map(stored.map(({ id, body }) => [id, body]));
    const known = await this.#journalled();
    const { values: meta } = await journal.changes('meta', 0);
    const over = overIn(meta, this.#overPrefix);
    this.#copies.knowOver(over);
    const lost = [...bodies].filter(([id]) => !known.has(id) && !over.has(id));
    this.#hasRecovered = lost.length > 0;
    const damaged = damagedSegment(journal.health());
    const isMended = damaged <= Number(meta.get(this.#mendedId) ?? 0);
    const mended = isMended ? [] : [...known].filter(([id, value]) => this.#isNewer(bodies.get(id), value));
    const restored = [...lost, ...mended.map(([id]) => [id, bodies.get(id) ?? ''] as const)];
    // A row that cannot be read is stored as its text, and listed as unreadable since no record is a text (OUTBOX-48).
    const records = restored.map(([id, body]) => this.#record(id, valueOf(body) ?? body));
    if (!isMended) records.push({ op: 'put', collection: 'meta', id: this.#mendedId, value: damaged });
    if (records.length > 0) await journal.append(records, { canWait: true });
    const renewed = new Set(mended.map(([id]) => id));
    const unlike = [...known].filter(([id, value]) => !renewed.has(id) && bodies.get(id) !== bodyOf(value));
    if (unlike.length > 0) await this.#copy(unlike);
    const drop = [...over].filter((id) => !known.has(id));
    if (drop.length > 0) await this.#copies.store([], drop);
  }

  /** Whether a copy may be a later version than the journal's: it differs, and `orderOf` does not say that it is earlier. */
  #isNewer(copy: string | undefined, journalled: unknown): boolean {
    if (copy === undefined || copy === bodyOf(journalled)) return false;
    const value = valueOf(copy);
    return value !== undefined && this.#kind.orderOf(value) >= this.#kind.orderOf(journalled);
  }

  /** Cancels failed writes of records that another tab has changed since, because that tab wrote its own copy. */
  async #forgetOver(): Promise<void> {
    if (!this.#copies.isOwing) return;
    const records = await this.#journalled();
    this.#copies.forget((id, copy) => bodyOf(records.get(id)) !== bodyOf(copy?.[1]));
  }

  async #copy(records: readonly (readonly [string, unknown])[]): Promise<void> {
    await this.#forgetOver();
    await this.#copies.store(
      records.map((record) => [record[0], record] as const),
      [],
    );
  }

  async #write(records: readonly (readonly [string, unknown])[], drop: readonly string[]): Promise<void> {
    const { rows } = this.#deps;
    for (const id of drop) await rows.findOne(id).incrementalRemove();
    if (records.length === 0) return;
    const before = await rows.findByIds(records.map(([id]) => id)).exec();
    const { error } = await rows.bulkUpsert(
      records.map(([id, value]) => ({
        id,
        version: (before.get(id)?.version ?? 0) + 1,
        body: bodyOf(value),
      })),
    );
    if (error.length > 0)
      throw new Error(`The copies of ${this.#kind.name} could not be stored`, { cause: error[0] });
  }

  #record(id: string, value: unknown): JournalRecord {
    return { op: 'put', collection: this.#kind.collection, id: this.#prefix + id, value };
  }

  /** Runs alone among all tabs: otherwise a tab could restore what another one is removing. */
  #inOrder(run: () => Promise<void>): Promise<void> {
    return this.#deps.lock(`${this.#kind.name}/${this.#deps.home}`, () => {
      if (this.#isClosed) throw new HomeChanged();
      this.#running = run();
      return this.#running;
    });
  }

  #show(): void {
    this.#ids.next([...this.#known.keys()]);
  }
}

const bytesKey = '\u0000bytes';

/** A record as text. Journal values are JSON that may contain byte arrays. */
export function bodyOf(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part instanceof Uint8Array ? { [bytesKey]: toBase64(part) } : part,
  );
}

/** The record of such a text; undefined if the text is not one. */
export function valueOf(body: string): unknown {
  try {
    return JSON.parse(body, (_key, part: unknown) => {
      if (typeof part !== 'object' || part === null) return part;
      const bytes: unknown = Reflect.get(part, bytesKey);
      return typeof bytes === 'string' ? fromBase64(bytes) : part;
    });
  } catch {
    return undefined;
  }
}
