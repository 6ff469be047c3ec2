import type { Logger } from 'pino';

import type { ProtocolRange } from '#shared/sync/protocol.ts';
import type { Acting } from '#server/storage/audit/origin.ts';
import type { Outbound } from '#server/platform/outbound.ts';
import type { Blobs } from '#server/media/blobs.ts';
import type { Uploads } from '#server/media/uploads/store.ts';
import type { Site } from './site-settings.ts';
import type { DiskSpace } from '#server/storage/disk-space.ts';
import type { Damage } from '#server/storage/damage.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { VersionedCache } from '#server/storage/versioned-cache.ts';
import type { Bus } from './bus.ts';
import type { Devices } from './devices.ts';
import type { Identity } from './identity/identity.ts';
import type { Session } from './sessions.ts';

import type { WriteHook } from './write.ts';

/**
 * Everything that lives as long as the server. Time and randomness are injected here. Services of a feature are
 * declared in that feature (`declare module`), so that this file depends on no feature.
 */
export interface Services {
  dataDir: string;
  storage: Storage;
  /** Whether there is room for writes. */
  space: DiskSpace;
  /** Whether the database was found damaged. */
  damage: Damage;
  blobs: Blobs;
  /** Unfinished uploads. */
  uploads: Uploads;
  bus: Bus;
  /** What devices said about themselves. */
  devices: Devices;
  log: Logger;
  /** Wall clock in ms. */
  now: () => number;
  /** Cryptographic randomness. */
  randomBytes: (size: number) => Uint8Array;
  /** The current settings of the site; `reloadSite` updates them. */
  site: Readonly<Site>;
  /** Number of times that settings were loaded. A changed number means that they may have changed. */
  siteLoads: { count: number };
  /** Recently used sessions, by token hash. */
  sessions: VersionedCache<Session>;
  /** The server's key and id, by which devices recognise it. */
  identity: Identity;
  /** The protocols of `/sync/1` that this server speaks. */
  protocols: ProtocolRange;
  /** Calls to addresses that people entered. */
  outbound: Outbound;
  /** Origin at which this process listens, as reached from its own machine; null before it listens. */
  listensAt: string | null;
  /** Origins at which people reach this server, from its settings and its socket. */
  origins: () => readonly string[];
  /** Origins at which people reach this server, from its settings only: `--origin` and the site's address. */
  namedOrigins: () => readonly string[];
  /** The name of this process in the audit log, for writes that no person makes. */
  acting: Acting;
  /** Hooks that run in the transaction of every write, in this order. */
  writeHooks: readonly WriteHook[];
}
