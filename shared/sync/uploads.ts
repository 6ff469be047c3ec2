import { z } from 'zod';

/** Files larger than this go to `/sync/1/uploads` in pieces that can be resumed, bytes. */
export const resumableFrom = 1024 * 1024;

/** The version of the tus protocol that uploads speak (https://tus.io/protocols/resumable-upload). */
export const tusVersion = '1.0.0';

/** Media type of the body of a tus PATCH. */
export const tusType = 'application/offset+octet-stream';

/** Name of an upload: the Idempotency-Key of the call that will use it, or one that the server made. */
export const uploadId = z.string().regex(/^[\w-]{8,64}$/);

/** An upload as the server has it. */
export const uploadState = z.object({
  upload: uploadId,
  /** Bytes that are there; the next ones go here. */
  offset: z.int().min(0),
  /** Bytes of the whole file. */
  size: z.int().min(1),
  /** When it is removed unless more of it comes, UNIX seconds. */
  expires_date: z.int(),
});
export type UploadState = z.infer<typeof uploadState>;
