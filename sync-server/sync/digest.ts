import { createHash } from 'node:crypto';

import { digestDigits, type DigestLine, type SyncedCollection } from '#shared/sync/wire.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { visibleAudiences } from '#server/storage/feed.ts';

import { collectionsFor, documentText, lineText } from './feed-line.ts';
import { currentRow } from './feed-reader.ts';
import { seqsIn, visibleDocuments } from './visible-documents.ts';

/** Yields a line for every record that the viewer may see, in feed order, with the hash of its document. */
export async function* digestLines(
  services: Services,
  viewer: Viewer,
  protocol: number,
): AsyncGenerator<string> {
  const db = services.storage.reader;
  const visible = await visibleAudiences(db, viewer.principals);
  const known = collectionsFor(protocol, null);
  const collections = known === null ? null : [...known];
  const seqs = await seqsIn(db, { visible, after: 0, collections });
  for await (const lines of visibleDocuments(db, visible, seqs))
    yield lines
      .map((line) => {
        const { c, id, seq } = line;
        const hash = hashOf(documentText(line, protocol) ?? '');
        return `${JSON.stringify({ c, id, seq, hash } satisfies DigestLine)}\n`;
      })
      .join('');
}

/**
 * Yields the current rows of these records. Records that are deleted or hidden from the viewer are reported as
 * removed.
 */
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
