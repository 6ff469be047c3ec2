import { join } from 'node:path';
import { pino, type Logger } from 'pino';

import { protocolRange, type ProtocolRange } from '#shared/sync/protocol.ts';

import '../platform/native-sums.ts';
import { Anchors } from './audit/anchors.ts';
import { theServer, type Acting } from '../storage/audit/origin.ts';
import type { WriteHook } from '../core/write.ts';
import type { Services } from '../core/services.ts';
import { Outbound, type Resolve } from '../platform/outbound.ts';
import { Identity } from '../core/identity/identity.ts';
import { Mailer } from './mail/mailer.ts';
import { openMedia } from '../media/open.ts';
import { recordedLocation } from '../media/recorded-location.ts';
import type { S3Location } from '#server/platform/s3-location.ts';
import { rememberFileUses } from './media/file-uses.ts';
import { rememberTextPictures } from './media/text-pictures.ts';
import { ArchiveFiles } from './omanual/archive-files.ts';
import { randomPool } from '../platform/random.ts';
import { Scoring } from './quizzes/scoring.ts';
import { Passwords } from './tokens/passwords.ts';
import { followPeople } from './stations/people.ts';
import { Setup } from './setup/setup.ts';
import { ArchiveReading } from './omanual/import/reading.ts';
import { Verification } from './sign-on/verification.ts';
import { changeSite, loadSite } from '../core/site.ts';
import type { Site } from '../core/site-settings.ts';
import { keepFolderPrivate } from '../storage/private-folder.ts';
import { DiskSpace } from '../storage/disk-space.ts';
import { Damage } from '../storage/damage.ts';
import { openPostgres } from '../storage/postgres/open.ts';
import { databaseName, openSqlite } from '../storage/sqlite.ts';
import { together } from '../storage/group-commit.ts';
import { VersionedCache } from '../storage/versioned-cache.ts';
import { Bus } from '../core/bus.ts';
import { TrainingFiles } from './training/files.ts';
import { Training } from './training/origins.ts';
import { Uploads } from '../media/uploads/store.ts';
import { Devices } from '../core/devices.ts';
import { announceChanges } from './webhooks/announce.ts';

export interface ServiceOptions {
  /** Folder of database and media; made if missing. */
  dataDir: string;
  /** Address of a PostgreSQL database (`postgres://…`). Default: SQLite, in the data folder. */
  database?: string | undefined;
  /** Where files are; null: in the data folder. Default: where the server of this data folder has them. */
  blobs?: S3Location | null;
  /** Settings that are stored first. */
  site?: Partial<Site>;
  log?: Logger;
  now?: () => number;
  randomBytes?: (size: number) => Uint8Array;
  passwords?: Passwords;
  scoring?: Scoring;
  verification?: Verification;
  archiveReading?: ArchiveReading;
  /** Resolves host names for outbound calls. */
  resolve?: Resolve;
  /** The protocols of `/sync/1` that this server speaks. Default: all that this code knows. */
  protocols?: ProtocolRange;
  /** Free space on the disk of the data folder, bytes. Default: as the system says. */
  freeBytes?: () => number;
  /** The name of this process in the audit log. Default: the server. */
  acting?: Acting;
  /**
   * Origins at which people reach this server, in addition to the site's address: it proves its identity to devices
   * there.
   */
  origins?: readonly string[];
}

/** Hooks of every write: people of stations, pictures and files in its texts, and events for webhooks. */
const writeHooks: readonly WriteHook[] = [
  followPeople,
  // None of these changes a record, so their reads may travel together.
  ({ tx, services, writer, changes, userid }) =>
    together(
      rememberTextPictures(tx, writer, changes),
      rememberFileUses(tx, writer, changes),
      announceChanges(tx, services, changes, userid),
    ),
];

/** Opens the services on a data folder. */
export async function openServices(options: ServiceOptions): Promise<Services> {
  const privacy = keepFolderPrivate(options.dataDir);
  // oxlint-disable-next-line no-restricted-properties -- the default clock
  const { now = Date.now, randomBytes = randomPool(), acting = theServer } = options;
  const log = options.log ?? pino({ level: 'silent' });
  if (privacy === 'not-private')
    log.warn('The data folder is open to other accounts of this machine: its file system knows no modes');
  if (privacy === 'made-private')
    log.warn(
      'The data folder was open to other accounts of this machine; it is private now (0700, files 0600)',
    );
  const space = new DiskSpace(options.dataDir, { log, now, free: options.freeBytes });
  const storageOptions = { now, randomBytes, acting, mustHaveRoom: () => space.mustHaveRoom() };
  const storage =
    options.database === undefined
      ? await openSqlite(join(options.dataDir, databaseName), storageOptions)
      : await openPostgres(options.database, { ...storageOptions, log });
  const site = await loadSite(storage.reader);
  const { dataDir, blobs: location = recordedLocation(dataDir) } = options;
  const media = await openMedia({ location, dataDir, log, now });
  const services: Services = {
    dataDir: options.dataDir,
    storage,
    space,
    damage: new Damage(),
    identity: new Identity({
      dataDir: options.dataDir,
      storage,
      acting,
      log,
      named: () => services.origins(),
    }),
    blobs: media.blobs,
    uploads: new Uploads({
      bytes: media.uploads,
      now,
      mostPerDay: () => site.upload_gigabytes_per_day * 1024 ** 3,
    }),
    passwords: options.passwords ?? new Passwords(),
    scoring: options.scoring ?? new Scoring(),
    verification: options.verification ?? new Verification(),
    archiveReading: options.archiveReading ?? new ArchiveReading(),
    bus: new Bus(),
    devices: new Devices(now),
    log,
    now,
    randomBytes,
    site,
    siteLoads: { count: 0 },
    setup: new Setup(randomBytes),
    backups: { schedule: null },
    sessions: new VersionedCache(1000),
    protocols: options.protocols ?? protocolRange,
    acting,
    anchors: new Anchors(options.dataDir),
    outbound: new Outbound(() => site.private_networks, options.resolve),
    listensAt: null,
    origins: () => [...services.namedOrigins(), ...(services.listensAt === null ? [] : [services.listensAt])],
    namedOrigins: () => [
      ...(options.origins ?? []),
      ...(site.address === null ? [] : [new URL(site.address).origin]),
    ],
    mailer: new Mailer(() => site.smtp, log),
    archives: await ArchiveFiles.open(join(options.dataDir, 'archives')),
    wantCollection: async (origin) => site.address ?? origin,
    writeHooks,
    triesUnderWay: new Map(),
    restingProvider: { settings: '', until: 0 },
    indexing: { running: null },
    training: new Training(await TrainingFiles.open(join(options.dataDir, 'training'))),
  };
  if (options.site !== undefined) await changeSite(services, options.site);
  return services;
}
