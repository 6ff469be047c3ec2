import { z } from 'zod';

import type { FeedRow } from '#shared/sync/wire.ts';

import type { Journal } from '#desktop/engine/journal/journal.ts';
import { mirrorKinds } from '#desktop/engine/storage/mirror-kinds.ts';

const mark = z.object({ at: z.number() });

/** Where the journal's `meta` keeps that files of a home still hold what left it. */
export function markId(home: string): string {
  return `leaving/${home}`;
}

/** Where it keeps that cached media of what left may still be here. */
function mediaMarkId(home: string): string {
  return `leaving-media/${home}`;
}

/** Remembers that something left a home: until its files are fresh (README, LEAVING-2), and until its media are gone (LEAVING-1). */
export class LeavingMark {
  readonly #journal: Journal;
  readonly #home: string;
  #isSet = false;
  /** How often something left. */
  #times = 0;

  constructor(journal: Journal, home: string) {
    this.#journal = journal;
    this.#home = home;
  }

  /** Resolves when the mark is journalled; it is, before the records themselves are touched. */
  async set(now: number): Promise<void> {
    this.#times += 1;
    if (this.#isSet) return;
    const value = { at: now } satisfies z.infer<typeof mark>;
    const ids = [markId(this.#home), mediaMarkId(this.#home)];
    await this.#journal.append(ids.map((id) => ({ op: 'put', collection: 'meta', id, value })));
    this.#isSet = true;
  }

  /** Runs `drop` if media of what left may still be here. They are looked for again if it fails, or the app ends before. */
  async dropMedia(drop: () => Promise<void>): Promise<void> {
    const { values } = await this.#journal.changes('meta', 0);
    const id = mediaMarkId(this.#home);
    if (!values.has(id)) return;
    const times = this.#times;
    await drop();
    if (times !== this.#times) return;
    this.#isSet = false;
    await this.#journal.forget('meta', [id]);
  }
}

/**
 * Whether a row takes something away that a person may no longer see. What they removed themselves (their calls bear a
 * key), and marks of their own, need no fresh files; a guide or page that is gone always does.
 */
export function takesAway({ c, removed, key }: FeedRow): boolean {
  if (removed !== true || mirrorKinds[c].isPersonal === true) return false;
  return key === undefined || c === 'guides' || c === 'wikis';
}
