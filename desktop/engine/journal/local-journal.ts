import { sha256 } from './bytes.ts';
import { CopiedValues } from './copied-values.ts';
import { exportJournal } from './export.ts';
import { findFile, listStoredFiles, readStoredFile, type StoredFile, toJournalFile } from './files.ts';
import type {
  AppendOptions,
  Journal,
  JournalChanges,
  JournalEntries,
  JournalFile,
  JournalHealth,
} from './journal.ts';
import {
  batchBody,
  decodeBody,
  encodeBody,
  type JournalCollection,
  type JournalRecord,
  type StoredRecord,
} from './records.ts';
import { type JournalState, type Replay, replay, segmentName, segmentNumber } from './replay.ts';
import { Segments } from './segments.ts';
import { JournalError, type JournalStore, toJournalError } from './store.ts';

export interface JournalDeps {
  /** Wall time in ms. */
  now(): number;
  /** A new id that nothing else has. */
  uuid(): string;
}

/** Opens the journal that `store` keeps, mending what an interrupted writer left behind. */
export async function openJournal(store: JournalStore, deps: JournalDeps): Promise<Journal> {
  const found = await replay(store);
  const journal = new LocalJournal(store, deps, found);
  if (!found.newer) await journal.mend(found);
  return journal;
}

interface PendingAppend {
  id: string;
  seq: number;
  payload: Uint8Array;
  canWait: boolean;
  done: PromiseWithResolvers<void>;
}

// Damaged segments are kept for a support export, but not without end.
const KEPT_SEGMENTS = 5;

class LocalJournal implements Journal {
  readonly #store: JournalStore;
  readonly #deps: JournalDeps;
  readonly #state: JournalState;
  readonly #segments: Segments;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #listeners = new Set<(health: JournalHealth) => void>();
  #health: JournalHealth;
  #keptSegments: number[];
  #seq: number;
  #queue: PendingAppend[] = [];
  /** Appends that took effect and are to be written (JOURNAL-17). */
  #owed: PendingAppend[] = [];
  #work: Promise<unknown> = Promise.resolve();
  #fileWork: Promise<unknown> = Promise.resolve();

  constructor(store: JournalStore, deps: JournalDeps, found: Replay) {
    this.#store = store;
    this.#deps = deps;
    this.#state = found.state;
    this.#seq = found.state.seq;
    this.#segments = new Segments(store, found.current);
    this.#keptSegments = found.keptSegments;
    this.#health = {
      durability: store.durability,
      writable: !found.newer,
      ...(found.newer ? { problem: 'newer' as const } : {}),
      lowSpace: false,
      damage: found.damage,
      missing: found.missing,
    };
  }

  /** Brings the store back into the shape of one sealed segment, as far as the disk lets it. */
  async mend(found: Replay): Promise<void> {
    await this.checkSpace();
    const broken = found.damage.filter(({ isTorn }) => !isTorn).map(({ segment }) => segment);
    this.#keptSegments = [...new Set([...this.#keptSegments, ...broken])].slice(-KEPT_SEGMENTS);
    const scattered = !found.current.sealed && found.segments.length > 1;
    if (broken.length > 0 || scattered) {
      // What was found stands either way; a failure is in the health, and the journal opens for reading.
      await this.#inOrder(() => this.#rewrite()).catch(() => undefined);
    }
    await this.#removeLeftovers(found.damage.length > 0);
  }

  async append(records: readonly JournalRecord[], options: AppendOptions = {}): Promise<void> {
    await this.#appendStored(records, options);
  }

  async entries(): Promise<JournalEntries> {
    const { outbox, drafts, meta } = this.#state.entries;
    // Nobody looks at all three.
    return {
      get outbox() {
        return new CopiedValues(outbox);
      },
      get drafts() {
        return new CopiedValues(drafts);
      },
      get meta() {
        return new CopiedValues(meta);
      },
    };
  }

  async changes(collection: JournalCollection, since: number): Promise<JournalChanges> {
    return this.#state.changes(collection, since);
  }

  async forget(collection: JournalCollection, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.append(ids.map((id) => ({ op: 'delete', collection, id })));
  }

  async compact(): Promise<void> {
    this.#assertWritable();
    await this.#inOrder(() => this.#rewrite());
  }

  async purge(): Promise<void> {
    this.#assertWritable();
    // In the order of files too: one whose record is not written yet would count as a leftover.
    await this.#inFileOrder(() => this.#inOrder(() => this.#purge()));
  }

  async #purge(): Promise<void> {
    const before = this.#segments.newestSealed;
    const kept = this.#keptSegments;
    this.#keptSegments = [];
    await this.#rewrite();
    if (this.#segments.newestSealed === before) {
      this.#keptSegments = kept;
      throw new JournalError('no-space', 'The journal could not be rewritten: the disk is full');
    }
    await this.#removeLeftovers(this.#health.damage.length > 0);
  }

  putFile(
    id: string,
    content: Uint8Array | Blob,
    about: { type: string; name: string },
    options: AppendOptions = {},
  ): Promise<JournalFile> {
    const taken = content instanceof Blob ? content : content.slice();
    return this.#inFileOrder(async () => {
      const bytes = taken instanceof Blob ? new Uint8Array(await taken.arrayBuffer()) : taken;
      const file: StoredFile = {
        ...about,
        stored: `file-${this.#deps.uuid()}`,
        size: bytes.length,
        sha256: await sha256(bytes),
      };
      const before = findFile(this.#state, id);
      if (options.id !== undefined && this.#state.recentIds.has(options.id)) {
        return toJournalFile(id, before ?? file);
      }
      this.#assertWritable();
      try {
        await this.#withBallast(() => this.#store.write(file.stored, bytes));
        await this.#appendStored([{ op: 'put', collection: 'files', id, value: file }], options);
      } catch (error) {
        await this.#removeQuietly(file.stored);
        throw error;
      }
      if (before !== undefined) await this.#removeQuietly(before.stored);
      return toJournalFile(id, file);
    });
  }

  readFile(id: string): Promise<JournalFile & { bytes: Uint8Array }> {
    return this.#inFileOrder(() => readStoredFile(this.#store, this.#state, id));
  }

  deleteFile(id: string, options: AppendOptions = {}): Promise<void> {
    return this.#inFileOrder(async () => {
      const before = findFile(this.#state, id);
      await this.#appendStored([{ op: 'delete', collection: 'files', id }], options);
      if (before !== undefined) await this.#removeQuietly(before.stored);
    });
  }

  async listFiles(): Promise<JournalFile[]> {
    return [...listStoredFiles(this.#state)].map(([id, file]) => toJournalFile(id, file));
  }

  async exportAll(): Promise<Record<string, Uint8Array>> {
    return exportJournal(this.#store, this.#state, this.health(), this.#deps.now());
  }

  health(): JournalHealth {
    return this.#health;
  }

  watchHealth(listener: (health: JournalHealth) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async checkSpace(): Promise<boolean> {
    const reserved = await this.#store.reserveBallast().catch(() => false);
    this.#report({ lowSpace: !reserved });
    return reserved;
  }

  async close(): Promise<void> {
    await this.#fileWork.catch(() => undefined);
    await Promise.allSettled(this.#underWay.values());
    await this.#work.catch(() => undefined);
    if (this.#health.writable) this.#report({ writable: false, problem: 'closed' });
    await this.#store.close();
  }

  async #appendStored(records: readonly StoredRecord[], options: AppendOptions): Promise<void> {
    const { id = this.#deps.uuid(), canWait = false } = options;
    if (this.#state.recentIds.has(id) || records.length === 0) return;
    this.#assertWritable();
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    const seq = this.#seq + 1;
    const payload = encodeBody({ seq, id, at: this.#deps.now(), records: [...records] });
    this.#seq = seq;
    const done = Promise.withResolvers<void>();
    this.#queue.push({ id, seq, payload, canWait, done });
    this.#underWay.set(id, done.promise);
    // Each append is told of its own failure; what else fails is in the health.
    if (this.#queue.length === 1) this.#inOrder(() => this.#drain()).catch(() => undefined);
    await done.promise.finally(() => this.#underWay.delete(id));
  }

  /** Writes what is queued: everything that came in during one fsync shares the next. */
  async #drain(): Promise<void> {
    const group = this.#queue.splice(0);
    const refused = await this.#commit(group);
    // One append too large for the disk must not take the small ones beside it down.
    const apart = refused?.kind === 'no-space' && group.length > 1;
    for (const pending of refused === undefined ? [] : group) {
      const error = apart ? await this.#commit([pending]) : refused;
      if (error === undefined) continue;
      if (error.kind === 'no-space' && pending.canWait) this.#owe(pending);
      else pending.done.reject(error);
    }
    if (refused === undefined) await this.#writeOwed();
    if (this.#health.writable && this.#segments.worthCompacting) await this.#rewrite();
  }

  #owe(pending: PendingAppend): void {
    this.#takeEffect(pending);
    this.#owed.push(pending);
  }

  /** Appends that took effect before may now stand behind later ones: their numbers tell the order. */
  async #writeOwed(): Promise<void> {
    if (this.#owed.length === 0) return;
    try {
      await this.#segments.append(this.#owed.map(({ payload }) => payload));
      this.#owed = [];
    } catch (error) {
      this.#note(error);
    }
  }

  async #commit(group: readonly PendingAppend[]): Promise<JournalError | undefined> {
    try {
      this.#assertWritable();
      await this.#withBallast(() => this.#segments.append(group.map(({ payload }) => payload)));
    } catch (error) {
      return toJournalError(error);
    }
    for (const pending of group) this.#takeEffect(pending);
    return undefined;
  }

  #takeEffect({ id, seq, payload, done }: PendingAppend): void {
    this.#state.apply(seq, batchBody.parse(decodeBody(payload)).records);
    this.#state.remember(id);
    done.resolve();
  }

  async #rewrite(): Promise<void> {
    try {
      const old = await this.#segments.rewrite(this.#state, this.#keptSegments);
      this.#owed = [];
      const kept = this.#keptSegments.some((segment) => segmentName(segment) === old);
      if (!kept) await this.#removeQuietly(old);
    } catch (error) {
      const cause = this.#note(error);
      await this.#removeQuietly(this.#segments.nextName);
      // A full disk only postpones it: the old segment is whole and goes on.
      if (cause.kind !== 'no-space') throw cause;
    }
  }

  /** Runs a write, and once more with the ballast released when the disk is full. */
  async #withBallast(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      const noted = this.#note(error);
      const released = noted.kind === 'no-space' && (await this.#store.releaseBallast().catch(() => false));
      if (!released) throw noted;
      await write().catch((again: unknown) => {
        throw this.#note(again);
      });
    }
  }

  /** A full disk is reported; anything else ends writing for good, because a failed fsync cannot be repeated. */
  #note(thrown: unknown): JournalError {
    const error = toJournalError(thrown);
    if (error.kind === 'no-space') this.#report({ lowSpace: true });
    else if (this.#health.writable) this.#report({ writable: false, problem: error.kind });
    return error;
  }

  async #removeLeftovers(damaged: boolean): Promise<void> {
    const referenced = new Set([...listStoredFiles(this.#state).values()].map(({ stored }) => stored));
    for (const name of await this.#store.list()) {
      const segment = segmentNumber(name);
      const old =
        segment !== undefined &&
        segment < this.#segments.newestSealed &&
        !this.#keptSegments.includes(segment);
      // After damage, a file that no record names may be one whose record is lost.
      const orphan = name.startsWith('file-') && !referenced.has(name) && !damaged;
      if (old || orphan) await this.#removeQuietly(name);
    }
  }

  /** Removes what no record names any more; what cannot be removed now is a leftover of the next start. */
  async #removeQuietly(name: string): Promise<void> {
    await this.#store.remove(name).catch(() => undefined);
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }

  #inFileOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#fileWork.then(work);
    this.#fileWork = result.catch(() => undefined);
    return result;
  }

  #assertWritable(): void {
    const { writable, problem } = this.#health;
    if (!writable)
      throw new JournalError('read-only', `The journal takes no more writes: ${problem ?? 'closed'}`);
  }

  #report(change: Partial<JournalHealth>): void {
    const next = { ...this.#health, ...change };
    if (next.writable === this.#health.writable && next.lowSpace === this.#health.lowSpace) return;
    this.#health = next;
    for (const listener of this.#listeners) listener(next);
  }
}
