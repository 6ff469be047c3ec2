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

/** The notes tell of copies that the database could not take; the journal has the records. */
export interface JournaledDeps extends TroubleNotes {
  /** Told when the journal cannot be read again after another tab has written. */
  reading: TroubleNotes;
  environment: Pick<Environment, 'setTimer'>;
  journal: Journal;
  rows: RxCollection<CopyRow>;
  /** Names the person's database. */
  home: string;
  lock: <T>(name: string, run: () => Promise<T>) => Promise<T>;
}

/** After so long, records that could not be read are read again, ms. */
const againAfter = 5000;

/** Where the journal keeps records of one kind, and which of two is the later one. */
export interface RecordKind {
  /** Names the lock under which they are written. */
  name: string;
  collection: 'drafts' | 'meta';
  prefix: (home: string) => string;
  orderOf: (value: unknown) => number;
}

const numbered = z.looseObject({ batch: z.number() });

/** Drafts of guides. Whole records of a draft count up; what has no number is none. */
export const draftRecords: RecordKind = {
  name: 'drafts',
  collection: 'drafts',
  prefix: (home) => `${home}/`,
  orderOf: (value) => numbered.safeParse(value).data?.batch ?? 0,
};

/**
 * Records of one kind and one person. Journal first, as for the outbox: rows of the database are copies, which tell other
 * tabs that a record changed, and give back what the journal lost (outbox README, OUTBOX-8 and OUTBOX-9).
 */
export class JournaledRecords implements DraftStore {
  readonly #deps: JournaledDeps;
  readonly #kind: RecordKind;
  readonly #prefix: string;
  /** Where the journal's `meta` keeps the newest damaged segment whose records were taken from the database. */
  readonly #mendedId: string;
  /** Where it notes records that are gone while the database still holds their copies. */
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

  /** Resolves when what has begun is done; nothing is stored after that. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running.catch(() => undefined);
    this.#stopWatching();
    this.#cancelRefresh?.();
    this.#copies.close();
    this.#ids.complete();
  }

  /** Reads what the journal holds now. While it reads, any number of wishes are one more reading. */
  async reread(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale().finally(() => (this.#reading = null));
    await this.#reading;
  }

  /** Reads what the journal holds now. A failure is noted, and it is tried again after a while. */
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
   * What journal or database lost, the other gives back. Where they differ, the journal is right, unless damage may have
   * taken its last words: then the copy counts, once after each damage (outbox README, OUTBOX-41).
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
    // A row that cannot be read is kept as its text, which no record is: it is listed as such (OUTBOX-48).
    const records = restored.map(([id, body]) => this.#record(id, valueOf(body) ?? body));
    if (!isMended) records.push({ op: 'put', collection: 'meta', id: this.#mendedId, value: damaged });
    if (records.length > 0) await journal.append(records, { canWait: true });
    const renewed = new Set(mended.map(([id]) => id));
    const unlike = [...known].filter(([id, value]) => !renewed.has(id) && bodies.get(id) !== bodyOf(value));
    if (unlike.length > 0) await this.#copy(unlike);
    const drop = [...over].filter((id) => !known.has(id));
    if (drop.length > 0) await this.#copies.store([], drop);
  }

  /** Whether a copy may hold later words than the journal: it says something else, and was not written before. */
  #isNewer(copy: string | undefined, journalled: unknown): boolean {
    if (copy === undefined || copy === bodyOf(journalled)) return false;
    const value = valueOf(copy);
    return value !== undefined && this.#kind.orderOf(value) >= this.#kind.orderOf(journalled);
  }

  /** Owes no copy of a record that another tab has changed since: that one wrote its own. */
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

  /** No other tab writes or brings together meanwhile: what one removes, no other takes for lost. */
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

/** A record as text: a journal value is JSON with byte arrays anywhere in it. */
export function bodyOf(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part instanceof Uint8Array ? { [bytesKey]: toBase64(part) } : part,
  );
}

/** The same back; undefined where the text is none. */
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
