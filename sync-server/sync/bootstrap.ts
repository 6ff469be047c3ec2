import type { FastifyRequest } from 'fastify';

import type { FeedTail } from '#shared/sync/wire.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { visibleAudiences } from '#server/storage/feed.ts';

import { lineText } from './feed-line.ts';
import { newestPlace, placeText, type Place } from './feed-reader.ts';
import { headOf } from './negotiation.ts';
import { countDocuments, visibleDocuments } from './visible-documents.ts';

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
  request: FastifyRequest,
  viewer: Viewer,
  { collections, protocol, since, after }: Bootstrap,
): AsyncGenerator<string> {
  const db = services.storage.reader;
  const place = since ?? (await newestPlace(db));
  const visible = await visibleAudiences(db, viewer.principals);
  const scope = { visible, after, collections };
  const checkpoint = await placeText(services, place);
  const head = await headOf(services, request, protocol, {
    total: await countDocuments(db, scope),
    additions: { checkpoint, after },
  });
  yield `${JSON.stringify(head)}\n`;
  for await (const lines of visibleDocuments(db, scope))
    yield lines.map((line) => `${lineText(line, protocol)}\n`).join('');
  const tail: FeedTail = { checkpoint, more: false };
  yield `${JSON.stringify(tail)}\n`;
}
