import { LRUCache } from 'lru-cache';

import type { Context } from '#server/core/context.ts';
import { newestFeedRow } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db } from '#server/storage/tables.ts';

/** What `make` makes, kept under `key`. */
export type Memoize = <T>(ctx: Context, key: string, make: () => Promise<T>) => Promise<T>;

/**
 * Keeps what is made of guides and wikis until one of them changes: other writes, which are most, cost it nothing. A key
 * must name all else that it depends on, the audiences of the reader too.
 *
 * Invalidation: each call asks whether the feed has a newer guide or wiki, or the site another language; then all is
 * forgotten. Beyond `most` keys, the one that was not used for longest goes.
 */
export function memoizeUntilChanged(most: number): Memoize {
  const byKey = new LRUCache<string, Promise<unknown>>({ max: most });
  /** Nothing that is kept tells of anything that moved in the feed after `seq`. */
  let last = { seq: 0, langid: '' };
  return async <T>(ctx: Context, key: string, make: () => Promise<T>): Promise<T> => {
    const seq = (await newestFeedRow(ctx.db))?.seq ?? 0;
    const { langid } = ctx.services.site;
    if (last.langid !== langid || (last.seq !== seq && (await hasMoved(ctx.db, last.seq)))) byKey.clear();
    last = { seq, langid };
    const known = byKey.get(key);
    if (known !== undefined) return known as Promise<T>;
    const made = make();
    byKey.set(key, made);
    // A failure is not kept.
    made.catch(() => {
      if (byKey.peek(key) === made) byKey.delete(key);
    });
    return made;
  };
}

/** Whether a guide or wiki changed after this place of the feed; costs what changed since. */
async function hasMoved(db: Db, seq: number): Promise<boolean> {
  return (await movedAfter(db, { seq })).length > 0;
}

const movedAfter = prepared<{ seq: number }, { seq: number }>((db, value) =>
  db
    .selectFrom('feed')
    .select('seq')
    .where('seq', '>', value('seq'))
    .where('collection', 'in', ['guides', 'wikis'])
    .limit(1),
);
