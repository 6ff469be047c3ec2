import type { Db } from '../tables.ts';
import type { DataReader, DataWriter } from './data.ts';
import type { Move, Seal } from './marks.ts';

/** A database that nobody else writes to, in a transaction. */
export interface HeldSite extends DataReader {
  db: Db;
  /** The private key of the server (PEM); null: there is none yet. */
  serverKey(): Promise<string | null>;
}

/** A database that is being filled, in a transaction. */
export interface FilledSite extends DataWriter {
  db: Db;
  setServerKey(pem: string): Promise<void>;
  /** Checks references, and makes indexes and triggers work again. */
  finish(): Promise<void>;
}

/** A database of a site, which moves may leave or fill. */
export interface SiteDatabase {
  /** Data folder, or address without password. */
  label: string;
  /** Where the site went; null if it is here. */
  seal(): Promise<Seal | null>;
  /** Runs work while nobody else writes, in a transaction. Refused while somebody works on it. */
  hold<T>(work: (held: HeldSite) => Promise<T>): Promise<T>;
}

/** A database that may be filled. */
export interface FillableDatabase extends SiteDatabase {
  /** The move that has filled it and was interrupted then; null if there is none. */
  arriving(): Promise<Move | null>;
  /**
   * Runs work that fills it, in one transaction. Afterwards it is complete, but nothing opens it before `settle`.
   * @throws BadSetting if there is a site in it
   */
  fill<T>(move: Move, work: (filled: FilledSite) => Promise<T>): Promise<T>;
  /** Lets it be opened. Returns a sentence about what was put aside; null if nothing was. */
  settle(): Promise<string | null>;
}
