import { type Observable, BehaviorSubject } from 'rxjs';

import type { MediaStore } from '#desktop/engine/journal/platform.ts';
import type { MediaNeed } from './needs.ts';

/** What the media cache needs. */
export interface MediaDeps {
  store: MediaStore;
  /** A request to the session's server; `path` begins with `/`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  fetch: typeof globalThis.fetch;
  setTimer(run: () => void, ms: number): () => void;
  /** SHA-256 of bytes in lower-case hexadecimal. */
  sha256(bytes: Uint8Array): Promise<string>;
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

/**
 * The media cache of this device: which files are stored, which are being fetched, and which groups need them. A group
 * is a guide that is open, pinned or a favourite. A file stays while a group needs it, and longer while there is room.
 */
export class MediaCache {
  readonly #deps: MediaDeps;
  readonly #limits: MediaLimits;
  readonly #have = new Map<string, number>();
  readonly #groups = new Map<string, readonly MediaNeed[]>();
  /** Number of groups that need a file, by key. */
  readonly #references = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #changed = new BehaviorSubject(0);
  readonly #timers = new Set<() => void>();
  #bytes = 0;
  #opened: Promise<void> | null = null;
  #closed = false;

  constructor(deps: MediaDeps, limits: MediaLimits = mediaLimits) {
    this.#deps = deps;
    this.#limits = limits;
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
    for (const { key, bytes } of await this.#deps.store.list()) this.#hold(key, bytes);
    this.#notify();
  }

  has(key: string): boolean {
    return this.#have.has(key);
  }

  /** Whether a file is being fetched, or waits for its turn. */
  isAwaited(key: string): boolean {
    return this.#waiting.has(key) || this.#running.has(key);
  }

  /** Size of all stored files, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the server said that this file does not exist. */
  isGone(key: string): boolean {
    return this.#gone.has(key);
  }

  /** How many of the files that groups need are stored. */
  get coverage(): { have: number; of: number } {
    const have = [...this.#references.keys()].filter((key) => this.#have.has(key)).length;
    return { have, of: this.#references.size };
  }

  /** Sets the files that a group needs, and fetches those that are missing. */
  async want(group: string, needs: readonly MediaNeed[]): Promise<void> {
    this.#count(this.#groups.get(group) ?? [], -1);
    this.#count(needs, 1);
    this.#groups.set(group, needs);
    await this.open();
    if (this.#groups.get(group) !== needs) return;
    for (const need of needs) {
      if (!this.#have.has(need.key) && !this.isAwaited(need.key))
        this.#waiting.set(need.key, { need, tries: 0 });
    }
    this.#notify();
    this.#pump();
  }

  /** Removes a group. Files that only this group awaited are not fetched. */
  release(group: string): void {
    this.#count(this.#groups.get(group) ?? [], -1);
    this.#groups.delete(group);
    for (const key of this.#waiting.keys()) if (!this.#isNeeded(key)) this.#waiting.delete(key);
    this.#notify();
  }

  /** The content of a stored file; undefined if it is not stored. */
  async read(key: string): Promise<Blob | undefined> {
    await this.open();
    if (!this.#have.has(key)) return undefined;
    const blob = await this.#deps.store.get(key);
    this.#drop(key);
    if (blob !== undefined) this.#hold(key, blob.size);
    else this.#notify();
    return blob;
  }

  /** Removes files that no group needs, least recently used first, until the budget is met. */
  async evict(): Promise<void> {
    for (const key of this.#have.keys()) {
      if (this.#bytes <= this.#limits.budgetBytes) return;
      if (this.#isNeeded(key)) continue;
      await this.#deps.store.remove(key);
      this.#drop(key);
      this.#notify();
    }
  }

  /** Removes all stored files but those for whose key `isWanted` is true, even if a group needs them. */
  async keepOnly(isWanted: (key: string) => boolean): Promise<void> {
    await this.open();
    for (const key of [...this.#have.keys()].filter((one) => !isWanted(one))) {
      await this.#deps.store.remove(key);
      this.#drop(key);
    }
    this.#notify();
  }

  /** Ends fetching. Stored files stay. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #isNeeded(key: string): boolean {
    return this.#references.has(key);
  }

  #count(needs: readonly MediaNeed[], by: 1 | -1): void {
    for (const { key } of needs) {
      const count = (this.#references.get(key) ?? 0) + by;
      if (count === 0) this.#references.delete(key);
      else this.#references.set(key, count);
    }
  }

  /** Adds a stored file, or moves it to the end of the order in which files are evicted. */
  #hold(key: string, bytes: number): void {
    this.#drop(key);
    this.#have.set(key, bytes);
    this.#bytes += bytes;
  }

  #drop(key: string): void {
    this.#bytes -= this.#have.get(key) ?? 0;
    this.#have.delete(key);
  }

  #pump(): void {
    for (const [key, waiting] of this.#waiting) {
      if (this.#closed || this.#running.size >= this.#limits.parallel) return;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#fetch(waiting);
    }
  }

  async #fetch({ need, tries }: Waiting): Promise<void> {
    const outcome = await this.#download(need).catch((): 'failed' => 'failed');
    this.#running.delete(need.key);
    if (outcome === 'gone') this.#gone.add(need.key);
    if (outcome === 'failed' && this.#isNeeded(need.key)) this.#retryLater({ need, tries: tries + 1 });
    this.#notify();
    this.#pump();
    if (outcome === 'kept') await this.evict();
  }

  #retryLater(waiting: Waiting): void {
    if (this.#closed) return;
    const { retryMs } = this.#limits;
    const wait = retryMs[Math.min(waiting.tries, retryMs.length) - 1] ?? 0;
    const cancel = this.#deps.setTimer(() => {
      this.#timers.delete(cancel);
      if (!this.#isNeeded(waiting.need.key) || this.#have.has(waiting.need.key)) return;
      this.#waiting.set(waiting.need.key, waiting);
      this.#pump();
    }, wait);
    this.#timers.add(cancel);
  }

  /** Fetches, verifies and stores one file. Incomplete or altered bytes are a failure and are not stored. */
  async #download(need: MediaNeed): Promise<'kept' | 'gone' | 'failed'> {
    const response = need.url.startsWith('/')
      ? await this.#deps.request(need.url)
      : await this.#deps.fetch(need.url, { credentials: 'omit' });
    if (response.status === 404 || response.status === 410) return 'gone';
    if (!response.ok) return 'failed';
    const blob = await response.blob();
    if (!(await this.#isWhole(need, response, blob))) return 'failed';
    await this.#deps.store.put(need.key, blob);
    this.#hold(need.key, blob.size);
    return 'kept';
  }

  async #isWhole(need: MediaNeed, response: Response, blob: Blob): Promise<boolean> {
    const stated = response.headers.get('Content-Length');
    const isEncoded = response.headers.has('Content-Encoding');
    if (stated !== null && !isEncoded && Number(stated) !== blob.size) return false;
    if (need.bytes !== null && need.bytes !== blob.size) return false;
    // A document may be an HTML page itself.
    if (need.sha256 === null)
      return need.key.startsWith('document:') || !isPage(await blob.slice(0, 64).text());
    return (await this.#deps.sha256(new Uint8Array(await blob.arrayBuffer()))) === need.sha256;
  }

  #notify(): void {
    this.#changed.next(this.#changed.value + 1);
  }
}

/** Whether bytes begin like an HTML page or JSON: a portal or proxy may send these instead of a picture or video. */
function isPage(beginning: string): boolean {
  const text = beginning.replace(/^[\s\u{FEFF}]+/u, '');
  return text === '' || /^(<(!doctype|!--|html|head|body|title|meta|script)|[{[])/i.test(text);
}
