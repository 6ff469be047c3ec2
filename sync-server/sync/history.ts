import type { FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { checkpointText } from '#shared/sync/wire.ts';
import { ownOrigin } from '#server/audit/origin.ts';
import type { Services } from '#server/http/context.ts';
import { leap, leaptTo } from '#server/storage/leap.ts';

import { findPlace, type Place } from './feed-reader.ts';

/** A device that tells a place further ahead than this is mistaken: the numbers do not follow it. */
const furthest = 1_000_000_000;

/**
 * Reads a checkpoint that a device tells (F5). One that this history does not hold proves that the server was restored,
 * or that the device comes from another server: numbers leap before anything is answered (F18).
 * @throws Problem 410 `unknown-place`
 */
export async function mustKnowPlace(services: Services, text: string): Promise<Place> {
  const place = await findPlace(services.storage.reader, text);
  if (place !== null) return place;
  await leapOnce(services, Number(text.split('.')[0]));
  throw new Problem(
    'gone',
    'This server does not know that place: it was restored from a backup, or is another one.',
    { code: 'unknown-place' },
  );
}

/** The highest place that a device saw stands in the query of each of its requests (F18). */
export async function mustKnowSeen(services: Services, request: FastifyRequest): Promise<void> {
  const { seen } = request.query as { seen?: unknown };
  const told = checkpointText.safeParse(seen);
  if (told.success) await mustKnowPlace(services, told.data);
}

/** Places up to the last leap were lost before it: they prove nothing new. */
async function leapOnce(services: Services, seq: number): Promise<void> {
  const { storage } = services;
  if (seq <= (await leaptTo(storage.reader))) return;
  await storage.write(ownOrigin(services, 'unknown place'), async (tx, note) => {
    if (seq <= (await leaptTo(tx))) return;
    const newest = await tx
      .selectFrom('feed')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .executeTakeFirst();
    await leap(tx, Math.min(seq, Number(newest?.seq ?? 0) + furthest));
    note.outcome = 'done';
    note.object = { kind: 'database', id: '' };
    note.facts = { told: seq };
  });
  services.log.warn(
    { told: seq },
    'a device has seen a later place than this server: it was restored; numbers leapt',
  );
}
