import type { FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import { checkpointText } from '#shared/sync/wire.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { leap, leaptTo } from '#server/storage/leap.ts';

import {
  hasCheckpoint,
  parseCheckpoint,
  sealedText,
  type Checkpoint,
  type SealedCheckpoint,
} from './feed-reader.ts';

/**
 * Parses a checkpoint of a device and checks that the feed contains it (FEED-5). An unknown one comes from another
 * server, was invented, or was lost in a restore. A valid seal proves the last case: then an id leap is made before
 * the answer (FEED-18).
 * @throws Problem 410 `unknown-place`
 */
export async function mustKnowCheckpoint(services: Services, text: string): Promise<Checkpoint> {
  const { seal, ...checkpoint } = parseCheckpoint(text);
  if (await hasCheckpoint(services.storage.reader, checkpoint)) return checkpoint;
  if (await isOurs(services, { ...checkpoint, seal })) await leapOnce(services, checkpoint.seq);
  throw new Problem(
    'gone',
    'This server does not know that place: it was restored from a backup, or is another one.',
    { code: 'unknown-place' },
  );
}

/**
 * Notes what a request says about its device, and checks the highest checkpoint that the device has seen, which is in
 * the query (FEED-18).
 * @throws Problem 410
 */
export async function meetDevice(services: Services, request: FastifyRequest, viewer: Viewer): Promise<void> {
  const { seen } = request.query as { seen?: unknown };
  const parsed = checkpointText.safeParse(seen);
  if (parsed.success) await mustKnowCheckpoint(services, parsed.data);
  services.devices.meet(viewer, request);
}

async function isOurs({ identity }: Services, { seal, ...checkpoint }: SealedCheckpoint): Promise<boolean> {
  return seal !== null && (await identity.key()).isSealed(sealedText(checkpoint), seal);
}

/** Makes an id leap, unless the last one was already beyond `seq`: that checkpoint was lost in an earlier restore. */
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
