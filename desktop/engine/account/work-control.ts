import { z } from 'zod';

import type { OutboxCall } from '../platform/ports.ts';

/** Whose work it is. `server` and `account`: null at a server that has no identity. */
export const workOwner = z.looseObject({
  server: z.string().nullable(),
  account: z.string().nullable(),
  origin: z.string(),
  userid: z.int(),
  username: z.string(),
});
export type WorkOwner = z.infer<typeof workOwner>;

/** Whose work is open, and the way for more of it to come in. */
export interface WorkControl {
  /** Null while nobody is signed in. */
  owner(): WorkOwner | null;
  /** Names the person's home on this device; null while nobody is signed in. */
  home(): string | null;
  /** Journals calls that came from another device behind those that wait, in their order; resolves to how many are new. */
  take(calls: readonly OutboxCall[]): Promise<number>;
  /** What temporary ids (with `tmp:`) have become on another device. */
  learnIds(created: Record<string, string>): Promise<void>;
}
