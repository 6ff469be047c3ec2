import { BehaviorSubject, type Observable } from 'rxjs';
import { z } from 'zod';

import { sameValue } from '#shared/rules/same-value.ts';

import type { Journal, JournalRecord } from '../journal/journal.ts';
import { ownWord, type OwnWord } from './own-words.ts';

/** What a person wrote in a guide or page that they can no longer see: their words, and nothing else of it. */
export const keptWords = z.object({
  version: z.literal(1),
  /** The call that carried the words, or `draft:{guideid}`. */
  id: z.string(),
  collection: z.enum(['guides', 'wikis']),
  recordid: z.string(),
  /** What names the guide or page for ever; after a restore its number may be another one's. Absent where it is not known. */
  uid: z.string().optional(),
  /** When they were written, ms since 1970. */
  at: z.number(),
  /** The server's history that the device followed then. */
  history: z.string(),
  /** The server had taken them before the guide was lost. */
  isOnServer: z.boolean(),
  /** Set when they are a comment. */
  isComment: z.boolean(),
  words: z.array(ownWord),
});
export type KeptWords = Omit<z.infer<typeof keptWords>, 'words'> & { words: OwnWord[] };

/** Whether kept words are of the guide or page that has their number now. */
export function isAbout({ uid }: Pick<KeptWords, 'uid'>, facts: { uid?: string | undefined }): boolean {
  return uid === undefined || facts.uid === undefined || uid === facts.uid;
}

/** Words that this version of the app cannot read; they stay as they are. */
export interface UnreadableWords {
  id: string;
  value: unknown;
}

/** The words of one person that are kept apart (README, LV4), in the journal's `meta`. */
export class Quarantine {
  readonly #journal: Journal;
  readonly #prefix: string;
  readonly #state = new BehaviorSubject<readonly KeptWords[]>([]);
  readonly #unreadable = new BehaviorSubject<readonly UnreadableWords[]>([]);
  /** Tells other tabs that something changed. */
  readonly #tell: () => void;
  #isRead = false;

  constructor(journal: Journal, home: string, tell: () => void) {
    this.#journal = journal;
    this.#prefix = quarantinePrefix(home);
    this.#tell = tell;
  }

  /** Emits what is kept first, oldest first, then on every change. */
  get kept(): Observable<readonly KeptWords[]> {
    return this.#state;
  }

  /** The same of what cannot be read. */
  get unreadable(): Observable<readonly UnreadableWords[]> {
    return this.#unreadable;
  }

  present(): readonly KeptWords[] {
    return this.#state.value;
  }

  /** Reads what the journal holds now. */
  async read(): Promise<void> {
    const { meta } = await this.#journal.entries();
    const found = [...meta].filter(([id]) => id.startsWith(this.#prefix));
    this.#show(found.flatMap(([, value]) => keptWords.safeParse(value).data ?? []));
    this.#unreadable.next(
      found.flatMap(([id, value]) =>
        keptWords.safeParse(value).success ? [] : [{ id: id.slice(this.#prefix.length), value }],
      ),
    );
    this.#isRead = true;
  }

  /**
   * Resolves with the ids when the words are journalled. Other words under an id that is taken, as a draft's may be, get
   * another id.
   */
  async put(items: readonly KeptWords[]): Promise<string[]> {
    if (items.length === 0) return [];
    // What is not known yet would be written over.
    if (!this.#isRead) await this.read();
    const kept = new Map(this.#state.value.map((item) => [item.id, item]));
    const unreadable = new Set(this.#unreadable.value.map(({ id }) => id));
    const added = items.map((item) => {
      const named = { ...item, id: freeId(item, kept, unreadable) };
      kept.set(named.id, named);
      return named;
    });
    await this.#journal.append(added.map((item) => this.#record(item)));
    this.#show([...kept.values()]);
    this.#tell();
    return added.map(({ id }) => id);
  }

  /** Resolves when the words are journalled in place of those under the same id. */
  async rewrite(item: KeptWords): Promise<void> {
    await this.#journal.append([this.#record(item)]);
    this.#show([...this.#state.value.filter(({ id }) => id !== item.id), item]);
    this.#tell();
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#journal.forget(
      'meta',
      ids.map((id) => this.#prefix + id),
    );
    this.#show(this.#state.value.filter(({ id }) => !ids.includes(id)));
    this.#unreadable.next(this.#unreadable.value.filter(({ id }) => !ids.includes(id)));
    this.#tell();
  }

  close(): void {
    this.#state.complete();
    this.#unreadable.complete();
  }

  #record(item: KeptWords): JournalRecord {
    return { op: 'put', collection: 'meta', id: this.#prefix + item.id, value: item };
  }

  #show(items: readonly KeptWords[]): void {
    this.#state.next(items.toSorted((a, b) => a.at - b.at));
  }
}

function freeId(
  { id, words }: KeptWords,
  kept: ReadonlyMap<string, KeptWords>,
  unreadable: ReadonlySet<string>,
): string {
  const isTaken = (one: string): boolean =>
    unreadable.has(one) || !sameValue(kept.get(one)?.words ?? words, words);
  let free = id;
  for (let count = 1; isTaken(free); count += 1) free = `${id}+${count}`;
  return free;
}

/** Where the journal's `meta` keeps the words of a home. */
export function quarantinePrefix(home: string): string {
  return `kept/${home}/`;
}
