import type { FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { checkpointText } from '#shared/sync/wire.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import { leap, leaptTo } from '#server/storage/leap.ts';

import { holdsPlace, parsePlace, sealedText, type Place, type ToldPlace } from './feed-reader.ts';

/**
 * Reads a checkpoint that a device tells (FEED-5). One that this history does not hold comes from another server, was made
 * up, or was lost in a restore: its seal proves the last, and numbers leap before anything is answered (FEED-18).
 * @throws Problem 410 `unknown-place`
 */
export async function mustKnowPlace(services: Services, text: string): Promise<Place> {
  const { seal, ...place } = parsePlace(text);
  if (await holdsPlace(services.storage.reader, place)) return place;
  if (await isOurs(services, { ...place, seal })) await leapOnce(services, place.seq);
  throw new Problem(
    'gone',
    'This server does not know that place: it was restored from a backup, or is another one.',
    { code: 'unknown-place' },
  );
}

/** The highest place that a device saw stands in the query of each of its requests (FEED-18). */
export async function mustKnowSeen(services: Services, request: FastifyRequest): Promise<void> {
  const { seen } = request.query as { seen?: unknown };
  const told = checkpointText.safeParse(seen);
  if (told.success) await mustKnowPlace(services, told.data);
}

async function isOurs({ identity }: Services, { seal, ...place }: ToldPlace): Promise<boolean> {
  return seal !== null && (await identity.key()).isSealed(sealedText(place), seal);
}

/** Places up to the last leap were lost before it: they prove nothing new. */
async function leapOnce(services: Services, seq: number): Promise<void> {
  const { storage } = services;
  if (seq <= (await leaptTo(storage.reader))) return;
  await storage.write(ownOrigin(services, 'unknown place'), async (tx, note) => {
    if (seq <= (await leaptTo(tx))) return;
    await leap(tx, seq);
    note.outcome = 'done';
    note.object = { kind: 'database', id: '' };
    note.facts = { told: seq };
  });
  services.log.warn(
    { told: seq },
    'a device has seen a later place than this server: it was restored; numbers leapt',
  );
}
