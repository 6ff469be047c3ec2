import { BehaviorSubject, type Observable } from 'rxjs';
import type { RxCollection } from 'rxdb';

import type { DraftStore } from './core.ts';
import { type DraftRow, isOwn } from './database.ts';
import type { Journal } from './journal/journal.ts';

/** Drafts of one person: the journal holds them, the database only tells other tabs that they changed. */
export class JournaledDrafts implements DraftStore {
  readonly #journal: Journal;
  readonly #rows: RxCollection<DraftRow>;
  readonly #prefix: string;
  readonly #noteTrouble: (error: unknown) => void;
  readonly #ids: BehaviorSubject<readonly string[]>;
  readonly #known = new Map<string, unknown>();
  readonly #stopWatching: () => void;
  #reading: Promise<void> | null = null;
  #isStale = false;

  private constructor(
    journal: Journal,
    rows: RxCollection<DraftRow>,
    home: string,
    noteTrouble: (error: unknown) => void,
  ) {
    this.#journal = journal;
    this.#rows = rows;
    this.#prefix = `${home}/`;
    this.#noteTrouble = noteTrouble;
    this.#ids = new BehaviorSubject<readonly string[]>([]);
    const watching = rows.eventBulks$.subscribe(({ events }) => {
      if (events.some(({ documentData }) => !isOwn(rows, documentData)))
        void this.reread().catch(noteTrouble);
    });
    this.#stopWatching = () => watching.unsubscribe();
  }

  static async open(
    journal: Journal,
    rows: RxCollection<DraftRow>,
    home: string,
    noteTrouble: (error: unknown) => void,
  ): Promise<JournaledDrafts> {
    const drafts = new JournaledDrafts(journal, rows, home, noteTrouble);
    await drafts.reread();
    return drafts;
  }

  get ids(): Observable<readonly string[]> {
    return this.#ids;
  }

  async get(id: string): Promise<unknown> {
    return this.#known.get(id);
  }

  async put(id: string, value: unknown): Promise<void> {
    await this.#journal.append([{ op: 'put', collection: 'drafts', id: this.#prefix + id, value }]);
    this.#known.set(id, value);
    const row = await this.#rows.findOne(id).exec();
    await this.#rows.bulkUpsert([{ id, version: (row?.version ?? 0) + 1 }]).catch(this.#noteTrouble);
    this.#show();
  }

  async remove(id: string): Promise<void> {
    await this.#journal.forget('drafts', [this.#prefix + id]);
    this.#known.delete(id);
    await this.#rows.findOne(id).incrementalRemove().catch(this.#noteTrouble);
    this.#show();
  }

  close(): void {
    this.#stopWatching();
    this.#ids.complete();
  }

  /** Reads what the journal holds now. While it reads, any number of wishes are one more reading. */
  async reread(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale().finally(() => (this.#reading = null));
    await this.#reading;
  }

  async #readWhileStale(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#read();
    }
  }

  async #read(): Promise<void> {
    const { drafts } = await this.#journal.entries();
    this.#known.clear();
    for (const [id, value] of drafts)
      if (id.startsWith(this.#prefix)) this.#known.set(id.slice(this.#prefix.length), value);
    this.#show();
  }

  #show(): void {
    this.#ids.next([...this.#known.keys()]);
  }
}
