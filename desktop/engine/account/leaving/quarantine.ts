import { map, type Observable } from 'rxjs';
import { z } from 'zod';

import { sameValue } from '#shared/rules/same-value.ts';

import type { JournaledRecords, RecordKind } from '#desktop/engine/outbox/journaled-records.ts';
import { ownWord, type OwnWord } from '#desktop/engine/outbox/own-words.ts';

/** A person's own words from a guide or page that they can no longer see, without anything else of it. */
export const keptWords = z.object({
  version: z.literal(1),
  /** Id of the call with the words, or `draft:{guideid}`. */
  id: z.string(),
  collection: z.enum(['guides', 'wikis']),
  recordid: z.string(),
  /** The `uid` of the guide or page, since its number may belong to another one after a restore. Absent if unknown. */
  uid: z.string().optional(),
  /** When they were written, ms since 1970. */
  at: z.number(),
  /** The server's history that the device followed then. */
  history: z.string(),
  /** The server has them. */
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

/** Whether a person must act: not while the server has the words. */
export function needsPerson({ isOnServer }: KeptWords): boolean {
  return !isOnServer;
}

/** Id of the record whose words are kept: `guides/61`, or `guides/61/{uid}` if the uid is known. */
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

/** Id of unreadable words in lists. */
export function unreadableIdOf({ id }: UnreadableWords): string {
  return `unreadable/${id}`;
}

/** The kept words of one person (LEAVING-4). */
export class Quarantine {
  readonly #records: JournaledRecords;
  /** Oldest first; emits the present ones first, then on every change. */
  readonly kept: Observable<readonly KeptWords[]>;
  /** Words that cannot be read; emits the present ones first. */
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
   * Resolves to the ids when the words are journalled. If an id is taken by other words, as a draft's may be, a free one is
   * used.
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

  /** Replaces the words with the same id; resolves when they are journalled. */
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

/** Idempotency-Key of the call with the words. */
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

/** Prefix of the kept words of a home in the journal's `meta`. */
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
