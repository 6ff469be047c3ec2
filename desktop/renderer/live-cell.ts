import type { Live } from '#desktop/engine/engine.ts';

/** How long a subscription without readers is kept, so that going back is fast, ms. */
const keptMs = 5000;

type State<T> = { status: 'waiting' } | { status: 'ready'; value: T } | { status: 'failed'; error: Error };

/**
 * A subscription that is shared by all components that read the same view with the same arguments. It ends 5 s after its
 * last reader, or without a reader 5 s after its first value or the last render that read it.
 */
export class LiveCell<T> {
  readonly first: Promise<void>;
  state: State<T> = { status: 'waiting' };
  #end: (() => void) | null = null;
  #readers = new Set<() => void>();
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #forget: () => void;

  /** `forget` is called when the subscription has ended. */
  constructor(live: Live<T>, forget: () => void) {
    this.#forget = forget;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.first = promise;
    const become = (state: State<T>) => {
      const isFirst = this.state.status === 'waiting';
      this.state = state;
      for (const reader of this.#readers) reader();
      if (isFirst) {
        resolve();
        if (this.#readers.size === 0) this.#startIdling();
      }
    };
    this.#end = live.subscribe(
      (value) => become({ status: 'ready', value }),
      (error) => become({ status: 'failed', error }),
    );
  }

  readonly subscribe = (reader: () => void): (() => void) => {
    clearTimeout(this.#idleTimer);
    this.#readers.add(reader);
    return () => {
      this.#readers.delete(reader);
      if (this.#readers.size === 0) this.#startIdling();
    };
  };

  readonly read = (): State<T> => this.state;

  /**
   * To be called by a render. Where a screen needs several views, the first ones wait unread for the last one, which on a
   * slow device takes longer than 5 s.
   */
  keep(): void {
    if (this.#readers.size === 0 && this.state.status !== 'waiting') this.#startIdling();
  }

  close(): void {
    clearTimeout(this.#idleTimer);
    // A component that was rendered before and subscribes now renders again, with a new cell.
    this.state = { status: 'waiting' };
    this.#end?.();
    this.#forget();
  }

  #startIdling(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.close(), keptMs);
  }
}
