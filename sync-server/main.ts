import type { AddressInfo } from 'node:net';

import type { DestinationStream, Logger } from 'pino';

import { needsSetup, sharedCode, type SetupHost, type WantedBackup } from './features/setup/setup.ts';
import { buildServer, type Server } from './app.ts';
import { restoreBackup, scheduleBackups } from './backup-processes.ts';
import { clearUnfinishedDemo, fillWithDemo, lockData, requireWritable } from './data-folder.ts';
import { blobPlace } from './blob-place.ts';
import { listen, listenBeside, readTls, requireFreePort } from './listening.ts';
import { BadSetting, shownDatabase, type Config } from './platform/config.ts';
import type { S3Location } from './platform/s3-location.ts';
import { isEmpty, seedDemo } from './seed.ts';
import { logFiles, makeLog } from './platform/log.ts';
import { isDamage } from './storage/damage.ts';
import { DiskSpace } from './storage/disk-space.ts';
import { finishRestore } from './storage/interrupted-restore.ts';
import { mustOwnFolder } from './storage/private-folder.ts';

/** Time that open requests have to finish at shutdown, ms. */
const drainMs = 4000;

export interface Running {
  url: string;
  server: Server;
  /** Description of where training modules are played. */
  modules: string;
  /** A sentence with the last recorded head of the audit log, for people who store the output of the server. */
  auditEnd: () => string;
  /** Stops listening, lets open requests finish, closes the database. Within 5 s. */
  stop(): Promise<void>;
}

interface StartOptions {
  /** Folder of the built app. */
  appDir?: string;
  /** Prints a line for the person who starts the server. */
  say: (line: string) => void;
  /** Called if the server cannot go on after a restore. */
  failed?: (error: unknown) => void;
}

/**
 * Opens the data folder, fills an empty one with the demo content, and listens. Restarts itself with a backup if the
 * first-run page asks for that.
 *
 * - START-7 The first start adds the demo content and shows passwords once. Later starts stop without interrupting a
 *   request, and log no secrets.
 * @throws BadSetting for problems that the person who starts the server can fix
 */
export async function startServer(config: Config, options: StartOptions): Promise<Running> {
  const log = makeLog(config.logLevel, await destinationOf(config));
  const ending = new AbortController();
  let restoring: Promise<void> = Promise.resolve();
  let isUp = true;
  const restart = async (wanted: WantedBackup): Promise<void> => {
    const { port } = current.server.app.server.address() as AddressInfo;
    const { code } = current.server.services.setup;
    isUp = false;
    await current.stop();
    options.say(`Restoring the backup ${wanted.backup} of ${wanted.folder} …`);
    const failure = await restoreBackup(config, wanted, ending.signal);
    if (ending.signal.aborted) return;
    options.say(failure ?? 'The backup is restored.');
    current = await openAndListen({ ...config, port }, { ...options, log }, { failure, code, restore });
    isUp = true;
    options.say(`Benchbook is ready again at ${current.url}`);
  };
  const restore = (wanted: WantedBackup): void => {
    restoring = restart(wanted).catch((error: unknown) => options.failed?.(error));
  };
  let current = await openAndListen(config, { ...options, log }, { failure: null, restore });
  return {
    url: current.url,
    get server() {
      return current.server;
    },
    modules: current.modules,
    auditEnd: () => current.auditEnd(),
    async stop() {
      ending.abort();
      await restoring;
      if (isUp) await current.stop();
    },
  };
}

async function openAndListen(
  config: Config,
  options: StartOptions & { log: Logger },
  restored: Pick<SetupHost, 'failure' | 'code' | 'restore'>,
): Promise<Running> {
  const finished = finishRestore(config.data);
  if (finished !== null) options.say(finished);
  requireWritable(config.data);
  mustOwnFolder(config.data);
  const { log } = options;
  const tls = readTls(config);
  // oxlint-disable-next-line no-restricted-properties -- services have the clock, and are opened later
  new DiskSpace(config.data, { log, now: Date.now }).begin();
  using held = new DisposableStack();
  held.use(lockData(config.data));
  await requireFreePort(config);
  const { host, modulePorts } = config;
  if (modulePorts !== undefined)
    await requireFreePort({ host, port: modulePorts.first, setting: '--module-port' });
  clearUnfinishedDemo(config.data, config.database);
  const blobs = await blobPlace(config, options);
  const server = await openServer({ ...config, blobs }, log, options.appDir, tls);
  if (config.demo && (await isEmpty(server.services))) {
    options.say('Filling the empty database with the demo content …');
    await fillWithDemo(config.data, () => {
      options.say('Sign in with one of these; they are shown this once:');
      return seedDemo(server.services, { credential: options.say });
    });
  }
  // Before anybody can ask for it.
  const code = await sharedCode(server.services);
  server.services.setup.host = {
    folder: config.backup,
    key: config.backupKey,
    ...(code === undefined ? {} : { code }),
    ...restored,
  };
  await listen(server, config);
  const { port } = server.app.server.address() as AddressInfo;
  const modules = await listenBeside(server, config, port);
  const url = `${tls === undefined ? 'http' : 'https'}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  server.services.space.keepReserve();
  const backups = await scheduleBackups(server, config);
  server.services.backups.schedule = backups;
  if (await needsSetup(server.services.storage.reader))
    options.say(
      `This server has no administrator yet. To set it up or to restore a backup, open ${config.origins[0] ?? url}/setup and enter the code ${server.services.setup.code}`,
    );
  const lock = held.move();
  return {
    url,
    server,
    modules,
    auditEnd: () => auditEnd(server),
    async stop() {
      await backups?.[Symbol.asyncDispose]();
      await stop(server);
      lock.dispose();
    },
  };
}

/**
 * A line with the head of the audit log.
 *
 * - START-8 The output and log of the program can be used unchanged as a file for `benchbook audit verify --against`,
 *   including the time stamps (`features/audit`).
 */
function auditEnd({ services }: Server): string {
  const last = services.anchors.read().anchors.at(-1);
  if (last === undefined) return 'The audit log has no entries yet.';
  return `Last entry in the audit log: ${last.seq}, hash ${last.hash}. Keep this line elsewhere: "benchbook audit verify --against FILE" compares the log with it.`;
}

/** Where the log goes; undefined: to standard output. @throws BadSetting */
async function destinationOf({ logFile }: Config): Promise<DestinationStream | undefined> {
  if (logFile === undefined) return undefined;
  try {
    return await logFiles(logFile);
  } catch (cause) {
    throw new BadSetting(`The log cannot be written to ${logFile}; name another file with --log-file.`, {
      cause,
    });
  }
}

async function openServer(
  config: Config & { blobs: S3Location | null },
  log: Logger,
  appDir: string | undefined,
  tls: { cert: Buffer; key: Buffer } | undefined,
): Promise<Server> {
  try {
    return await buildServer({
      dataDir: config.data,
      database: config.database,
      blobs: config.blobs,
      log,
      origins: config.origins,
      trustProxy: config.trustProxy,
      ...(config.metricsToken === undefined ? {} : { metricsToken: config.metricsToken }),
      ...(appDir === undefined ? {} : { appDir }),
      ...(tls === undefined ? {} : { tls }),
    });
  } catch (cause) {
    if (cause instanceof BadSetting) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    const advice = isDamage(cause)
      ? '. The database is damaged: restore the newest backup with "benchbook restore"; what is there now is kept.'
      : '';
    const what =
      config.database === undefined
        ? `The data folder ${config.data}`
        : `The database ${shownDatabase(config.database)}, or the data folder ${config.data},`;
    throw new BadSetting(`${what} cannot be opened: ${message}${advice}`, { cause });
  }
}

async function stop(server: Server): Promise<void> {
  const forced = setTimeout(() => server.app.server.closeAllConnections(), drainMs);
  await server.app.close();
  clearTimeout(forced);
}
