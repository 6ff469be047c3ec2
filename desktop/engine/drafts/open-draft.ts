import { z } from 'zod';

import type { DraftStore, Environment } from '../platform/ports.ts';
import { type DraftRecord, GuideDraft } from './guide-draft.ts';
import {
  type HistoryChange,
  type StoredHistory,
  changeOfHistory,
  changedHistory,
  emptyHistory,
  readHistory,
} from './stored-history.ts';

/** Edits are collected for this time before they are journalled together, ms. */
const batchMs = 50;
/** After this many batches the whole draft is written again. */
const batchesPerRecord = 40;

/** A stored draft, under its guideid. Later batches of updates are stored under `{guideid}+{n}`. */
interface StoredDraft {
  record: DraftRecord;
  /** The draft at the time of the waiting save; null when none waits. */
  saved: DraftRecord | null;
  batch: number;
  /** Undo and redo at the time of the record. */
  history?: StoredHistory;
}

interface StoredBatch {
  updates: Uint8Array[];
  /** How undo and redo changed with these updates. */
  history?: HistoryChange;
}

/** Version of stored drafts. A record without a version has version 1. */
const draftVersion = 1;

// Checks the outer shape only: this engine wrote the content, and the seed proves that record and document match.
const draftRecord = z.looseObject({
  base: z.looseObject({}).nullable(),
  seed: z.string(),
  update: z.string(),
  conflicts: z.array(z.looseObject({})),
  resolved: z.array(z.looseObject({})),
  sent: z.array(z.looseObject({ id: z.string(), content: z.looseObject({}) })),
});
const version = z.int().min(1).max(draftVersion).default(draftVersion);
const storedDraft = z.looseObject({
  version,
  record: draftRecord,
  saved: draftRecord.nullable(),
  batch: z.int(),
});
const storedBatch = z.looseObject({
  version,
  updates: z.array(z.custom<Uint8Array>((value) => value instanceof Uint8Array)),
});

/** This version of the app cannot read a stored draft. The draft stays as it is. */
export class UnreadableDraft extends Error {
  override name = 'UnreadableDraft';
}

/** A record whose outer shape the schema accepts. Throws `UnreadableDraft` otherwise. */
function readAs<T>(schema: z.ZodType, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  if (data === undefined) throw new UnreadableDraft('The draft cannot be read', { cause: error });
  return data as T;
}

function draftOf(
  record: DraftRecord,
  deps: DraftDeps,
  later: readonly Uint8Array[],
  history: StoredHistory,
): GuideDraft {
  try {
    return GuideDraft.fromJSON(record, () => deps.environment.random(), later, history);
  } catch (cause) {
    throw new UnreadableDraft('The draft cannot be read', { cause });
  }
}

type DraftDeps = {
  store: Pick<DraftStore, 'get' | 'put' | 'remove'>;
  environment: Pick<Environment, 'setTimer' | 'random'>;
};

/** Whether a stored id is that of a batch. */
export function isBatchId(id: string): boolean {
  return /\+\d+$/.test(id);
}

/** A draft in memory and its stored form. Edits are written in batches; `flush` waits until all are written. */
export class OpenDraft {
  readonly id: string;
  readonly draft: GuideDraft;
  readonly #deps: DraftDeps;
  readonly #changed: () => void;
  readonly #stopListening: () => void;
  /** Number of the last stored batch or record; null when nothing of this draft is stored. */
  #batch: number | null;
  #batchesSince: number;
  #saved: DraftRecord | null;
  /** Undo and redo as they are stored; null when that is not known. */
  #history: StoredHistory | null;
  #updates: Uint8Array[] = [];
  #needsRecord = false;
  #writing: Promise<void> | null = null;
  #scheduled: { done: Promise<void>; resolve: (written: Promise<void>) => void; cancel: () => void } | null =
    null;
  #isHeld = false;
  #isOver = false;

  constructor(
    id: string,
    draft: GuideDraft,
    deps: DraftDeps,
    changed: () => void,
    stored: {
      batch: number | null;
      batches: number;
      saved: DraftRecord | null;
      history?: StoredHistory | null;
    } | null = null,
  ) {
    this.id = id;
    this.draft = draft;
    this.#deps = deps;
    this.#changed = changed;
    this.#batch = stored?.batch ?? null;
    this.#batchesSince = stored?.batches ?? 0;
    this.#saved = stored?.saved ?? null;
    this.#history = stored?.history ?? null;
    this.#stopListening = draft.on('change', ({ update }) => {
      if (update.length > 0) this.#updates.push(update);
      else this.#needsRecord = true;
      this.#schedule();
      changed();
    });
  }

  /**
   * Reads a stored draft with the batches that were written after it; undefined when there is none. `ids`: all stored
   * ids. `changed` is called after every change of the draft.
   * @throws UnreadableDraft when this version of the app cannot read it
   */
  static async read(
    id: string,
    ids: readonly string[],
    deps: DraftDeps,
    changed: () => void,
  ): Promise<OpenDraft | undefined> {
    const value = await deps.store.get(id);
    if (value === undefined || value === null) return undefined;
    const stored = readAs<StoredDraft>(storedDraft, value);
    const numbers = batchesOf(id, ids);
    const values = await Promise.all(numbers.map((n) => deps.store.get(batchId(id, n))));
    const batches = values.flatMap((value) =>
      value === undefined ? [] : [readAs<StoredBatch>(storedBatch, value)],
    );
    const later = batches.flatMap(({ updates }) => updates);
    const history = historyAfter(stored, batches);
    const draft = draftOf(stored.record, deps, later, history ?? emptyHistory);
    const state = {
      batch: Math.max(stored.batch, ...numbers),
      batches: numbers.length,
      saved: stored.saved,
      history,
    };
    return new OpenDraft(id, draft, deps, changed, state);
  }

  /** Whether edits wait to be journalled. */
  get isSaving(): boolean {
    return this.#updates.length > 0 || this.#needsRecord || this.#writing !== null;
  }

  /** How often it was journalled. The count goes on under another id, so the higher one of two is later. */
  get batch(): number {
    return this.#batch ?? 0;
  }

  /** The draft at the time of its waiting save; null when none waits. */
  get saved(): DraftRecord | null {
    return this.#saved;
  }

  /** Ids of saves that the draft still awaits, oldest first. */
  sentIds(): string[] {
    return this.draft.toJSON().sent.map(({ id }) => id);
  }

  /** Remembers the present state as the saved one, or none when no save waits. Stored with the next record. */
  markSaved(isWaiting: boolean): void {
    this.#saved = isWaiting ? this.draft.toJSON() : null;
    this.#needsRecord = true;
    this.#schedule();
  }

  /** Stores the draft even if it has no edits, unless it was read from what is stored. */
  keep(): void {
    this.#needsRecord ||= this.#batch === null || this.#history === null;
    this.#schedule();
  }

  /** Whether a save of the draft is being made now. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * Runs `run`, and writes nothing of the draft meanwhile, so that `run` decides the order of writes to draft and
   * outbox.
   */
  async hold(run: () => Promise<void>): Promise<void> {
    await this.flush();
    this.#isHeld = true;
    const running = run().finally(() => {
      this.#isHeld = false;
      this.#writing = null;
    });
    this.#writing = running.catch(() => undefined);
    await running;
  }

  /** Resolves when the edits so far are journalled with their batch. Does not hasten that. */
  settled(): Promise<void> {
    return this.#scheduled?.done ?? this.flush();
  }

  /** Journals the edits so far now; resolves when that is done. */
  async flush(): Promise<void> {
    const scheduled = this.#scheduled;
    this.#scheduled = null;
    scheduled?.cancel();
    const writing = this.#writeAll();
    scheduled?.resolve(writing);
    await writing;
  }

  /** Removes everything that is stored of this draft. Later edits are stored again. */
  async forget(): Promise<void> {
    await this.flush();
    await this.#remove();
  }

  /** Removes the stored form of a draft that the server holds entirely, unless it was edited meanwhile. */
  async tidy(): Promise<void> {
    await this.flush();
    await this.#remove(() => !this.draft.isDirty());
  }

  /** Removes the stored form if `isWanted` after pending writes. Later writes wait for it. */
  async #remove(isWanted = (): boolean => true): Promise<void> {
    while (this.#writing !== null) await this.#writing.catch(() => undefined);
    const removing = Promise.resolve()
      .then(() => (isWanted() ? this.#removeStored() : undefined))
      .finally(() => (this.#writing = null));
    this.#writing = removing.catch(() => undefined);
    await removing;
  }

  async #removeStored(): Promise<void> {
    const last = this.#batch;
    this.#batch = null;
    if (last === null) return;
    await this.#deps.store.remove(this.id);
    await this.#removeBatches(last);
  }

  /** Closes the draft. What is stored of it stays. */
  close(): void {
    this.#isOver = true;
    this.#scheduled?.cancel();
    this.#stopListening();
    this.draft[Symbol.dispose]();
  }

  /** Stores a copy of the draft under another id. */
  async copyTo(id: string): Promise<void> {
    const stored: StoredDraft = {
      record: this.draft.toJSON(),
      saved: this.#saved,
      batch: this.batch + 1,
      history: this.draft.history(),
    };
    await this.#deps.store.put(id, { ...stored, version: draftVersion });
  }

  /**
   * Closes the draft, and removes everything that is stored of it. `written`: settles when the last edits are
   * journalled under another id.
   */
  async erase(written: Promise<void> = Promise.resolve()): Promise<void> {
    this.close();
    this.#scheduled?.resolve(written);
    await this.#remove();
  }

  #schedule(): void {
    if (this.#scheduled !== null || this.#isOver) return;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const cancel = this.#deps.environment.setTimer(
      () => void this.flush().catch(() => this.#schedule()),
      batchMs,
    );
    done.catch(() => this.#schedule());
    this.#scheduled = { done, resolve, cancel };
  }

  async #writeAll(): Promise<void> {
    while (this.isSaving && !this.#isOver) {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = null;
        this.#changed();
      });
      await this.#writing;
    }
  }

  async #write(): Promise<void> {
    const updates = this.#updates;
    const before = this.#history;
    const history = this.draft.history();
    const isWhole =
      this.#needsRecord || this.#batch === null || before === null || this.#batchesSince >= batchesPerRecord;
    this.#updates = [];
    this.#needsRecord = false;
    const batch = (this.#batch ?? 0) + 1;
    try {
      if (isWhole) await this.#writeRecord(batch, history);
      else await this.#deps.store.put(batchId(this.id, batch), batchOf(updates, before, history));
    } catch (error) {
      this.#updates = [...updates, ...this.#updates];
      this.#needsRecord ||= isWhole;
      throw error;
    }
    this.#batch = batch;
    this.#history = history;
    this.#batchesSince = isWhole ? 0 : this.#batchesSince + 1;
  }

  async #writeRecord(batch: number, history: StoredHistory): Promise<void> {
    const stored: StoredDraft = { record: this.draft.toJSON(), saved: this.#saved, batch, history };
    await this.#deps.store.put(this.id, { ...stored, version: draftVersion });
    await this.#removeBatches(batch);
  }

  async #removeBatches(last: number): Promise<void> {
    for (let n = last - this.#batchesSince; n <= last; n += 1)
      await this.#deps.store.remove(batchId(this.id, n));
  }
}

function batchOf(updates: Uint8Array[], before: StoredHistory, after: StoredHistory): StoredBatch {
  const history = changeOfHistory(before, after);
  return history === undefined ? { updates } : { updates, history };
}

/** Undo and redo of a stored draft after its batches; null if a part of them cannot be read. */
function historyAfter(stored: StoredDraft, batches: readonly StoredBatch[]): StoredHistory | null {
  let history: StoredHistory | null = readHistory(stored.history);
  for (const batch of batches)
    if (history !== null && batch.history !== undefined) history = changedHistory(history, batch.history);
  return history;
}

function batchId(id: string, n: number): string {
  return `${id}+${n}`;
}

function batchesOf(id: string, ids: readonly string[]): number[] {
  const prefix = `${id}+`;
  return ids
    .filter((other) => other.startsWith(prefix) && isBatchId(other))
    .map((other) => Number(other.slice(prefix.length)))
    .toSorted((a, b) => a - b);
}
