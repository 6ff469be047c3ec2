import type { FastifyRequest } from 'fastify';

import type { FeedTail } from '#shared/sync/wire.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { visibleAudiences } from '#server/storage/feed.ts';

import { lineText } from './feed-line.ts';
import { newestCheckpoint, checkpointTextOf, type Checkpoint } from './feed-reader.ts';
import { headOf } from './negotiation.ts';
import { livePacks, looseSeqs, packOf, selectionOf } from './packs/live-packs.ts';
import { visibleDocuments } from './visible-documents.ts';

interface Bootstrap {
  collections: string[] | null;
  protocol: number;
  /** The checkpoint at which the load began, if it continues after a cut; null at its beginning. */
  since: Checkpoint | null;
  /** The seq of the last record that the device received. */
  after: number;
  /** The packs that the device asks for; null: none, the stream has everything. */
  packs: { /** The selection with which the load began; '' at its beginning. */ selection: string } | null;
}

/**
 * Yields every record that the viewer may see, as NDJSON lines, in feed order, then the checkpoint from which the
 * device pulls. The checkpoint is read before the first record, and stays the same for a load that continues after a
 * cut, so that the first pull reports everything that changed meanwhile. For a device that asks for packs, the head names
 * those that it may fetch, and their records are left out.
 */
export async function* bootstrapLines(
  services: Services,
  request: FastifyRequest,
  viewer: Viewer,
  { collections, protocol, since, after: asked, packs: wanted }: Bootstrap,
): AsyncGenerator<string> {
  const db = services.storage.reader;
  const start = since ?? (await newestCheckpoint(db));
  const visible = await visibleAudiences(db, viewer.principals);
  const packs = wanted === null ? [] : await livePacks(db, { visible, collections });
  const selection = selectionOf(packs);
  // Records of packs that have ended since may be before the cursor.
  const after = wanted === null || wanted.selection === selection ? asked : 0;
  const seqs = await looseSeqs(db, { visible, after, collections }, packs);
  const checkpoint = await checkpointTextOf(services, start);
  const head = await headOf(services, request, protocol, {
    total: seqs.length,
    additions: {
      checkpoint,
      after,
      ...(wanted === null ? {} : { packs: packs.map(packOf), selection }),
    },
  });
  yield `${JSON.stringify(head)}\n`;
  for await (const lines of visibleDocuments(db, visible, seqs))
    yield lines.map((line) => `${lineText(line, protocol)}\n`).join('');
  const tail: FeedTail = { checkpoint, more: false };
  yield `${JSON.stringify(tail)}\n`;
}
