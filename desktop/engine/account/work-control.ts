import { z } from 'zod';

import type { OutboxCall } from '../platform/ports.ts';

/** The owner of work. `server` and `account` are null for a server without an identity. */
export const workOwner = z.looseObject({
  server: z.string().nullable(),
  account: z.string().nullable(),
  origin: z.string(),
  userid: z.int(),
  username: z.string(),
});
export type WorkOwner = z.infer<typeof workOwner>;

/** The owner of the open work, and the import of more of it. */
export interface WorkControl {
  /** Null while nobody is signed in. */
  owner(): WorkOwner | null;
  /** Names the person's home on this device; null while nobody is signed in. */
  home(): string | null;
  /** Journals calls of another device behind those that wait, in their order. Resolves to the number of new ones. */
  take(calls: readonly OutboxCall[]): Promise<number>;
  /** Stores what temporary ids (with `tmp:`) have become on another device. */
  learnIds(created: Record<string, string>): Promise<void>;
}
