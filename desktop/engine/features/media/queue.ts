import { type Observable, BehaviorSubject } from 'rxjs';

import type { MediaStore } from '#desktop/engine/journal/platform.ts';
import { isFullDisk } from '#desktop/engine/platform/full-disk.ts';
import { type DownloadDeps, fetchFile } from './download.ts';
import { type FileGroup, FileGroups } from './file-groups.ts';
import { HeldFiles } from './held-files.ts';
import type { MediaNeed } from './needs.ts';
import { Waits } from './waits.ts';

/** What the media cache needs. */
export interface MediaDeps extends DownloadDeps {
  store: MediaStore;
  setTimer(run: () => void, ms: number): () => void;
  /** To be called after a file was fetched and stored. */
  stored?(bytes: number): void;
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

type Outcome = 'kept' | 'gone' | 'failed';

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
  readonly #running = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #changed = new BehaviorSubject(0);
  readonly #waits: Waits;
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
    this.#groups.set(group, wanted);
    await this.open();
    if (this.#groups.get(group) !== wanted) return;
    this.#await(wanted);
    this.#notify();
    this.#pump();
  }

  /** Removes groups. Files that only these groups awaited are not fetched. */
  release(...groups: readonly string[]): void {
    for (const group of groups) this.#groups.delete(group);
    for (const key of this.#waiting.keys()) if (!this.isNeeded(key)) this.#waiting.delete(key);
    for (const key of this.#later.keys()) if (!this.isNeeded(key)) this.#later.delete(key);
    this.#notify();
  }

  /** Pauses the files of groups that can wait, or goes on with them. */
  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    this.#failures = 0;
    this.#endRest?.();
    this.#endRest = null;
    this.#notify();
    this.#pump();
  }

  #await({ needs, isLater }: FileGroup): void {
    for (const need of needs) {
      if (this.#have.has(need.key) || this.#running.has(need.key) || this.#waiting.has(need.key)) continue;
      if (isLater) this.#later.set(need.key, need);
      else {
        this.#later.delete(need.key);
        this.#waiting.set(need.key, { need, tries: 0 });
      }
    }
  }

  /** The content of a stored file; undefined if it is not stored. */
  async read(key: string): Promise<Blob | undefined> {
    await this.open();
    if (!this.#have.has(key)) return undefined;
    const blob = await this.#deps.store.get(key);
    this.#have.drop(key);
    if (blob !== undefined) this.#have.hold(key, blob.size);
    else this.#notify();
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
    const wanted = this.#groups.get(group);
    if (wanted === undefined) return;
    let isLost = false;
    for (const { key } of wanted.needs) {
      if (!this.#have.has(key) || (await this.#isReadable(key))) continue;
      this.#have.drop(key);
      isLost = true;
    }
    if (isLost && this.#groups.get(group) === wanted) this.#await(wanted);
    if (isLost) this.#notify();
    this.#pump();
  }

  async #isReadable(key: string): Promise<boolean> {
    const blob = await this.#deps.store.get(key).catch(() => undefined);
    return blob !== undefined && blob.size === this.#have.sizeOf(key);
  }

  /** Lists the files of the store again: another tab, or the browser, may have removed some. */
  async look(): Promise<void> {
    await this.open();
    const found = new Map((await this.#deps.store.list()).map(({ key, bytes }) => [key, bytes]));
    const lost = this.#have.keys().filter((key) => !found.has(key) && !this.#running.has(key));
    const added = [...found].filter(([key, bytes]) => this.#have.sizeOf(key) !== bytes);
    for (const key of lost) this.#have.drop(key);
    for (const [key, bytes] of added) this.#have.hold(key, bytes);
    for (const [key] of added) {
      this.#waiting.delete(key);
      this.#later.delete(key);
    }
    if (lost.length + added.length > 0) this.#awaitAll();
  }

  #awaitAll(): void {
    for (const group of this.#groups.all()) this.#await(group);
    this.#notify();
    this.#pump();
  }

  /** Removes files that no group needs, least recently used first, until the budget is met. */
  async evict(): Promise<void> {
    for (const key of this.#have.keys()) {
      if (this.#have.bytes <= this.#limits.budgetBytes) return;
      if (this.isNeeded(key)) continue;
      await this.#deps.store.remove(key);
      this.#have.drop(key);
      this.#notify();
    }
  }

  /** Removes all stored files but those for whose key `isWanted` is true. Files that a group needs are fetched again. */
  async keepOnly(isWanted: (key: string) => boolean): Promise<void> {
    await this.open();
    for (const key of this.#have.keys()) {
      // Asked one by one: a file may become wanted meanwhile.
      if (isWanted(key)) continue;
      await this.#deps.store.remove(key);
      this.#have.drop(key);
    }
    this.#awaitAll();
  }

  /** Ends fetching. Stored files stay. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    this.#later.clear();
    this.#waits.end();
  }

  #pump(): void {
    for (const [key, waiting] of this.#waiting) {
      if (this.#closed || this.#running.size >= this.#limits.parallel) return;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#fetch(waiting);
    }
    for (const [key, need] of this.#later) {
      const isBusy = this.#running.size >= this.#limits.parallel;
      if (this.#closed || isBusy || this.#isHeld || this.#endRest !== null) return;
      this.#later.delete(key);
      this.#running.add(key);
      void this.#fetchLater(need);
    }
  }

  async #fetch({ need, tries }: Waiting): Promise<void> {
    const outcome = await this.#outcomeOf(need);
    if (outcome === 'failed' && this.isNeeded(need.key)) this.#retryLater({ need, tries: tries + 1 });
    await this.#next(outcome);
  }

  /**
   * Fetches a file that can wait.
   *
   * - CARRY-9 What is opened is loaded before all else. After a failure, all files that can wait do: probably the server
   *   cannot be reached, and there may be thousands.
   */
  async #fetchLater(need: MediaNeed): Promise<void> {
    const outcome = await this.#outcomeOf(need);
    this.#failures = outcome === 'failed' ? this.#failures + 1 : 0;
    if (outcome === 'failed' && !this.#closed) {
      if (this.isNeeded(need.key) && !this.#have.has(need.key)) this.#later.set(need.key, need);
      this.#rest();
    }
    await this.#next(outcome);
  }

  #rest(): void {
    if (this.#endRest !== null || this.#isHeld) return;
    this.#endRest = this.#waits.after(this.#failures, () => {
      this.#endRest = null;
      this.#pump();
    });
  }

  async #outcomeOf(need: MediaNeed): Promise<Outcome> {
    const outcome = await this.#download(need).catch((error: unknown): 'failed' => {
      this.#isFull = isFullDisk(error);
      return 'failed';
    });
    if (outcome === 'kept') this.#isFull = false;
    this.#running.delete(need.key);
    if (outcome === 'gone') this.#gone.add(need.key);
    return outcome;
  }

  async #next(outcome: Outcome): Promise<void> {
    this.#notify();
    this.#pump();
    if (outcome === 'kept') await this.evict();
  }

  #retryLater(waiting: Waiting): void {
    if (this.#closed) return;
    this.#waits.after(waiting.tries, () => {
      if (!this.isNeeded(waiting.need.key) || this.#have.has(waiting.need.key)) return;
      this.#waiting.set(waiting.need.key, waiting);
      this.#pump();
    });
  }

  async #download(need: MediaNeed): Promise<Outcome> {
    const found = await fetchFile(need, this.#deps);
    if (typeof found === 'string') return found;
    await this.#deps.store.put(need.key, found);
    this.#have.hold(need.key, found.size);
    this.#deps.stored?.(found.size);
    return 'kept';
  }

  #notify(): void {
    this.#changed.next(this.#changed.value + 1);
  }
}
