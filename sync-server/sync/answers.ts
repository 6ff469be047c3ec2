import type { FastifyRequest } from 'fastify';

import { temporaryId } from '#shared/sync/wire.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { chunks } from '#server/storage/chunks.ts';
import type { Db } from '#server/storage/tables.ts';

import { realIdOf, temporaryIds } from './batch.ts';
import { textWithRows } from './feed-line.ts';
import { currentCheckpoint, rowsOfKey } from './feed-reader.ts';
import { headOf } from './negotiation.ts';

/**
 * Yields the results of earlier calls of the viewer, by Idempotency-Key (BATCH-5): a head line, then for each key, in
 * order, the line that a repeated batch would return, or `unknown` if no call with this key took effect.
 */
export async function* answersOf(
  services: Services,
  request: FastifyRequest,
  viewer: Viewer,
  keys: readonly string[],
  protocol: number,
): AsyncGenerator<string> {
  const db = services.storage.reader;
  yield `${JSON.stringify(await headOf(services, request, protocol))}\n`;
  const statuses = await statusesOf(db, viewer, keys);
  const made = await temporaryIds(services, viewer, [...statuses.keys()]);
  for (const id of keys) {
    const status = statuses.get(id);
    if (status === undefined) {
      yield `${JSON.stringify({ id, unknown: true })}\n`;
      continue;
    }
    const created = Object.fromEntries(
      made.filter(({ key }) => key === id).map((one) => [temporaryId(id), realIdOf(one.id)]),
    );
    const result = {
      id,
      status,
      headers: {},
      created,
      replayed: true,
      ...(await currentCheckpoint(services, protocol)),
    };
    yield `${textWithRows(result, await rowsOfKey(db, viewer, id), protocol)}\n`;
  }
}

/** The statuses of calls by key. Only successful calls are recorded. */
async function statusesOf(db: Db, viewer: Viewer, keys: readonly string[]): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  for (const some of chunks([...keys])) {
    const found = await db
      .selectFrom('idempotency')
      .select(['key', 'status'])
      .where('userid', '=', viewer.userid)
      .where('key', 'in', some)
      .execute();
    for (const { key, status } of found) statuses.set(key, status);
  }
  return statuses;
}
