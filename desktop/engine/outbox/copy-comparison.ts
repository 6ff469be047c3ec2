import type { Environment, OutboxCall } from '../platform/ports.ts';
import type { TroubleNotes } from '../sync/troubles.ts';
import { callVersion, copyOf, textOf } from './at-rest.ts';
import type { CallStore } from './stored-calls.ts';

interface ComparisonDeps {
  environment: Pick<Environment, 'setTimer'>;
  stored: CallStore;
  /** Notified when the database cannot be read. */
  reading: TroubleNotes;
  /** Runs alone among all tabs that change the outbox. */
  lock: (run: () => Promise<void>) => Promise<void>;
  /** The call as it is now. */
  get: (id: string) => OutboxCall | undefined;
  /** Writes copies. */
  store: (calls: readonly OutboxCall[]) => Promise<void>;
}

/** Calls that are compared at a time, and the pause in between in ms. */
const comparedAtOnce = 500;
const compareEvery = 200;
/** Pause before another attempt when the database cannot be read, ms. */
const againAfter = 5000;

/** Compares many copies in the database with the journal after the start, a few at a time, and corrects them (OUTBOX-40). */
export class CopyComparison {
  readonly #deps: ComparisonDeps;
  #cancel: (() => void) | null = null;

  constructor(deps: ComparisonDeps) {
    this.#deps = deps;
  }

  /** Compares the copies of `calls` with their `records` in the journal as of the start. */
  start(calls: readonly OutboxCall[], records: ReadonlyMap<string, unknown>): void {
    this.#compareAfter(compareEvery, calls, records);
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #compareAfter(ms: number, calls: readonly OutboxCall[], records: ReadonlyMap<string, unknown>): void {
    const { environment, lock, reading } = this.#deps;
    this.#cancel = environment.setTimer(() => {
      const rest = calls.slice(comparedAtOnce);
      lock(() => this.#compare(calls.slice(0, comparedAtOnce), records)).then(
        () => {
          reading.noteSuccess();
          if (this.#cancel !== null && rest.length > 0) this.#compareAfter(compareEvery, rest, records);
        },
        (error: unknown) => {
          if (this.#cancel === null) return;
          reading.noteTrouble(error);
          this.#compareAfter(againAfter, calls, records);
        },
      );
    }, ms);
  }

  async #compare(calls: readonly OutboxCall[], records: ReadonlyMap<string, unknown>): Promise<void> {
    const { stored, get, store } = this.#deps;
    // Calls that changed since the start were stored then.
    const part = calls.filter((call) => get(call.id) === call);
    const texts = await stored.texts(part.map(({ id }) => id));
    const unlike = part.filter((call) => texts.get(call.id) !== copyIn(records, call));
    if (unlike.length > 0) await store(unlike);
  }
}

/** The text that the database should hold of a call. */
function copyIn(records: ReadonlyMap<string, unknown>, call: OutboxCall): string {
  return copyOf(records.get(call.id)) ?? textOf(call, callVersion);
}
