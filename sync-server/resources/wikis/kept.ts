import type { Context, Services } from '#server/http/context.ts';
import { newestPlace } from '#server/sync/feed-reader.ts';

/** Languages and switches together are few; whoever invents more only makes the server forget. */
const mostAnswers = 50;

interface Answers {
  /** Everything that these answers tell of moved at this place of the feed at the latest. */
  seq: number;
  langid: string;
  byKey: Map<string, Promise<unknown>>;
}

const answers = new WeakMap<Services, Answers>();

/** What `make` makes, kept under `key` until anything is written. Only for what every reader sees alike. */
export async function kept<T>(ctx: Context, key: string, make: () => Promise<T>): Promise<T> {
  const { seq } = await newestPlace(ctx.db);
  const { langid } = ctx.services.site;
  let known = answers.get(ctx.services);
  if (
    known === undefined ||
    known.seq !== seq ||
    known.langid !== langid ||
    known.byKey.size >= mostAnswers
  ) {
    known = { seq, langid, byKey: new Map() };
    answers.set(ctx.services, known);
  }
  const before = known.byKey.get(key);
  if (before !== undefined) return before as Promise<T>;
  const made = make();
  known.byKey.set(key, made);
  // A failure is not kept.
  made.catch(() => known.byKey.delete(key));
  return made;
}
