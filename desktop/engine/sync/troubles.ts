import { BehaviorSubject, type Observable } from 'rxjs';

import { troubleOf, type Trouble } from './trouble.ts';

/** Work of the engine that can meet a trouble. */
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

/** Where one kind of work tells what goes wrong with it. */
export interface TroubleNotes {
  noteTrouble: (error: unknown) => void;
  /** The work succeeds: whatever was wrong with it is over. */
  noteSuccess: () => void;
}

/** What goes wrong now: each trouble stands until the work that met it succeeds. */
export class Troubles {
  readonly #latest = new BehaviorSubject<Trouble | null>(null);
  readonly #present = new Map<Work, Trouble>();

  /** Null: nothing is wrong. Emits the present trouble first. */
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

  /** Everything is tried again now. */
  forget(): void {
    this.#present.clear();
    this.#tell();
  }

  #tell(): void {
    this.#latest.next([...this.#present.values()].at(-1) ?? null);
  }
}
