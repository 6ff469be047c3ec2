import { z } from 'zod';

import { announcement } from './protocol.ts';
import { collectionName, expectedServer, requestName } from './wire.ts';

/**
 * One record that the viewer may see, as `GET /sync/1/digest` names it. `hash`: the first 16 hexadecimal digits of the
 * SHA-256 of its document as the feed carries it (UTF-8).
 */
export const digestLine = z.object({
  c: collectionName,
  id: z.string(),
  seq: z.int(),
  hash: z.string().regex(/^[0-9a-f]{16}$/),
});
export type DigestLine = z.infer<typeof digestLine>;

/** Query of `GET /sync/1/digest` and of `POST /sync/1/records`. */
export const digestQuery = z.object({
  protocol: announcement,
  server: expectedServer,
  request: requestName,
});

/** Records that `POST /sync/1/records` reads at once. */
export const mostRecords = 200;

/** `POST /sync/1/records`: which records are read as they are now. */
export const recordsRequest = z.object({
  records: z.array(z.object({ c: collectionName, id: z.string().max(120) })).max(mostRecords),
});

/** How many hexadecimal digits of a hash are compared: 64 bits, against accidents. */
export const digestDigits = 16;
