import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

import openRolling from 'pino-roll';
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

/**
 * Names of credentials.
 *
 * - LOG-1 Fields named like credentials (`password`, `token`, `authorization`, `cookie`, …) are redacted, up to two
 *   objects deep. The one exception is the time stamp of the audit log, which is called `token` and is not secret.
 */
const secretNames = [
  'authorization',
  'cookie',
  'password',
  'current_password',
  'token',
  'sign_on_token',
  'authToken',
  'device_key',
  'deviceKey',
  'secret',
  'apiKey',
  'api_key',
];
const redacted = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Placeholder for redacted values in the log. */
export const hidden = '[hidden]';

/** The log of the server: JSON lines. `destination`: default standard output. */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: redacted, censor: hidden },
    serializers: { err: errorForLog, req: requestForLog },
  };
  return pino(options, destination ?? pino.destination());
}

/** Log files that are kept, the present one included. */
const mostFiles = 30;

/**
 * A destination for `makeLog` that begins a new file each day and at a `size` (of `pino-roll`: `50m`), and keeps 30.
 *
 * - LOG-4 With `--log-file` the log is a series of files of bounded size, which only the account of the server can read.
 *   `current.log` beside them is the newest one.
 * - LOG-5 A log that cannot be written, for example on a full disk, does not stop the server.
 */
export async function logFiles(file: string, size = '50m'): Promise<DestinationStream> {
  removeSurplus(file);
  const destination = await openRolling({
    file,
    size,
    frequency: 'daily',
    dateFormat: 'yyyy-MM-dd',
    mkdir: true,
    symlink: true,
    limit: { count: mostFiles, removeOtherLogFiles: true },
    mode: 0o600,
    // So that nothing is missing when the process ends.
    sync: true,
  });
  let isBroken = false;
  destination.on('error', (error) => {
    if (!isBroken) process.stderr.write(`The log cannot be written: ${error.message}\n`);
    isBroken = true;
  });
  return destination;
}

/** Removes the oldest log files. `pino-roll` does so only when it begins a file while it runs. */
function removeSurplus(file: string): void {
  const folder = dirname(file);
  const extension = extname(file);
  const stem = basename(file, extension);
  if (!existsSync(folder)) return;
  const files = readdirSync(folder)
    .filter((name) => name.startsWith(`${stem}.`) && /\.\d{4}-\d{2}-\d{2}\.\d+\.\w+$/.test(name))
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at);
  for (const { path } of files.slice(mostFiles - 1)) rmSync(path);
}

/**
 * An error for the log.
 *
 * - LOG-2 Of an error, the log contains the type, message, stack and code, but not the data that libraries attach,
 *   such as recipients or headers.
 */
function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack } = stdSerializers.err(error);
  return { type, message, stack, ...('code' in error ? { code: String(error.code) } : {}) };
}

/**
 * A request for the log. The address is left out, because links contain tokens.
 *
 * - LOG-3 Of a request, the log contains the method and the path template, not the address, headers or body.
 */
function requestForLog({ method, routeOptions }: LoggedRequest): object {
  return { method, route: routeOptions?.url ?? 'none' };
}

/** A request as the framework passes it to the log. */
interface LoggedRequest {
  method?: string;
  routeOptions?: { url?: string };
}
