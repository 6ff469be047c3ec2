import { defer, distinctUntilChanged, map, type Observable, startWith, Subject } from 'rxjs';

import type { Environment } from '../platform/ports.ts';

/** The two lists that views observe: waiting calls, and calls that the server has. */
type List = 'calls' | 'sent';

/** Up to this many calls, every change is emitted immediately (OUTBOX-40). */
const immediateUpTo = 1000;

/**
 * Notifies views of changes of the outbox. Each notice makes them look at all calls. So while there are many calls,
 * notices take at most a fifth of the time.
 */
export class ChangeNotices {
  readonly #environment: Pick<Environment, 'monotonic' | 'setTimer'>;
  readonly #countCalls: () => number;
  readonly #changes = { sent: new Subject<void>(), calls: new Subject<void>() };
  /** Monotonic ms before which nothing is emitted. */
  #quietUntil = 0;
  #cancel: (() => void) | null = null;

  constructor(environment: Pick<Environment, 'monotonic' | 'setTimer'>, countCalls: () => number) {
    this.#environment = environment;
    this.#countCalls = countCalls;
  }

  /** Emits the present value of a list, and its next values. */
  of<T>(list: List, read: () => T): Observable<T> {
    return defer(() => this.#changes[list].pipe(startWith(undefined), map(read), distinctUntilChanged()));
  }

  /** Both lists may have changed. */
  tell(): void {
    const began = this.#environment.monotonic();
    if (this.#countCalls() > immediateUpTo && began < this.#quietUntil) {
      this.#cancel ??= this.#environment.setTimer(() => {
        this.#cancel = null;
        this.tell();
      }, this.#quietUntil - began);
      return;
    }
    this.#cancel?.();
    this.#cancel = null;
    // A call that becomes a sent one appears there before it disappears here.
    this.#changes.sent.next();
    this.#changes.calls.next();
    const ended = this.#environment.monotonic();
    this.#quietUntil = ended + 4 * (ended - began);
  }

  /** Only the list of sent calls changed. */
  tellSent(): void {
    this.#changes.sent.next();
  }

  close(): void {
    this.#cancel?.();
    this.#changes.sent.complete();
    this.#changes.calls.complete();
  }
}
