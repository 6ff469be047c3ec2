/** Time after its last byte until an upload is removed, seconds. */
export const keepUploadSeconds = 7 * 24 * 3600;

/** When an upload expires whose last byte arrived at `touchedMs` (UNIX ms), UNIX seconds. */
export function expiryOf(touchedMs: number): number {
  return Math.ceil(touchedMs / 1000) + keepUploadSeconds;
}
