import { Problem } from '#shared/api/problem.ts';

/** Seconds after which a call is repeated that S3 could not serve. */
const retryAfterSeconds = 30;

/** An object does not exist. It has the code of a missing file. */
export class MissingObject extends Error {
  override name = 'MissingObject';
  readonly code = 'ENOENT';
}

interface SdkError {
  name?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Whether S3 refuses these credentials or this bucket, so that waiting does not help. */
export function isRefusal(error: unknown): boolean {
  const { name = '', $metadata } = error as SdkError;
  if (['CredentialsProviderError', 'NoSuchBucket'].includes(name)) return true;
  const status = $metadata?.httpStatusCode;
  return status !== undefined && [301, 307, 400, 401, 403].includes(status) && name !== 'RequestTimeout';
}

/** Whether an object, upload or bucket does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as SdkError).$metadata?.httpStatusCode === 404;
}

/**
 * The error with which the server answers if S3 fails.
 *
 * - BUCKET-5 While S3 cannot be reached, fails or asks to slow down, calls that need it are 503 (`storage-unavailable`) with
 *   `Retry-After`, after four attempts. If S3 refuses the credentials or the bucket, they are 503 without it. A missing
 *   object is a missing file.
 */
export function failureOf(error: unknown, key: string): Error {
  if (error instanceof Problem || error instanceof MissingObject) return error;
  if (isMissing(error) && (error as SdkError).name !== 'NoSuchBucket')
    return new MissingObject(`There is no ${key} in S3`, { cause: error });
  return isRefusal(error)
    ? new Problem('unavailable', "The storage of the server's files refuses access", {
        code: 'storage-unavailable',
        cause: error,
      })
    : new Problem('unavailable', "The storage of the server's files does not answer at the moment", {
        code: 'storage-unavailable',
        retryAfterSeconds,
        cause: error,
      });
}
