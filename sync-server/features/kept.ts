import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { newestFeedRow } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db } from '#server/storage/tables.ts';

interface Answers {
  /** Everything that these answers tell of moved at this place of the feed at the latest. */
  seq: number;
  langid: string;
  byKey: Map<string, Promise<unknown>>;
}

/** What `make` makes, kept under `key`. */
type Keep = <T>(ctx: Context, key: string, make: () => Promise<T>) => Promise<T>;

/**
 * Keeps what is made of guides and wikis until one of them changes: other writes, which are most, cost it nothing. A key
 * must name all else that it depends on, the audiences of the reader too. Of more than `most` keys all are forgotten.
 */
export function keeper(most: number): Keep {
  const kept = new WeakMap<Services, Answers>();
  return async <T>(ctx: Context, key: string, make: () => Promise<T>): Promise<T> => {
    const seq = (await newestFeedRow(ctx.db))?.seq ?? 0;
    const { langid } = ctx.services.site;
    let known = kept.get(ctx.services);
    if (
      known === undefined ||
      known.langid !== langid ||
      known.byKey.size >= most ||
      (known.seq !== seq && (await hasMoved(ctx.db, known.seq)))
    ) {
      known = { seq, langid, byKey: new Map() };
      kept.set(ctx.services, known);
    }
    known.seq = seq;
    const before = known.byKey.get(key);
    if (before !== undefined) return before as Promise<T>;
    const { byKey } = known;
    const made = make();
    byKey.set(key, made);
    // A failure is not kept.
    made.catch(() => byKey.delete(key));
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
