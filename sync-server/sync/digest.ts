import { createHash } from 'node:crypto';

import type { SyncedCollection } from '#shared/sync/wire.ts';
import { type DigestLine, digestDigits } from '#shared/sync/digest.ts';
import type { Services, Viewer } from '#server/http/context.ts';
import { visibleAudiences } from '#server/storage/feed.ts';

import { documentText, lineText } from './feed-line.ts';
import { currentRow } from './feed-reader.ts';
import { withPrerequisites } from './prerequisites.ts';

/** Documents read at a time, so that writers are never held up. */
const batchSize = 500;

/** A line for every record that the viewer may see, in feed order, with the hash of its document. */
export async function* digestLines(
  services: Services,
  viewer: Viewer,
  protocol: number,
): AsyncGenerator<string> {
  const db = services.storage.reader;
  const visible = await visibleAudiences(db, viewer.principals);
  const audiences = visible.size === 0 ? [-1] : [...visible];
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('documents')
      .selectAll()
      .where('audience', 'in', audiences)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(batchSize)
      .execute();
    if (rows.length === 0) return;
    after = rows.at(-1)?.seq ?? after;
    const lines = rows.map(({ collection, id, seq, body, uid }) => ({
      c: collection as SyncedCollection,
      id,
      seq,
      body,
      uid,
    }));
    const shown = await withPrerequisites(db, visible, lines);
    yield shown
      .map((line) => {
        const { c, id, seq } = line;
        const hash = hashOf(documentText(line, protocol) ?? '');
        return `${JSON.stringify({ c, id, seq, hash } satisfies DigestLine)}\n`;
      })
      .join('');
  }
}

/** These records as the viewer may see them now; what they may not see, or what is gone, as removed. */
export async function* recordLines(
  services: Services,
  viewer: Viewer,
  records: { c: SyncedCollection; id: string }[],
  protocol: number,
): AsyncGenerator<string> {
  for (const { c, id } of records)
    yield `${lineText(await currentRow(services.storage.reader, viewer, c, id), protocol)}\n`;
}

function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, digestDigits);
}
