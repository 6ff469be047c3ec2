import { Socket } from 'node:net';
import { Readable } from 'node:stream';

import type { FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import type { IncomingFile } from '#server/media/incoming.ts';

import type { Services } from '../core/services.ts';
import { senderOf, type Viewer } from '../core/viewer.ts';

/**
 * Writes the file in the body of a request to disk and hashes it as it arrives. Undefined if the request has no file;
 * null if the connection was lost, so that no response is needed. The file is deleted on disposal unless it was kept.
 *
 * - LOAD-3 Files are written to disk as they arrive and hashed on the way; the hash represents them when an
 *   Idempotency-Key is compared. At most 128 MB of files are in memory at the same time; other files wait on the disk,
 *   in order. A part of an archive is never in memory: it is moved or copied to the file of its import. An interrupted
 *   or refused file leaves nothing behind.
 * @throws Problem 422 for one that is larger than the site allows, 429 when the person has sent too much today
 */
export async function receiveFile(
  request: FastifyRequest,
  services: Services,
  viewer: Viewer,
): Promise<IncomingFile | undefined | null> {
  const { body, raw, headers } = request;
  const sender = senderOf(viewer);
  if (!(body instanceof Readable)) return undefined;
  const most = services.site.upload_megabytes * 1024 * 1024;
  const size = Number(headers['content-length'] ?? 0);
  if (size > most) throw tooLarge(services);
  services.uploads.mustHaveLeft(sender, size);
  const bounded = async function* (): AsyncGenerator<Buffer> {
    let received = 0;
    // The stream is not destroyed if it is too long: the refusal is sent on its connection.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > most) throw tooLarge(services);
      services.uploads.count(sender, chunk.length);
      yield chunk;
    }
  };
  try {
    // A body from a connection is read by nobody else.
    return await services.blobs.receive(bounded(), raw.socket instanceof Socket);
  } catch (cause) {
    if (cause instanceof Problem || !raw.destroyed) throw cause;
    return null;
  }
}

function tooLarge({ site }: Services): Problem {
  const message = `A file on this site can have at most ${site.upload_megabytes} MB`;
  return new Problem('invalid', message, { code: 'body-too-large', errors: [{ field: 'body', message }] });
}
