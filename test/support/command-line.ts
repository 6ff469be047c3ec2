import { runCli } from '#server/cli/program.ts';

import { databaseOf, onPostgres } from './postgres-databases.ts';

/** The result of a command: its exit code, and its lines. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs a command `benchbook` in this process, on the database of its data folder. `input` is what a person types. */
export async function runCommand(args: string[], input = ''): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, {
    env: await environment(args),
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    input: async () => input,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function environment(args: readonly string[]): Promise<Record<string, string>> {
  const dataDir = args[args.indexOf('--data') + 1];
  return args.includes('--data') && dataDir !== undefined ? databaseIn(dataDir) : Promise.resolve({});
}

/** The variables that name the database of a data folder to a command. */
export async function databaseIn(dataDir: string): Promise<Record<string, string>> {
  return onPostgres() ? { BENCHBOOK_DATABASE: await databaseOf(dataDir) } : {};
}
