import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { constants as constantsOfSystem, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';

import type { DestinationStream, Logger } from 'pino';

import { anchorFiles } from './features/audit/anchors.ts';
import { BackupSchedule, type CommandResult } from './features/backup/schedule.ts';
import { needsSetup, type SetupHost, type WantedBackup } from './features/setup/setup.ts';
import { buildServer, listenForModules, type Server } from './app.ts';
import { BadSetting, portsOfModules, type Config } from './platform/config.ts';
import { isEmpty, seedDemo } from './seed.ts';
import { logFiles, makeLog } from './platform/log.ts';
import { isDamage } from './storage/damage.ts';
import { lockFolder } from './storage/folder-lock.ts';
import { DiskSpace } from './storage/disk-space.ts';
import { finishRestore } from './storage/interrupted-restore.ts';
import { mustOwnFolder } from './storage/private-folder.ts';

/** Time that open requests have to finish at shutdown, ms. */
const drainMs = 4000;

/** A file that exists in the data folder while the demo content is being added. */
const unfinishedDemo = 'demo-unfinished';

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
    const failure = await restoreBackup(config.data, wanted, ending.signal);
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

/** Restores a backup while the server is stopped. Returns why it failed, or null. */
async function restoreBackup(
  dataDir: string,
  { folder, key, backup }: WantedBackup,
  signal: AbortSignal,
): Promise<string | null> {
  const args = ['restore', folder, '--backup', backup, '--data', dataDir];
  try {
    const { code, text } = await runBenchbook(args, {
      signal,
      // A key that the environment names is for the scheduled backups only.
      env: { BENCHBOOK_BACKUP_KEY: key ?? '' },
      // Somebody waits for it.
      priority: constantsOfSystem.priority.PRIORITY_NORMAL,
    });
    return code === 0 ? null : text;
  } catch (error) {
    return `The restore ended early: ${error instanceof Error ? error.message : String(error)}`;
  }
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
  clearUnfinishedDemo(config.data);
  const server = await openServer(config, log, options.appDir, tls);
  if (config.demo && (await isEmpty(server.services))) {
    options.say('Filling the empty database with the demo content …');
    writeFileSync(join(config.data, unfinishedDemo), '');
    options.say('Sign in with one of these; they are shown this once:');
    await seedDemo(server.services, { credential: options.say });
    rmSync(join(config.data, unfinishedDemo));
  }
  // Before anybody can ask for it.
  server.services.setup.host = { folder: config.backup, key: config.backupKey, ...restored };
  await listen(server, config);
  const { port } = server.app.server.address() as AddressInfo;
  const modules = await listenBeside(server, config, port);
  const url = `${tls === undefined ? 'http' : 'https'}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  server.services.space.keepReserve();
  const backups = await scheduleBackups(server, config);
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

/** Begins the scheduled backups; none without a folder for them. */
async function scheduleBackups(
  { services }: Server,
  { data, backup, backupKey }: Config,
): Promise<BackupSchedule | null> {
  if (backup === undefined) return null;
  const keyed = backupKey === undefined ? [] : ['--key', backupKey];
  const schedule = new BackupSchedule(services, {
    dataDir: data,
    run: ([command = '', ...args], signal) =>
      runBenchbook([command, backup, '--data', data, ...keyed, ...args], {
        signal,
        priority: constantsOfSystem.priority.PRIORITY_LOW,
      }),
  });
  await schedule.start();
  return schedule;
}

const program = fileURLToPath(new URL('cli/benchbook.ts', import.meta.url));

interface RunOptions {
  signal: AbortSignal;
  /** Further environment variables. */
  env?: NodeJS.ProcessEnv;
  /** Of the operating system. */
  priority: number;
}

/** Runs a command in a process of its own. */
function runBenchbook(args: string[], { signal, env = {}, priority }: RunOptions): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { signal, env: { ...process.env, ...env } },
      (error, out, err) => {
        if (error !== null && typeof error.code !== 'number' && !signal.aborted) reject(error);
        else resolve({ code: error === null ? 0 : 1, text: err.trim() || out.trim() });
      },
    );
    if (child.pid !== undefined) setPriority(child.pid, priority);
  });
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

/**
 * Locks the data folder. Two servers on one folder would not notice each other's writes.
 *
 * - START-4 A second server on a data folder is refused. The folder is free again if the first one is killed.
 */
function lockData(dir: string): Disposable {
  const lock = lockFolder(dir);
  if (lock !== null) return lock;
  throw new BadSetting(
    `Another Benchbook server works in the data folder ${dir}; stop it, or name another folder with --data.`,
  );
}

/**
 * Deletes an incomplete demo: a start that was stopped while it filled an empty database left a part of it, and no
 * account with a known password. The server had not listened yet, so the folder contains nothing else.
 */
function clearUnfinishedDemo(dir: string): void {
  if (!existsSync(join(dir, unfinishedDemo))) return;
  const database = ['benchbook.sqlite', 'benchbook.sqlite-wal', 'benchbook.sqlite-shm'];
  for (const name of [...database, 'media', ...Object.values(anchorFiles)])
    rmSync(join(dir, name), { recursive: true, force: true });
  rmSync(join(dir, unfinishedDemo));
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
  config: Config,
  log: Logger,
  appDir: string | undefined,
  tls: { cert: Buffer; key: Buffer } | undefined,
): Promise<Server> {
  try {
    return await buildServer({
      dataDir: config.data,
      log,
      origins: config.origins,
      trustProxy: config.trustProxy,
      ...(config.metricsToken === undefined ? {} : { metricsToken: config.metricsToken }),
      ...(appDir === undefined ? {} : { appDir }),
      ...(tls === undefined ? {} : { tls }),
    });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const advice = isDamage(cause)
      ? '. The database is damaged: restore the newest backup with "benchbook restore"; what is there now is kept.'
      : '';
    throw new BadSetting(`The data folder ${config.data} cannot be opened: ${message}${advice}`, { cause });
  }
}

function requireWritable(dir: string): void {
  try {
    makeFolder(dir);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new BadSetting(`The data folder ${dir} cannot be written to; name another one with --data.`, {
      cause,
    });
  }
}

/**
 * Makes a folder and its parents one by one: the recursive mode of Node never ends where no folder can be made
 * (`/proc`).
 */
function makeFolder(dir: string): void {
  if (existsSync(dir)) return;
  makeFolder(dirname(dir));
  mkdirSync(dir, { mode: 0o700 });
}

/**
 * Checks that a port is free.
 *
 * - START-2 A port in use is reported, with what to do, before the first start shows passwords.
 */
async function requireFreePort(config: Address): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen({ host: config.host, port: config.port }, resolve);
    });
  } catch (cause) {
    throw cannotListen(config, cause);
  } finally {
    probe.close();
  }
}

/**
 * Reads certificate and key.
 *
 * - START-6 With a certificate, the server uses https.
 */
function readTls(config: Config): { cert: Buffer; key: Buffer } | undefined {
  if (config.tlsCert === undefined || config.tlsKey === undefined) return undefined;
  const tls = { cert: readPem(config.tlsCert, 'certificate'), key: readPem(config.tlsKey, 'key') };
  try {
    createSecureContext(tls);
  } catch (cause) {
    throw new BadSetting(
      `The certificate ${config.tlsCert} and the key ${config.tlsKey} cannot be used together; both must be PEM files.`,
      { cause },
    );
  }
  return tls;
}

function readPem(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new BadSetting(`The ${what} ${path} cannot be read.`, { cause });
  }
}

async function listen(server: Server, config: Config): Promise<void> {
  try {
    await server.app.listen({ host: config.host, port: config.port });
  } catch (cause) {
    await server.app.close();
    throw cannotListen(config, cause);
  }
}

/**
 * Starts playing each training module at its own origin. Returns a description of where.
 *
 * - START-3 Training modules are played on the next 100 ports, one for each, or on any free port if one is taken; `npm
 *   start` states which. `--module-port FIRST-LAST` selects other ports, `--module-origin https://*.HOST` selects host
 *   names; a single origin for all modules is refused with an error message.
 */
async function listenBeside(
  server: Server,
  { host, modulePorts, moduleOrigin }: Config,
  port: number,
): Promise<string> {
  const next = port < 65_535 ? port + 1 : 0;
  const ports = modulePorts ?? { first: next, last: Math.min(65_535, next + portsOfModules - 1) };
  const areNamed = modulePorts !== undefined;
  if (moduleOrigin === undefined) {
    await listenForModules(server, host, { ports: { ...ports, areNamed } });
    return `ports ${ports.first} to ${ports.last}, one for each`;
  }
  try {
    await listenForModules(server, host, { origin: moduleOrigin, port: ports.first });
  } catch (cause) {
    await server.app.close();
    throw cannotListen({ host, port: ports.first, setting: '--module-port' }, cause);
  }
  return `${moduleOrigin}, one host name for each, which must lead to port ${ports.first}`;
}

/** An address to listen on, and the setting that selects it. */
type Address = Pick<Config, 'host' | 'port'> & { setting?: string };

function cannotListen({ host, port, setting = '--port' }: Address, cause: unknown): BadSetting {
  const { code } = cause as NodeJS.ErrnoException;
  const words =
    code === 'EADDRINUSE'
      ? `Port ${port} is taken; is Benchbook running already? Choose another with ${setting}.`
      : code === 'EACCES'
        ? `Port ${port} may not be used by this account; choose one above 1023 with ${setting}.`
        : `The server cannot listen on ${host}:${port} (${code ?? 'unknown reason'}).`;
  return new BadSetting(words, { cause });
}

async function stop(server: Server): Promise<void> {
  const forced = setTimeout(() => server.app.server.closeAllConnections(), drainMs);
  await server.app.close();
  clearTimeout(forced);
}
