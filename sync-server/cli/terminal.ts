import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';

import type { Command } from 'commander';

import type { Finding } from '#shared/formats/omanual/archive.ts';
import { noteEnd } from '#server/features/audit/guard.ts';
import type { Acting } from '#server/storage/audit/origin.ts';
import { BadSetting, databaseOf, defaultDataDir } from '#server/platform/config.ts';
import type { Services } from '#server/core/services.ts';
import { openServices } from '#server/features/open-services.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { finishRestore } from '#server/storage/interrupted-restore.ts';

import type { Answer, Terminal } from './answers.ts';

interface GlobalOptions {
  data?: string;
  database?: string;
  json?: boolean;
}

/** Makes actions for commander from work on an open data folder. */
export class Runner {
  readonly terminal: Terminal;
  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  /**
   * The action of a command: opens the data folder, runs `work`, prints its result, closes.
   *
   * - CLI-8 No command makes a data folder, except `restore`.
   */
  act<A extends unknown[]>(work: (services: Services, ...args: A) => Promise<Answer>) {
    return async (...args: unknown[]): Promise<void> => {
      const command = args.at(-1) as Command;
      const options: GlobalOptions = command.optsWithGlobals();
      const services = await this.#open(
        folderNamed(command, this.terminal),
        databaseNamed(command, this.terminal),
        nameOf(command),
      );
      try {
        const answer = await work(services, ...(withGlobals(args.slice(0, -1), options) as A));
        print(command, this.terminal, answer);
        await noteEnd(services);
      } finally {
        await services.storage[Symbol.asyncDispose]();
      }
    };
  }

  async #open(dataDir: string, database: string | undefined, action: string): Promise<Services> {
    if (database !== undefined) return openServices({ dataDir, database, acting: actingAs(action) });
    const finished = finishRestore(dataDir);
    if (finished !== null) this.terminal.err(finished);
    if (!existsSync(join(dataDir, databaseName)))
      throw new BadSetting(
        `There is no Benchbook data in ${dataDir}. Start Benchbook once, or name its folder with --data.`,
      );
    return openServices({ dataDir, acting: actingAs(action) });
  }
}

/** The absolute path of the data folder that a command works on. */
export function folderNamed(command: Command, { env }: Terminal): string {
  const { data }: GlobalOptions = command.optsWithGlobals();
  return resolve(data ?? (env['BENCHBOOK_DATA'] || defaultDataDir(env, process.platform)));
}

/** The address of the PostgreSQL database that a command works on; undefined: SQLite, in the data folder. */
export function databaseNamed(command: Command, { env }: Terminal): string | undefined {
  return databaseOf(command.optsWithGlobals<GlobalOptions>().database, env);
}

/** A site: its data folder, and the address of its database if that is PostgreSQL. */
export interface Place {
  dataDir: string;
  url: string | undefined;
}

/** The site that a command works on. */
export function placeOf(command: Command, terminal: Terminal): Place {
  return { dataDir: folderNamed(command, terminal), url: databaseNamed(command, terminal) };
}

/** Whether there is a site; of a database in PostgreSQL only the data folder is looked at. */
export function isThere({ dataDir, url }: Place): boolean {
  return existsSync(url === undefined ? join(dataDir, databaseName) : dataDir);
}

/** The name of a command in the audit log. */
export function actingAs(action: string): Acting {
  return { name: `Command line (${operator()})`, action };
}

/** Prints the result of a command. */
export function print(command: Command, terminal: Terminal, { data, lines }: Answer): void {
  const { json }: GlobalOptions = command.optsWithGlobals();
  if (json === true) terminal.out(JSON.stringify(data, null, 2));
  else for (const line of lines) terminal.out(line);
}

/** The full name of a command, such as `benchbook user create`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** The name of the system account that runs the command. */
function operator(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** The arguments of a command, with the global options added to its own. */
function withGlobals(args: readonly unknown[], { json }: GlobalOptions): unknown[] {
  return args.map((one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) ? { ...one, json: json === true } : one,
  );
}

/** A line of the report of an export or import. */
export function reportLine({ kind, message, member, place }: Finding): string {
  return `${kind}: ${message} ${member} ${place}`.trimEnd();
}

/** UNIX seconds as a UTC date such as `2026-05-04 08:00`. */
export function dateText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * Reads a password or key, one line, from standard input.
 *
 * - CLI-2 Secrets are read from standard input, because arguments are visible in the list of processes. They are never
 *   shown.
 */
export async function readSecret(terminal: Terminal): Promise<string> {
  const [line = ''] = (await terminal.input()).split(/\r?\n/, 1);
  if (line === '') throw new BadSetting('Standard input was empty; nothing was changed.');
  return line;
}
