import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createSecureContext } from 'node:tls';

import { listenForModules, type Server } from './app.ts';
import { BadSetting, portsOfModules, type Config } from './platform/config.ts';

/**
 * Checks that a port is free.
 *
 * - START-2 A port in use is reported, with what to do, before the first start shows passwords.
 *
 * @throws BadSetting if it is not
 */
export async function requireFreePort(config: Address): Promise<void> {
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
 *
 * @throws BadSetting if they cannot be used
 */
export function readTls(config: Config): { cert: Buffer; key: Buffer } | undefined {
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

/** Begins to answer at the configured address. @throws BadSetting if another program uses it */
export async function listen(server: Server, config: Config): Promise<void> {
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
export async function listenBeside(
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
