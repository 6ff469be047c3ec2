import { LRUCache } from 'lru-cache';

import type { Context } from '#server/core/context.ts';
import { newestFeedRow } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db } from '#server/storage/tables.ts';

/** Returns the cached result of `make` for `key`. */
export type Memoize = <T>(ctx: Context, key: string, make: () => Promise<T>) => Promise<T>;

/**
 * Caches results that depend on guides and wikis until one of them changes. Other writes, which are most, do not
 * invalidate it. The key must contain everything else that a result depends on, including the audiences of the reader.
 *
 * Invalidation: each call checks whether the feed has a newer guide or wiki, or the site has another language, and then
 * clears the cache. Beyond `most` keys, the least recently used one is removed.
 */
export function memoizeUntilChanged(most: number): Memoize {
  const byKey = new LRUCache<string, Promise<unknown>>({ max: most });
  /** The state of the last check: no cached result depends on changes after `seq`. */
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
    // Failures are not cached.
    made.catch(() => {
      if (byKey.peek(key) === made) byKey.delete(key);
    });
    return made;
  };
}

/** Whether a guide or wiki changed after this seq; reads only later rows of the feed. */
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
