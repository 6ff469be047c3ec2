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
  /** Names of the databases in the platform's common storage, which cannot be removed, that begin with `prefix`. */
  listCommon(prefix: string): Promise<string[]>;
  /** Removes one of them, however much of it an earlier attempt has left. */
  removeCommon(database: string): Promise<void>;
  /** Rewrites the common storage, so that what was deleted in it leaves its files. */
  scrubCommon(): Promise<void>;
}
