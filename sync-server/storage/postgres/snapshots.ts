import { sql } from 'kysely';

import type { Db } from '../tables.ts';

/**
 * Numbers the states of the database that a node has seen.
 *
 * - POSTGRES-3 After `refresh`, the number covers every commit that was finished when it was called: it is another one
 *   than before if a transaction was committed meanwhile, by any node. Callers at the same time share a question, which
 *   is asked after all of them arrived.
 */
export class Snapshots {
  readonly #db: Db;
  #version = 1;
  #snapshot = '';
  /** The version of the row with the settings of the site. */
  #settings: string | null | undefined;
  #load: (() => Promise<void>) | undefined;
  #loading: Promise<void> = Promise.resolve();
  /** The question that has not been sent yet, which further callers share. */
  #next: Promise<void> | null = null;

  /** `db`: the reader. */
  constructor(db: Db) {
    this.#db = db;
  }

  /** The number of the newest state seen. */
  get version(): number {
    return this.#version;
  }

  /** Something was committed. */
  moved(): void {
    this.#version += 1;
  }

  /**
   * Makes `refresh` wait for `load` if the settings of the site changed since the last one.
   *
   * - POSTGRES-12 A setting that was changed on one node applies to the next request at every node.
   */
  followSettings(load: () => Promise<void>): void {
    this.#load = load;
  }

  refresh(): Promise<void> {
    this.#next ??= this.#ask();
    return this.#next;
  }

  async #ask(): Promise<void> {
    // Callers of this turn of the event loop share the question.
    await Promise.resolve();
    this.#next = null;
    const { rows } = await sql<{ snapshot: string; settings: string | null }>`
      SELECT pg_current_snapshot()::text AS snapshot, (SELECT xmin::text FROM meta WHERE name = 'site') AS settings`.execute(
      this.#db,
    );
    const { snapshot = '', settings = null } = rows[0] ?? {};
    if (snapshot !== this.#snapshot) {
      this.#snapshot = snapshot;
      this.#version += 1;
    }
    if (settings !== this.#settings) await this.#loadSettings(settings);
  }

  /** One after the other, so that older settings never replace newer ones. */
  async #loadSettings(settings: string | null): Promise<void> {
    const load = this.#load;
    if (load === undefined) return;
    const loaded = this.#loading.then(load);
    this.#loading = loaded.catch(() => undefined);
    await loaded;
    this.#settings = settings;
  }
}
