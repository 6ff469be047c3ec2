import { map, type Observable } from 'rxjs';
import { z } from 'zod';

import { sameValue } from '#shared/rules/same-value.ts';

import type { JournaledRecords, RecordKind } from '#desktop/engine/outbox/journaled-records.ts';
import { ownWord, type OwnWord } from '#desktop/engine/outbox/own-words.ts';

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

/** What the server has needs nobody while it is there. */
export function needsPerson({ isOnServer }: KeptWords): boolean {
  return !isOnServer;
}

/** Names the record whose words are kept: `guides/61`, with what names it for ever where that is known. */
export function keptIdOf({
  collection,
  recordid,
  uid,
}: Pick<KeptWords, 'collection' | 'recordid' | 'uid'>): string {
  return `${collection}/${recordid}${uid === undefined ? '' : `/${uid}`}`;
}

/** Words that this version of the app cannot read; they stay as they are. */
export interface UnreadableWords {
  id: string;
  value: unknown;
}

/** Names words that cannot be read. */
export function unreadableIdOf({ id }: UnreadableWords): string {
  return `unreadable/${id}`;
}

/** The words of one person that are kept apart (README, LEAVING-4). */
export class Quarantine {
  readonly #records: JournaledRecords;
  /** Emits what is kept first, oldest first, then on every change. */
  readonly kept: Observable<readonly KeptWords[]>;
  /** The same of what cannot be read. */
  readonly unreadable: Observable<readonly UnreadableWords[]>;

  constructor(records: JournaledRecords) {
    this.#records = records;
    this.kept = records.ids.pipe(map(() => this.present()));
    this.unreadable = records.ids.pipe(map(() => this.#unreadable()));
  }

  present(): readonly KeptWords[] {
    const read = [...this.#records.present().values()].flatMap(
      (value) => keptWords.safeParse(value).data ?? [],
    );
    return read.toSorted((a, b) => a.at - b.at);
  }

  /**
   * Resolves with the ids when the words are journalled. Other words under an id that is taken, as a draft's may be, get
   * another id.
   */
  async put(items: readonly KeptWords[]): Promise<string[]> {
    const kept = new Map(this.present().map((item) => [item.id, item]));
    const unreadable = new Set(this.#unreadable().map(({ id }) => id));
    const added = items.map((item) => {
      const named = { ...item, id: freeId(item, kept, unreadable) };
      kept.set(named.id, named);
      return named;
    });
    await this.#records.putAll(added.map((item) => [item.id, item]));
    return added.map(({ id }) => id);
  }

  /** Resolves when the words are journalled in place of those under the same id. */
  rewrite(item: KeptWords): Promise<void> {
    return this.#records.put(item.id, item);
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#records.removeAll(ids);
  }

  #unreadable(): UnreadableWords[] {
    return [...this.#records.present()].flatMap(([id, value]) =>
      keptWords.safeParse(value).success ? [] : [{ id, value }],
    );
  }
}

/** Idempotency-Key of the call that carried the words. */
export function keyOf({ id }: Pick<KeptWords, 'id'>): string {
  return id.replace(/\+\d+$/, '');
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

const timed = z.looseObject({ at: z.number() });

/** Kept words in the journal, and their copies in the database. */
export const wordRecords: RecordKind = {
  name: 'kept',
  collection: 'meta',
  prefix: quarantinePrefix,
  orderOf: (value) => timed.safeParse(value).data?.at ?? 0,
};
