import { z } from 'zod';

/** What a person has decided and not signed yet: kept on this device, without any password. */
const prepared = z.object({ decision: z.enum(['approve', 'review', 'reject']), comment: z.string() });
export type Prepared = z.infer<typeof prepared>;

function keyOf(userid: number, requestid: number): string {
  return `benchbook.signature.${userid}.${requestid}`;
}

/** What the person prepared for a request; null: nothing. */
export function readPrepared(userid: number, requestid: number): Prepared | null {
  const kept = localStorage.getItem(keyOf(userid, requestid));
  if (kept === null) return null;
  try {
    return prepared.parse(JSON.parse(kept));
  } catch {
    return null;
  }
}

export function isPrepared(userid: number, requestid: number): boolean {
  return readPrepared(userid, requestid) !== null;
}

/** Keeps a decision until it is signed; null forgets it. */
export function keepPrepared(userid: number, requestid: number, decision: Prepared | null): void {
  const key = keyOf(userid, requestid);
  if (decision === null) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(decision));
}
