import { BehaviorSubject, type Observable } from 'rxjs';

import { troubleOf, type Trouble } from './trouble.ts';

/** Kinds of work of the engine that can fail. */
type Work =
  | 'meeting'
  | 'pulling'
  | 'sending'
  | 'calls'
  | 'reading calls'
  | 'drafts'
  | 'reading drafts'
  | 'kept'
  | 'reading kept'
  | 'start';

/** Callbacks by which one kind of work reports failure and success. */
export interface TroubleNotes {
  noteTrouble: (error: unknown) => void;
  /** The work succeeded: its trouble is over. */
  noteSuccess: () => void;
}

/** The present troubles. Each remains until the same work succeeds (OUTBOX-27). */
export class Troubles {
  readonly #latest = new BehaviorSubject<Trouble | null>(null);
  readonly #present = new Map<Work, Trouble>();

  /** The latest trouble; null: there is none. Emits the present one first. */
  get latest(): Observable<Trouble | null> {
    return this.#latest;
  }

  of(work: Work): TroubleNotes {
    return {
      noteTrouble: (error) => {
        this.#present.delete(work);
        this.#present.set(work, troubleOf(error));
        this.#tell();
      },
      noteSuccess: () => {
        if (this.#present.delete(work)) this.#tell();
      },
    };
  }

  /** Clears all troubles, because everything is tried again now. */
  forget(): void {
    this.#present.clear();
    this.#tell();
  }

  #tell(): void {
    this.#latest.next([...this.#present.values()].at(-1) ?? null);
  }
}
