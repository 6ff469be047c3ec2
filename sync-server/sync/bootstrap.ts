import type { FastifyRequest } from 'fastify';

import type { FeedTail } from '#shared/sync/wire.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { visibleAudiences } from '#server/storage/feed.ts';

import { lineText } from './feed-line.ts';
import { newestCheckpoint, checkpointTextOf, type Checkpoint } from './feed-reader.ts';
import { headOf } from './negotiation.ts';
import { seqsIn, visibleDocuments } from './visible-documents.ts';

interface Bootstrap {
  collections: string[] | null;
  protocol: number;
  /** The checkpoint at which the load began, if it continues after a cut; null at its beginning. */
  since: Checkpoint | null;
  /** The seq of the last record that the device received. */
  after: number;
}

/**
 * Yields every record that the viewer may see, as NDJSON lines, in feed order, then the checkpoint from which the
 * device pulls. The checkpoint is read before the first record, and stays the same for a load that continues after a
 * cut, so that the first pull reports everything that changed meanwhile.
 */
export async function* bootstrapLines(
  services: Services,
  request: FastifyRequest,
  viewer: Viewer,
  { collections, protocol, since, after }: Bootstrap,
): AsyncGenerator<string> {
  const db = services.storage.reader;
  const start = since ?? (await newestCheckpoint(db));
  const visible = await visibleAudiences(db, viewer.principals);
  const seqs = await seqsIn(db, { visible, after, collections });
  const checkpoint = await checkpointTextOf(services, start);
  const head = await headOf(services, request, protocol, {
    total: seqs.length,
    additions: { checkpoint, after },
  });
  yield `${JSON.stringify(head)}\n`;
  for await (const lines of visibleDocuments(db, visible, seqs))
    yield lines.map((line) => `${lineText(line, protocol)}\n`).join('');
  const tail: FeedTail = { checkpoint, more: false };
  yield `${JSON.stringify(tail)}\n`;
}
