import type { Journal } from '../journal/journal.ts';
import type { Environment, OutboxCall } from '../platform/ports.ts';
import type { TroubleNotes } from '../sync/troubles.ts';
import { callsIn } from './call-records.ts';
import { isOfAccount } from './calls.ts';

interface OtherTabsDeps {
  environment: Pick<Environment, 'setTimer'>;
  journal: Journal;
  home: string;
  userid: number;
  /** Notified when the journal cannot be read. */
  reading: TroubleNotes;
  /** Runs alone among all tabs that change the outbox. */
  lock: (run: () => Promise<void>) => Promise<void>;
  /** Ids of the calls that this tab knows. */
  ids: () => string[];
  /** Applies what other tabs changed. */
  takeOver: (change: JournalledChange) => void;
}

/** Changes of the journal since this tab read it last. */
export interface JournalledChange {
  /** Calls of the person that were stored. */
  put: OutboxCall[];
  /** Ids of calls that were dropped. */
  gone: readonly string[];
  /** Ids of all calls that were stored or dropped, of whichever person. */
  changed: ReadonlySet<string>;
}

/** Pause before the journal is read again after a failure, ms. */
const againAfter = 5000;

/** Reads from the journal what other tabs changed in the outbox. */
export class OtherTabs {
  readonly #deps: OtherTabsDeps;
  /** The append up to which this tab knows the journal. */
  #seq: number;
  #isStale = false;
  #isClosed = false;
  #cancelReading: (() => void) | null = null;

  constructor(deps: OtherTabsDeps, seq: number) {
    this.#deps = deps;
    this.#seq = seq;
  }

  /** Another tab wrote: reads the journal. A failure is noted, and the journal is read again after a while. */
  follow(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    const { environment, lock, reading } = this.#deps;
    const read = async (): Promise<void> => {
      this.#isStale = false;
      await this.catchUp();
    };
    lock(read).then(reading.noteSuccess, (error: unknown) => {
      this.#isStale = false;
      if (this.#isClosed) return;
      reading.noteTrouble(error);
      this.#cancelReading ??= environment.setTimer(() => {
        this.#cancelReading = null;
        this.follow();
      }, againAfter);
    });
  }

  /** Takes over what was journalled since the last time. Must run under the lock. */
  async catchUp(): Promise<void> {
    const { userid, journal, ids, takeOver } = this.#deps;
    const { seq, isWhole, values, deleted } = await journal.changes('outbox', this.#seq);
    this.#seq = seq;
    if (values.size === 0 && deleted.length === 0 && !isWhole) return;
    const put = callsIn(values, this.#deps).filter((call) => isOfAccount(call, userid));
    const gone = isWhole ? ids().filter((id) => !values.has(id)) : deleted;
    takeOver({ put, gone, changed: new Set([...values.keys(), ...gone]) });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelReading?.();
  }
}
