import { z } from 'zod';

/** Size in bytes above which a file is sent to `/sync/1/uploads`, in pieces that can be resumed. */
export const resumableFrom = 1024 * 1024;

/** The version of the tus protocol for uploads (https://tus.io/protocols/resumable-upload). */
export const tusVersion = '1.0.0';

/** Media type of the body of a tus PATCH. */
export const tusType = 'application/offset+octet-stream';

/** Id of an upload: the Idempotency-Key of the call that will use it, or an id made by the server. */
export const uploadId = z.string().regex(/^[\w-]{8,64}$/);

/** The state of an upload on the server. */
export const uploadState = z.object({
  upload: uploadId,
  /** Number of bytes received; the next piece begins here. */
  offset: z.int().min(0),
  /** Size of the whole file in bytes. */
  size: z.int().min(1),
  /** When it is deleted if no more bytes arrive, in UNIX seconds. */
  expires_date: z.int(),
});
export type UploadState = z.infer<typeof uploadState>;
