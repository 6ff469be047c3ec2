import BetterSqlite3 from 'better-sqlite3';

/** What a statement that reads documents looks like (`sync-server/storage/documents.ts`). */
const reading = 'select "id", "body" from "documents"';

type Prepare = (this: BetterSqlite3.Database, text: string) => BetterSqlite3.Statement;

/** Notes which documents are read from SQLite databases that are opened from now on. */
export class DocumentReads implements Disposable {
  readonly #prepare = Reflect.get(BetterSqlite3.prototype, 'prepare') as Prepare;
  #read: string[] = [];

  constructor() {
    const [prepare, note] = [this.#prepare, (values: unknown) => this.#note(values)];
    const watched: Prepare = function (text) {
      const statement = prepare.call(this, text);
      if (!text.startsWith(reading)) return statement;
      const all = statement.all.bind(statement);
      statement.all = (values: unknown) => {
        note(values);
        return all(values);
      };
      return statement;
    };
    Reflect.set(BetterSqlite3.prototype, 'prepare', watched);
  }

  /** The documents that were read since the last call, as `collection/id`, in their order. */
  take(): string[] {
    const read = this.#read;
    this.#read = [];
    return read;
  }

  [Symbol.dispose](): void {
    Reflect.set(BetterSqlite3.prototype, 'prepare', this.#prepare);
  }

  #note(values: unknown): void {
    const [collection, ...ids] = values as [string, ...string[]];
    // A list repeats its last element (`preparedList`).
    for (const id of new Set(ids)) this.#read.push(`${collection}/${id}`);
  }
}
