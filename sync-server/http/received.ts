import { Readable } from 'node:stream';

import type { FastifyRequest } from 'fastify';

import { Problem } from '#shared/api/problem.ts';
import type { IncomingFile } from '#server/media/incoming.ts';

import type { Services } from '../core/services.ts';
import type { Viewer } from '../core/viewer.ts';

/**
 * The file in the body of a request, on disk, hashed as it arrived; undefined: there is none. Deleted on disposal.
 * Null: the connection broke off, so there is no one to answer.
 * @throws Problem 422 for one that is larger than the site allows, 429 when the person has sent too much today
 */
export async function receiveFile(
  request: FastifyRequest,
  services: Services,
  { userid }: Viewer,
): Promise<IncomingFile | undefined | null> {
  const { body, raw, headers } = request;
  if (!(body instanceof Readable)) return undefined;
  const most = services.site.upload_megabytes * 1024 * 1024;
  const size = Number(headers['content-length'] ?? 0);
  if (size > most) throw tooLarge(services);
  services.uploads.mustHaveLeft(userid, size);
  const bounded = async function* (): AsyncGenerator<Buffer> {
    let received = 0;
    // Not destroyed when it is too much: a refusal has to go out on its connection.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > most) throw tooLarge(services);
      services.uploads.count(userid, chunk.length);
      yield chunk;
    }
  };
  try {
    return await services.blobs.receive(bounded());
  } catch (cause) {
    if (cause instanceof Problem || !raw.destroyed) throw cause;
    return null;
  }
}

function tooLarge({ site }: Services): Problem {
  const message = `A file on this site can have at most ${site.upload_megabytes} MB`;
  return new Problem('invalid', message, { code: 'body-too-large', errors: [{ field: 'body', message }] });
}
