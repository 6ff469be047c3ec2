import { type Observable, BehaviorSubject } from 'rxjs';

import type { MediaStore } from '#desktop/engine/journal/platform.ts';
import { isFullDisk } from '#desktop/engine/platform/full-disk.ts';
import { serialQueue } from '#desktop/engine/platform/serial-queue.ts';
import { type DownloadDeps, fetchFile } from './download.ts';
import { type FileGroup, FileGroups } from './file-groups.ts';
import { HeldFiles } from './held-files.ts';
import type { MediaNeed } from './needs.ts';
import { Waits } from './waits.ts';

/** Whether a file must stay, by its key. */
export type IsSpared = (key: string) => boolean;

/** What the media cache needs. */
export interface MediaDeps extends DownloadDeps {
  store: MediaStore;
  setTimer(run: () => void, ms: number): () => void;
  /** Which files must stay although no group needs them; null while it is not known what must stay. */
  spared(): Promise<IsSpared | null>;
  /** To be called after a file was fetched and stored. */
  stored?(bytes: number): void;
  /** To be called after files were removed. */
  removed?(): void;
}

/** Limits of the media cache. */
export interface MediaLimits {
  /** Number of parallel fetches. */
  parallel: number;
  /** While the cache is larger than this, files that no group needs are removed, least recently used first. */
  budgetBytes: number;
  /** Waits before a failed fetch is tried again, ms. The last one is used for all further tries. */
  retryMs: readonly number[];
}

const mediaLimits: MediaLimits = {
  parallel: 4,
  budgetBytes: 2 * 1024 ** 3,
  retryMs: [2000, 10_000, 60_000, 300_000],
};

interface Waiting {
  need: MediaNeed;
  tries: number;
}

interface Running {
  /** Only groups that can wait need the file. */
  isLater: boolean;
  abort: AbortController;
}

/** `stopped`: nothing needs the file any more, or it waits again because loading was paused. */
type Outcome = 'kept' | 'gone' | 'failed' | 'stopped';

/**
 * The media cache of this device: which files are stored, which are being fetched, and which groups need them. A group
 * is a guide that is open, or that this device keeps. A file stays while a group needs it, and longer while there is room.
 */
export class MediaCache {
  readonly #deps: MediaDeps;
  readonly #limits: MediaLimits;
  readonly #have = new HeldFiles();
  readonly #groups = new FileGroups();
  /** Files of groups that cannot wait. They are fetched first. */
  readonly #waiting = new Map<string, Waiting>();
  /** Files that are fetched one after another while `#isHeld` is false. */
  readonly #later = new Map<string, MediaNeed>();
  readonly #running = new Map<string, Running>();
  readonly #gone = new Set<string>();
  readonly #changed = new BehaviorSubject(0);
  readonly #waits: Waits;
  /** Writes and lists of the store, one at a time: a list tells nothing of a file that is being written or removed. */
  readonly #inOrder = serialQueue();
  #isHeld = false;
  #isFull = false;
  #failures = 0;
  #endRest: (() => void) | null = null;
  #opened: Promise<void> | null = null;
  #closed = false;

  constructor(deps: MediaDeps, limits: MediaLimits = mediaLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#waits = new Waits(limits.retryMs, (run, ms) => deps.setTimer(run, ms));
  }

  /** A counter that grows whenever the stored or awaited files change. */
  get changed(): Observable<number> {
    return this.#changed;
  }

  /** Lists the files of the store. All other methods wait for it. If it fails, the next method lists them again. */
  open(): Promise<void> {
    this.#opened ??= this.#list().catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  async #list(): Promise<void> {
    for (const { key, bytes } of await this.#deps.store.list()) this.#have.hold(key, bytes);
    this.#notify();
  }

  has(key: string): boolean {
    return this.#have.has(key);
  }

  /** The stored files, for reading. */
  get files(): Pick<HeldFiles, 'sizeOf' | 'entries'> {
    return this.#have;
  }

  /** Whether a file is being fetched, or waits for its turn. */
  isAwaited(key: string): boolean {
    return this.#waiting.has(key) || this.#running.has(key) || this.#later.has(key);
  }

  /** Whether the last file could not be stored because there is no room. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether a group needs a file. */
  isNeeded(key: string): boolean {
    return this.#groups.isNeeded(key);
  }

  /** Size of all stored files, bytes. */
  get bytes(): number {
    return this.#have.bytes;
  }

  /** Whether the server said that this file does not exist. */
  isGone(key: string): boolean {
    return this.#gone.has(key);
  }

  /** The files that groups need. */
  needs(): MediaNeed[] {
    return this.#groups.needs();
  }

  /** How many of the files that groups need are stored. */
  get coverage(): { have: number; of: number } {
    const keys = this.#groups.keys();
    return { have: keys.filter((key) => this.#have.has(key)).length, of: keys.length };
  }

  /** Sets the files that a group needs, and fetches those that are missing. `isLater`: after all others, see `hold`. */
  async want(group: string, needs: readonly MediaNeed[], isLater = false): Promise<void> {
    const wanted = { needs, isLater };
    const before = this.#groups.get(group);
    this.#groups.set(group, wanted);
    this.#forget(before);
    await this.open();
    if (this.#groups.get(group) !== wanted) return;
    this.#await(wanted);
    this.#notify();
    this.#pump();
  }

  /** Removes groups. Files that only these groups awaited are not fetched. */
  release(...groups: readonly string[]): void {
    for (const name of groups) {
      const before = this.#groups.get(name);
      this.#groups.delete(name);
      this.#forget(before);
    }
    this.#notify();
  }

  /** Removes all groups: another person is signed in. */
  releaseAll(): void {
    this.release(...this.#groups.names());
    this.#gone.clear();
  }

  /** Ends the fetching of what a group needed and no group needs now. */
  #forget(before: FileGroup | undefined): void {
    for (const { key } of before?.needs ?? []) {
      if (this.isNeeded(key)) continue;
      this.#waiting.delete(key);
      this.#later.delete(key);
      this.#running.get(key)?.abort.abort();
    }
  }

  /** Pauses the files of groups that can wait, also those that are being fetched, or goes on with them. */
  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    this.#failures = 0;
    this.#endRest?.();
    this.#endRest = null;
    if (isHeld) for (const { isLater, abort } of this.#running.values()) if (isLater) abort.abort();
    this.#notify();
    this.#pump();
  }

  #await({ needs, isLater }: FileGroup): void {
    for (const need of needs) {
      const running = this.#running.get(need.key);
      if (running !== undefined) running.isLater &&= isLater;
      if (this.#have.has(need.key) || running?.abort.signal.aborted === false) continue;
      if (this.#waiting.has(need.key)) continue;
      if (isLater) this.#later.set(need.key, need);
      else {
        this.#later.delete(need.key);
        this.#waiting.set(need.key, { need, tries: 0 });
      }
    }
  }

  /** The content of a stored file; undefined if it is not stored. A file that was lost is fetched again. */
  async read(key: string): Promise<Blob | undefined> {
    await this.open();
    if (!this.#have.has(key)) return undefined;
    const blob = await this.#deps.store.get(key);
    if (!this.#have.has(key)) return blob;
    this.#have.drop(key);
    if (blob !== undefined) this.#have.hold(key, blob.size);
    else this.#awaitAll();
    return blob;
  }

  /**
   * Reads the stored files of a group. Those that cannot be read count as missing, and are fetched again.
   *
   * - CARRY-7 "Ready offline" is only said of files that can be read: those of a guide are read when it is opened, and all
   *   files are listed at the start and whenever the network comes or goes.
   */
  async check(group: string): Promise<void> {
    await this.open();
    let isLost = false;
    for (const { key } of this.#groups.get(group)?.needs ?? []) {
      if (!this.#have.has(key)) continue;
      const blob = await this.#deps.store.get(key).catch(() => null);
      if (!this.#have.has(key) || blob?.size === this.#have.sizeOf(key)) continue;
      // A list would find a damaged file again. One that cannot be read now may be whole.
      if (blob !== null) await this.#remove(key).catch(() => undefined);
      this.#have.drop(key);
      isLost = true;
    }
    if (isLost) this.#awaitAll();
    this.#pump();
  }

  /** Lists the files of the store again: another tab, or the browser, may have removed some. */
  async look(): Promise<void> {
    await this.open();
    const isChanged = await this.#inOrder(async () => {
      const found = new Map((await this.#deps.store.list()).map(({ key, bytes }) => [key, bytes]));
      const lost = this.#have.keys().filter((key) => !found.has(key));
      const added = [...found].filter(([key, bytes]) => this.#have.sizeOf(key) !== bytes);
      for (const key of lost) this.#have.drop(key);
      for (const [key, bytes] of added) {
        this.#have.hold(key, bytes);
        this.#waiting.delete(key);
        this.#later.delete(key);
      }
      return lost.length + added.length > 0;
    });
    if (isChanged) this.#awaitAll();
  }

  #awaitAll(): void {
    for (const group of this.#groups.all()) this.#await(group);
    this.#notify();
    this.#pump();
  }

  /**
   * Removes files that no group needs, least recently used first, until the budget is met.
   *
   * - CARRY-15 Nothing is removed before all records are on the device and the choice is read: until then, it is not known
   *   what must stay. Files of guides that another account on this device sees stay, and so do those of guides that are
   *   open in another tab.
   */
  async evict(budgetBytes = this.#limits.budgetBytes): Promise<void> {
    if (this.#have.bytes <= budgetBytes) return;
    const isSpared = await this.#deps.spared();
    if (isSpared === null) return;
    for (const key of this.#have.keys()) {
      if (this.#have.bytes <= budgetBytes) return;
      if (!this.isNeeded(key) && !isSpared(key)) await this.#remove(key);
    }
  }

  /** Removes all stored files but those for whose key `isWanted` is true. Files that a group needs are fetched again. */
  async keepOnly(isWanted: IsSpared): Promise<void> {
    await this.open();
    try {
      // Asked one by one: a file may become wanted meanwhile.
      for (const key of this.#have.keys()) if (!isWanted(key)) await this.#remove(key);
    } finally {
      this.#awaitAll();
    }
  }

  async #remove(key: string): Promise<void> {
    const isRemoved = await this.#inOrder(async () => {
      const bytes = this.#have.sizeOf(key);
      if (bytes === undefined) return false;
      // Dropped first: whoever wants the file meanwhile fetches it, and stores it after this removal.
      this.#have.drop(key);
      try {
        await this.#deps.store.remove(key);
      } catch (error) {
        this.#have.hold(key, bytes);
        throw error;
      }
      return true;
    });
    if (!isRemoved) return;
    this.#deps.removed?.();
    this.#notify();
  }

  /** Ends fetching. Stored files stay. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    this.#later.clear();
    for (const { abort } of this.#running.values()) abort.abort();
    this.#waits.end();
  }

  #pump(): void {
    const { parallel } = this.#limits;
    for (const [key, waiting] of this.#waiting) {
      if (this.#closed || this.#running.size >= parallel) return;
      // A fetch that was ended is over in a moment.
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      void this.#fetch(waiting);
    }
    for (const [key, need] of this.#later) {
      const isBusy = this.#running.size >= parallel || this.#laterRunning >= Math.max(1, parallel - 1);
      if (this.#closed || isBusy || this.#isHeld || this.#endRest !== null) return;
      if (this.#running.has(key)) continue;
      this.#later.delete(key);
      void this.#fetchLater(need);
    }
  }

  get #laterRunning(): number {
    return [...this.#running.values()].filter(({ isLater }) => isLater).length;
  }

  async #fetch({ need, tries }: Waiting): Promise<void> {
    const { outcome } = await this.#run(need, false);
    if (outcome === 'failed' && this.isNeeded(need.key)) this.#retryLater({ need, tries: tries + 1 });
    await this.#next(outcome);
  }

  /**
   * Fetches a file that can wait.
   *
   * - CARRY-9 What is opened is loaded before all else, and never waits for files that can wait: these leave one of the
   *   parallel downloads free. After a failure, all files that can wait do: probably the server cannot be reached, and
   *   there may be thousands. Pausing ends the downloads of these files.
   */
  async #fetchLater(need: MediaNeed): Promise<void> {
    const { outcome, isLater } = await this.#run(need, true);
    this.#failures = outcome === 'failed' ? this.#failures + 1 : 0;
    const isOpen = outcome === 'failed' || outcome === 'stopped';
    if (isOpen && this.isNeeded(need.key) && !this.#closed) this.#await({ needs: [need], isLater });
    if (outcome === 'failed') this.#rest();
    await this.#next(outcome);
  }

  #rest(): void {
    if (this.#endRest !== null || this.#isHeld || this.#closed) return;
    this.#endRest = this.#waits.after(this.#failures, () => {
      this.#endRest = null;
      this.#pump();
    });
  }

  /** `isLater` of the result: whether only groups that can wait need the file by then. */
  async #run(need: MediaNeed, isLater: boolean): Promise<{ outcome: Outcome; isLater: boolean }> {
    const running: Running = { isLater, abort: new AbortController() };
    this.#running.set(need.key, running);
    const { signal } = running.abort;
    const outcome = await this.#download(need, signal).catch((error: unknown): Outcome => {
      if (signal.aborted) return 'stopped';
      this.#isFull = isFullDisk(error);
      return 'failed';
    });
    this.#running.delete(need.key);
    if (outcome === 'kept') this.#isFull = false;
    if (outcome === 'gone') this.#gone.add(need.key);
    return { outcome, isLater: running.isLater };
  }

  async #next(outcome: Outcome): Promise<void> {
    this.#notify();
    this.#pump();
    // On a full disk, files that are needed come before those that are not.
    const budget = this.#isFull ? 0 : this.#limits.budgetBytes;
    // Files that cannot be removed now are removed after the next download.
    if (outcome === 'kept' || this.#isFull) await this.evict(budget).catch(() => undefined);
  }

  #retryLater(waiting: Waiting): void {
    if (this.#closed) return;
    const { key } = waiting.need;
    this.#waits.after(waiting.tries, () => {
      if (!this.isNeeded(key) || this.#have.has(key) || this.#running.has(key)) return;
      this.#waiting.set(key, waiting);
      this.#pump();
    });
  }

  async #download(need: MediaNeed, signal: AbortSignal): Promise<Outcome> {
    const found = await fetchFile(need, this.#deps, signal);
    if (signal.aborted) return 'stopped';
    if (typeof found === 'string') return found;
    await this.#inOrder(async () => {
      await this.#deps.store.put(need.key, found);
      this.#have.hold(need.key, found.size);
    });
    this.#gone.delete(need.key);
    this.#deps.stored?.(found.size);
    return 'kept';
  }

  #notify(): void {
    this.#changed.next(this.#changed.value + 1);
  }
}
