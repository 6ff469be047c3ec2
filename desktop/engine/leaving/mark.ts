import { z } from 'zod';

import type { FeedRow } from '#shared/sync/wire.ts';

import type { Journal, JournalRecord } from '../journal/journal.ts';

const mark = z.object({ at: z.number() });

/** Where the journal's `meta` keeps that files of a home still hold what left it. */
export function markId(home: string): string {
  return `leaving/${home}`;
}

/** Remembers that something left a home, until its files are fresh (README, LV2). */
export class LeavingMark {
  readonly #journal: Journal;
  readonly #home: string;
  #isSet = false;

  constructor(journal: Journal, home: string) {
    this.#journal = journal;
    this.#home = home;
  }

  /** Resolves when the mark is journalled; it is, before the records themselves are touched. */
  async set(now: number): Promise<void> {
    if (this.#isSet) return;
    await this.#journal.append([this.record(now)]);
    this.#isSet = true;
  }

  record(now: number): JournalRecord {
    return {
      op: 'put',
      collection: 'meta',
      id: markId(this.#home),
      value: { at: now } satisfies z.infer<typeof mark>,
    };
  }
}

/**
 * Whether a row takes something away that a person may no longer see. What they removed themselves (their calls bear a
 * key), and marks of their own, need no fresh files; a guide or page that is gone always does.
 */
export function takesAway({ c, removed, key }: FeedRow): boolean {
  if (removed !== true || c === 'viewer') return false;
  return key === undefined || c === 'guides' || c === 'wikis';
}
