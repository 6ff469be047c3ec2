import { z } from 'zod';

import type { FeedRow } from '#shared/sync/wire.ts';

import type { Journal } from '#desktop/engine/journal/journal.ts';
import { mirrorKinds } from '#desktop/engine/storage/mirror-kinds.ts';

const mark = z.object({ at: z.number() });

/** Record in the journal's `meta`: files of a home still hold revoked records. */
export function markId(home: string): string {
  return `leaving/${home}`;
}

/** Record in the journal's `meta`: cached media of revoked records may still exist. */
function mediaMarkId(home: string): string {
  return `leaving-media/${home}`;
}

/** Notes that records of a home were revoked, until its files are new (LEAVING-2) and their media are removed (LEAVING-1). */
export class LeavingMark {
  readonly #journal: Journal;
  readonly #home: string;
  #isSet = false;
  /** How often records were revoked. */
  #times = 0;

  constructor(journal: Journal, home: string) {
    this.#journal = journal;
    this.#home = home;
  }

  /** Resolves when the mark is journalled. Must be called before the records are changed. */
  async set(now: number): Promise<void> {
    this.#times += 1;
    if (this.#isSet) return;
    const value = { at: now } satisfies z.infer<typeof mark>;
    const ids = [markId(this.#home), mediaMarkId(this.#home)];
    await this.#journal.append(ids.map((id) => ({ op: 'put', collection: 'meta', id, value })));
    this.#isSet = true;
  }

  /** Runs `drop` if media of revoked records may still exist. It runs again later if it fails, or the app ends before. */
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

/** Record in the journal's `meta`: the homes of before encryption have been marked. */
const encryptedId = 'encrypted';

/** Whether encryption has begun on this device: only the homes that are marked may have something clear (CIPHER-5). */
export function isEncrypted(meta: ReadonlyMap<string, unknown>): boolean {
  return meta.has(encryptedId);
}

/**
 * Marks all homes once after encryption began (CIPHER-4), so that each gets new files when it is opened next; the old ones hold
 * copies of calls and drafts that are not encrypted.
 */
export async function markUnencrypted(
  journal: Journal,
  homes: readonly string[],
  now: number,
): Promise<void> {
  const value = { at: now } satisfies z.infer<typeof mark>;
  const ids = [...homes.map(markId), encryptedId];
  await journal.append(
    ids.map((id) => ({ op: 'put', collection: 'meta', id, value })),
    { canWait: true },
  );
}

/**
 * Whether a row revokes a record, so that the home needs new files. Records that the person removed (with the key of their
 * call) and their own marks do not count; guides and pages always do.
 */
export function takesAway({ c, removed, key }: FeedRow): boolean {
  if (removed !== true || mirrorKinds[c]?.isPersonal === true) return false;
  return key === undefined || c === 'guides' || c === 'wikis';
}
