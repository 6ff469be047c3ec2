import type { Logger } from 'pino';

import type { ProtocolRange } from '#shared/sync/protocol.ts';
import type { Acting } from '#server/storage/audit/origin.ts';
import type { Outbound } from '#server/platform/outbound.ts';
import type { Blobs } from '#server/media/blobs.ts';
import type { Uploads } from '#server/media/uploads/store.ts';
import type { Site } from './site-settings.ts';
import type { DiskSpace } from '#server/storage/disk-space.ts';
import type { Damage } from '#server/storage/damage.ts';
import type { Storage } from '#server/storage/sqlite.ts';
import type { VersionedCache } from '#server/storage/versioned-cache.ts';
import type { Bus } from './bus.ts';
import type { Identity } from './identity/identity.ts';
import type { Session } from './sessions.ts';

import type { WriteHook } from './write.ts';

/**
 * Everything that lives as long as the server. Time and randomness are injected here. What belongs to one feature is
 * declared there (`declare module`), so that nothing here depends on a feature.
 */
export interface Services {
  storage: Storage;
  /** Whether there is room for writes. */
  space: DiskSpace;
  /** Whether the database was found damaged. */
  damage: Damage;
  blobs: Blobs;
  /** Files that are on their way in, piece by piece. */
  uploads: Uploads;
  bus: Bus;
  log: Logger;
  /** Wall clock in ms. */
  now: () => number;
  /** Cryptographic randomness. */
  randomBytes: (size: number) => Uint8Array;
  /** As it is at this moment; changes of an administrator appear here (`reloadSite`). */
  site: Readonly<Site>;
  /** How often settings were taken up: another number when they may be others. */
  siteLoads: { count: number };
  /** Who the tokens stand for that were used lately. */
  sessions: VersionedCache<Session>;
  /** Who this server is to devices. */
  identity: Identity;
  /** The protocols of `/sync/1` that this server speaks. */
  protocols: ProtocolRange;
  /** Calls to addresses that people gave. */
  outbound: Outbound;
  /** Origin at which this process listens, as its own machine reaches it; null until it does. */
  listensAt: string | null;
  /** Origins at which people reach this server, as far as its settings and its socket tell. */
  origins: () => readonly string[];
  /** Origins at which people reach this server, as its settings name them: `--origin` and the site's address. */
  namedOrigins: () => readonly string[];
  /** What the audit log calls this process where nobody else acts. */
  acting: Acting;
  /** What happens in the transaction of every write, in this order. */
  writeHooks: readonly WriteHook[];
}
