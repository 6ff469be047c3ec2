import type { FeedTail, SyncedCollection } from '#shared/sync/wire.ts';
import type { Services, Viewer } from '#server/http/context.ts';
import { visibleAudiences } from '#server/storage/feed.ts';

import { lineText } from './feed-line.ts';
import { newestPlace, placeText, type Place } from './feed-reader.ts';
import { withPrerequisites } from './prerequisites.ts';
import { headOf } from './spoken.ts';

/** Documents read at a time; each read is short, so that writers are never held up. */
const batchSize = 500;

interface Bootstrap {
  collections: string[] | null;
  protocol: number;
  /** Where the load began, when a part of it was told before; null at its beginning. */
  since: Place | null;
  /** The seq up to which it was told. */
  after: number;
}

/**
 * Every record the viewer may see, as NDJSON lines, in feed order, then the checkpoint from which pulling goes on.
 * The checkpoint is read before the first record, and stays the same for a load that goes on after a cut: what moves
 * meanwhile is told again by the first pull.
 */
export async function* bootstrapLines(
  services: Services,
  viewer: Viewer,
  { collections, protocol, since, after: from }: Bootstrap,
): AsyncGenerator<string> {
  const db = services.storage.reader;
  const place = since ?? (await newestPlace(db));
  const visible = await visibleAudiences(db, viewer.principals);
  const audiences = [...visible];
  const inScope = db
    .selectFrom('documents')
    .where('audience', 'in', audiences.length === 0 ? [-1] : audiences)
    .where('seq', '>', from)
    .$if(collections !== null, (query) => query.where('collection', 'in', collections ?? []));
  const { total } = await inScope
    .select((column) => column.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const head = await headOf(services, protocol, {
    total,
    additions: { checkpoint: placeText(place), after: from },
  });
  yield `${JSON.stringify(head)}\n`;
  for (let after = from; ;) {
    const rows = await inScope.selectAll().where('seq', '>', after).orderBy('seq').limit(batchSize).execute();
    if (rows.length === 0) break;
    after = rows.at(-1)?.seq ?? after;
    const lines = rows.map(({ collection, id, seq, body, uid }) => ({
      c: collection as SyncedCollection,
      id,
      seq,
      body,
      uid,
    }));
    const shown = await withPrerequisites(db, visible, lines);
    yield shown.map((line) => `${lineText(line, protocol)}\n`).join('');
  }
  const tail: FeedTail = { checkpoint: placeText(place), more: false };
  yield `${JSON.stringify(tail)}\n`;
}
