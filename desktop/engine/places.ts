import type { RxStorage } from 'rxdb';

/**
 * Places for databases, each with files of its own: removing a place removes every byte that was in it. A database
 * that is deleted inside a place leaves its bytes there until the browser compacts them, at a time nobody can choose.
 */
export interface Places {
  /** The storage of a place; an empty one is made where there is none. */
  open(place: string): Promise<RxStorage<unknown, unknown>>;
  /** Removes a place with everything in it; no error when there is none. */
  remove(place: string): Promise<void>;
  list(): Promise<string[]>;
  /** Whether the platform's common storage, which cannot be removed, holds a database. */
  holdsCommon(database: string): Promise<boolean>;
  /** Rewrites the common storage, so that what was deleted in it leaves its files. */
  scrubCommon(): Promise<void>;
}
