import type { Cipher } from '../platform/cipher.ts';
import { exportJournal } from './export.ts';
import { JournalFiles, keptFile, keptName, listStoredFiles, sealFile } from './files.ts';
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
import { type Replay, replay, segmentName, segmentNumber } from './replay.ts';
import { Segments } from './segments.ts';
import type { JournalState } from './state.ts';
import { JournalError, type JournalStore, removeQuietly, toJournalError } from './store.ts';
import { WriteHealth } from './write-health.ts';
import { serialQueue } from '../platform/serial-queue.ts';

/** The time and ids that a journal needs. */
export interface JournalDeps {
  /** Wall time in ms. */
  now(): number;
  /** A new unique id. */
  uuid(): string;
  /** Encrypts what is stored. Absent: it is stored as it is. */
  cipher?: Cipher | undefined;
}

/**
 * Opens the journal of a store, and repairs what an interrupted writer left behind.
 * @throws CipherError `other-key` if another key encrypted it; nothing is changed
 */
export async function openJournal(store: JournalStore, deps: JournalDeps): Promise<Journal> {
  const found = await replay(store, deps.cipher);
  const journal = new LocalJournal(store, deps, found);
  if (!found.newer) await journal.repair(found);
  return journal;
}

interface PendingAppend {
  id: string;
  seq: number;
  payload: Uint8Array;
  canWait: boolean;
  done: PromiseWithResolvers<void>;
}

/** How many damaged segments are kept for a support export. */
const KEPT_SEGMENTS = 5;

class LocalJournal implements Journal {
  /** Runs work after all work so far. */
  readonly #inOrder = serialQueue();
  readonly #store: JournalStore;
  readonly #deps: JournalDeps;
  readonly #state: JournalState;
  readonly #segments: Segments;
  readonly #health: WriteHealth;
  readonly #files: JournalFiles;
  readonly #underWay = new Map<string, Promise<void>>();
  #keptSegments: number[];
  #seq: number;
  #queue: PendingAppend[] = [];
  /** Appends that took effect and are still to be written (JOURNAL-17). */
  #deferred: PendingAppend[] = [];

  constructor(store: JournalStore, deps: JournalDeps, found: Replay) {
    this.#store = store;
    this.#deps = deps;
    this.#state = found.state;
    this.#seq = found.state.seq;
    this.#segments = new Segments(store, found.current, deps.cipher);
    this.#keptSegments = found.keptSegments;
    this.#health = new WriteHealth(store, found);
    this.#files = new JournalFiles({
      store,
      state: found.state,
      health: this.#health,
      uuid: () => deps.uuid(),
      cipher: deps.cipher,
      append: (records, options) => this.#appendStored(records, options),
    });
  }

  /** Brings the store back into the shape of one sealed segment, as far as the disk permits. */
  async repair(found: Replay): Promise<void> {
    await this.checkSpace();
    const broken = found.damage.filter(({ isTorn }) => !isTorn).map(({ segment }) => segment);
    this.#keptSegments = [...new Set([...this.#keptSegments, ...broken])].slice(-KEPT_SEGMENTS);
    const scattered = !found.current.sealed && found.segments.length > 1;
    const mustEncrypt = this.#deps.cipher !== undefined && found.clear;
    if (mustEncrypt) await this.#encryptKept().catch(() => undefined);
    if (broken.length > 0 || scattered || mustEncrypt) {
      // The old segments still hold everything. A failure is in the health, and the journal opens for reading.
      await this.#inOrder(() => this.#rewrite()).catch(() => undefined);
    }
    // A full disk only postpones it to the next start.
    await this.#files.encryptEarlier().catch(() => undefined);
    await this.#removeLeftovers(found.damage.length > 0);
  }

  /** Encrypts the damaged segments that were kept from before encryption, each as a whole (CIPHER-4). */
  async #encryptKept(): Promise<void> {
    const { cipher } = this.#deps;
    for (const segment of this.#keptSegments) {
      const bytes = await this.#store.read(segmentName(segment));
      const stored = keptName(segment);
      if (bytes !== undefined && cipher !== undefined)
        await this.#store.write(stored, sealFile(cipher, { stored }, bytes));
    }
    this.#keptSegments = [];
  }

  async append(records: readonly JournalRecord[], options: AppendOptions = {}): Promise<void> {
    await this.#appendStored(records, options);
  }

  async entries(): Promise<JournalEntries> {
    return this.#state.copies();
  }

  async changes(collection: JournalCollection, since: number): Promise<JournalChanges> {
    return this.#state.changes(collection, since);
  }

  async forget(collection: JournalCollection, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.append(ids.map((id) => ({ op: 'delete', collection, id })));
  }

  async compact(): Promise<void> {
    this.#health.mustBeWritable();
    await this.#inOrder(() => this.#rewrite());
  }

  async purge(): Promise<void> {
    this.#health.mustBeWritable();
    // Also in the order of files: a file whose record is not written yet would count as a leftover.
    await this.#files.inOrder(() => this.#inOrder(() => this.#purge()));
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
    for (const name of await this.#store.list())
      if (keptFile(name) !== undefined) await removeQuietly(this.#store, name);
    await this.#removeLeftovers(this.#health.current.damage.length > 0);
  }

  putFile(
    id: string,
    content: Uint8Array | Blob,
    about: { type: string; name: string },
    options: AppendOptions = {},
  ): Promise<JournalFile> {
    return this.#files.put(id, content, about, options);
  }

  readFile(id: string): Promise<JournalFile & { bytes: Uint8Array }> {
    return this.#files.read(id);
  }

  deleteFile(id: string, options: AppendOptions = {}): Promise<void> {
    return this.#files.delete(id, options);
  }

  async listFiles(): Promise<JournalFile[]> {
    return this.#files.list();
  }

  async exportAll(): Promise<Record<string, Uint8Array>> {
    return exportJournal(this.#store, this.#state, this.health(), this.#deps.now(), this.#deps.cipher);
  }

  health(): JournalHealth {
    return this.#health.current;
  }

  watchHealth(listener: (health: JournalHealth) => void): () => void {
    return this.#health.watch(listener);
  }

  checkSpace(): Promise<boolean> {
    return this.#health.checkSpace();
  }

  async close(): Promise<void> {
    await this.#files.ended();
    await Promise.allSettled(this.#underWay.values());
    await this.#inOrder(async () => undefined);
    this.#health.close();
    await this.#store.close();
  }

  async #appendStored(records: readonly StoredRecord[], options: AppendOptions): Promise<void> {
    const { id = this.#deps.uuid(), canWait = false } = options;
    if (this.#state.recentIds.has(id) || records.length === 0) return;
    this.#health.mustBeWritable();
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    const seq = this.#seq + 1;
    const payload = encodeBody({ seq, id, at: this.#deps.now(), records: [...records] });
    this.#seq = seq;
    const done = Promise.withResolvers<void>();
    this.#queue.push({ id, seq, payload, canWait, done });
    this.#underWay.set(id, done.promise);
    // `done` rejects if this append fails; other failures are in the health.
    if (this.#queue.length === 1) this.#inOrder(() => this.#drain()).catch(() => undefined);
    await done.promise.finally(() => this.#underWay.delete(id));
  }

  /** Writes the queue: all appends that came in during one fsync share the next one. */
  async #drain(): Promise<void> {
    const group = this.#queue.splice(0);
    const refused = await this.#commit(group);
    // An append that is too large for the disk must not make the small ones beside it fail.
    const apart = refused?.kind === 'no-space' && group.length > 1;
    for (const pending of refused === undefined ? [] : group) {
      const error = apart ? await this.#commit([pending]) : refused;
      if (error === undefined) continue;
      if (error.kind === 'no-space' && pending.canWait) this.#defer(pending);
      else pending.done.reject(error);
    }
    if (refused === undefined) await this.#writeDeferred();
    if (this.#health.current.writable && this.#segments.worthCompacting) await this.#rewrite();
  }

  /** Lets an append take effect now, to be written when there is room. */
  #defer(pending: PendingAppend): void {
    this.#takeEffect(pending);
    this.#deferred.push(pending);
  }

  /** Writes deferred appends. In the segment they may follow later ones; the sequence numbers give the order. */
  async #writeDeferred(): Promise<void> {
    if (this.#deferred.length === 0) return;
    try {
      await this.#segments.append(this.#deferred.map(({ payload }) => payload));
      this.#deferred = [];
    } catch (error) {
      this.#health.note(error);
    }
  }

  async #commit(group: readonly PendingAppend[]): Promise<JournalError | undefined> {
    try {
      this.#health.mustBeWritable();
      const payloads = group.map(({ payload }) => payload);
      await this.#health.withBallast(() => this.#segments.append(payloads));
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
      this.#deferred = [];
      const kept = this.#keptSegments.some((segment) => segmentName(segment) === old);
      if (!kept) await removeQuietly(this.#store, old);
    } catch (error) {
      const cause = this.#health.note(error);
      await removeQuietly(this.#store, this.#segments.nextName);
      // A full disk only postpones the rewrite: the old segment is complete and stays in use.
      if (cause.kind !== 'no-space') throw cause;
    }
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
      if (old || orphan) await removeQuietly(this.#store, name);
    }
  }
}
