/** No server makes a device wait longer, ms. */
export const longestWait = 15 * 60_000;

/** Milliseconds of a `Retry-After` header (seconds or a date), at most 15 minutes; null without one. */
export function retryAfter(headers: Record<string, string>, now: number): number | null {
  const text = headers['retry-after'] ?? headers['Retry-After'];
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(longestWait, Math.max(0, ms));
}

/** Backoff with jitter: half of it is fixed, so that nobody returns at once. */
export function backoff(tries: number, random: number): number {
  const whole = Math.min(30_000, 1000 * 2 ** Math.min(tries, 10));
  return Math.round(whole / 2 + (whole / 2) * random);
}
