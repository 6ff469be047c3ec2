import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same, in a time that reveals nothing about them. */
export function isSameSecret(given: string, wanted: string): boolean {
  const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashed(given), hashed(wanted));
}
