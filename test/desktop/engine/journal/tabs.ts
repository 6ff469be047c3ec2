import { JournalError, type Journal } from '#desktop/engine/journal/journal.ts';
import { type TabMessage, tabMessage } from '#desktop/engine/journal/calls.ts';
import type { TabChannel } from '#desktop/engine/journal/channel.ts';
import { memoryStore, type MemoryJournalStore } from '#desktop/engine/journal/memory.ts';
import { openSharedJournal } from '#desktop/engine/journal/shared-journal.ts';

interface Waiting {
  tab: Tab;
  run(): Promise<void>;
}

/** Several tabs of one browser, on one disk; a tab can be killed at any moment. */
export class Browser {
  readonly disk = new Map<string, Uint8Array>();
  readonly tabs: Tab[] = [];
  #holder: Tab | undefined;
  #queue: Waiting[] = [];
  #ids = 0;
  #stores: MemoryJournalStore[] = [];

  /** Opens a tab; `crashAt` kills it at this write, of which only `tornBytes` are stored. */
  async open(crashAt = Infinity, tornBytes = 0): Promise<Journal> {
    const tab = new Tab(this);
    this.tabs.push(tab);
    const store = memoryStore({ crashAt, tornBytes }, this.disk);
    this.#stores.push(store);
    return openSharedJournal({
      name: 'test',
      locks: { request: (_name: string, ...rest: unknown[]) => this.#request(tab, rest) } as Pick<
        LockManager,
        'request'
      >,
      channel: tab,
      openStore: async () => ({
        ...store,
        append: (...args) => tab.orDie(store.append(...args)),
        write: (...args) => tab.orDie(store.write(...args)),
        remove: (name) => tab.orDie(store.remove(name)),
      }),
      deps: { now: () => 0, uuid: () => this.#nextId() },
    });
  }

  /** From now on the disk accepts no more bytes. */
  fill(): void {
    for (const { faults } of this.#stores) faults.capacity = 0;
  }

  /** The tab that holds the lock. */
  get leader(): Tab | undefined {
    return this.#holder;
  }

  spread(from: Tab, message: TabMessage): void {
    const copy = tabMessage.parse(structuredClone(message));
    for (const tab of this.tabs) if (tab !== from) queueMicrotask(() => tab.hear(copy));
  }

  release(tab: Tab): void {
    this.#queue = this.#queue.filter((waiting) => waiting.tab !== tab);
    if (this.#holder !== tab) return;
    this.#holder = undefined;
    this.#grant();
  }

  #nextId(): string {
    this.#ids += 1;
    return `id-${String(this.#ids)}`;
  }

  async #request(tab: Tab, rest: readonly unknown[]): Promise<void> {
    const [options, run] = rest as [{ signal: AbortSignal }, () => Promise<void>];
    const done = Promise.withResolvers<void>();
    options.signal.addEventListener('abort', () => {
      if (this.#holder === tab) return;
      this.release(tab);
      done.reject(options.signal.reason);
    });
    this.#queue.push({ tab, run: () => run().then(done.resolve, done.reject) });
    this.#grant();
    return done.promise.finally(() => this.release(tab));
  }

  #grant(): void {
    if (this.#holder !== undefined) return;
    const next = this.#queue.shift();
    this.#holder = next?.tab;
    void next?.run();
  }
}

/** One tab's end of the channel. */
export class Tab implements TabChannel {
  readonly #browser: Browser;
  readonly #listeners = new Set<(message: TabMessage) => void>();
  #dead = false;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  post(message: TabMessage): void {
    if (!this.#dead) this.#browser.spread(this, message);
  }

  listen(listener: (message: TabMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hear(message: TabMessage): void {
    if (!this.#dead) for (const listener of this.#listeners) listener(message);
  }

  /** Ends the tab like a closed window: none of its further actions is visible. */
  kill(): void {
    this.#dead = true;
    queueMicrotask(() => this.#browser.release(this));
  }

  /** A killed tab's writes never return; the failing write kills it. */
  async orDie<T>(write: Promise<T>): Promise<T> {
    try {
      const result = await write;
      if (!this.#dead) return result;
    } catch (error) {
      if (!(error instanceof JournalError) || error.kind === 'no-space') throw error;
      this.kill();
    }
    return new Promise<T>(() => undefined);
  }
}
