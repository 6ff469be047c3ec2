import { BehaviorSubject, type Observable } from 'rxjs';

import type { Interference } from '../api/sync-records.ts';

/** Foreign answers by path. Each stays until the server itself answers at that path, or the request is no longer needed. */
export class Interferences {
  readonly #byPath = new Map<string, Interference>();
  readonly #latest = new BehaviorSubject<Interference | null>(null);

  /** The latest of those that remain; null: there are none. Emits the present value first. */
  get latest(): Observable<Interference | null> {
    return this.#latest;
  }

  note(path: string, interference: Interference): void {
    this.#byPath.set(path, interference);
    this.#latest.next(interference);
  }

  /** Removes the foreign answers of paths for which `isOver` holds. */
  forget(isOver: (path: string) => boolean): void {
    const before = this.#byPath.size;
    for (const path of this.#byPath.keys()) if (isOver(path)) this.#byPath.delete(path);
    if (this.#byPath.size === before) return;
    this.#latest.next([...this.#byPath.values()].at(-1) ?? null);
  }
}
