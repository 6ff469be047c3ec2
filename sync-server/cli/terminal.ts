import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';

import type { Command } from 'commander';

import type { Finding } from '#shared/formats/omanual/archive.ts';
import { noteEnd } from '#server/features/audit/guard.ts';
import type { Acting } from '#server/storage/audit/origin.ts';
import { BadSetting, defaultDataDir } from '#server/platform/config.ts';
import type { Services } from '#server/core/services.ts';
import { openServices } from '#server/services.ts';
import { databaseName } from '#server/storage/sqlite.ts';
import { finishRestore } from '#server/storage/interrupted-restore.ts';

import type { Answer, Terminal } from './answers.ts';

interface GlobalOptions {
  data?: string;
  json?: boolean;
}

/** Makes commander's actions of what a command does on an open data folder. */
export class Runner {
  readonly terminal: Terminal;
  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  /** The action of a command: opens the data folder, works, prints, closes. */
  act<A extends unknown[]>(work: (services: Services, ...args: A) => Promise<Answer>) {
    return async (...args: unknown[]): Promise<void> => {
      const command = args.at(-1) as Command;
      const options: GlobalOptions = command.optsWithGlobals();
      const services = await this.#open(folderNamed(command, this.terminal), nameOf(command));
      try {
        const answer = await work(services, ...(withGlobals(args.slice(0, -1), options) as A));
        print(command, this.terminal, answer);
        await noteEnd(services);
      } finally {
        await services.storage[Symbol.asyncDispose]();
      }
    };
  }

  async #open(dataDir: string, action: string): Promise<Services> {
    const finished = finishRestore(dataDir);
    if (finished !== null) this.terminal.err(finished);
    if (!existsSync(join(dataDir, databaseName)))
      throw new BadSetting(
        `There is no Benchbook data in ${dataDir}. Start Benchbook once, or name its folder with --data.`,
      );
    return openServices({ dataDir, acting: actingAs(action) });
  }
}

/** The data folder that a command works on, absolute. */
export function folderNamed(command: Command, { env }: Terminal): string {
  const { data }: GlobalOptions = command.optsWithGlobals();
  return resolve(data ?? (env['BENCHBOOK_DATA'] || defaultDataDir(env, process.platform)));
}

/** What the audit log calls a command. */
export function actingAs(action: string): Acting {
  return { name: `Command line (${operator()})`, action };
}

/** Prints what a command answers. */
export function print(command: Command, terminal: Terminal, { data, lines }: Answer): void {
  const { json }: GlobalOptions = command.optsWithGlobals();
  if (json === true) terminal.out(JSON.stringify(data, null, 2));
  else for (const line of lines) terminal.out(line);
}

/** `benchbook user create`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Who works at the command line, as the system calls them. */
function operator(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** What a command is called with, its own options with those of all commands. */
function withGlobals(args: readonly unknown[], { json }: GlobalOptions): unknown[] {
  return args.map((one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) ? { ...one, json: json === true } : one,
  );
}

/** A line of the report of an export or import. */
export function reportLine({ kind, message, member, place }: Finding): string {
  return `${kind}: ${message} ${member} ${place}`.trimEnd();
}

/** `2026-05-04 08:00` of UNIX seconds, UTC. */
export function dateText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

/** One line of standard input: a password or key that must not stand in the list of processes. */
export async function readSecret(terminal: Terminal): Promise<string> {
  const [line = ''] = (await terminal.input()).split(/\r?\n/, 1);
  if (line === '') throw new BadSetting('Standard input was empty; nothing was changed.');
  return line;
}
