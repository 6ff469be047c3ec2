import { Command, CommanderError } from 'commander';

import { Problem } from '#shared/api/problem.ts';
import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import { ArchiveTooLarge } from '#shared/formats/omanual/zip-writer.ts';
import { BadSetting } from '#server/platform/config.ts';

/** Where the program was started: what it reads and where it writes. */
export interface Terminal {
  env: NodeJS.ProcessEnv;
  out: (line: string) => void;
  err: (line: string) => void;
  /** The error output, where it is a terminal with a person before it. */
  screen?: NodeJS.WriteStream;
  /** Everything that standard input brings. */
  input: () => Promise<string>;
}

/** What a command answers: as data for `--json`, as plain sentences else. */
export interface Answer {
  data: unknown;
  lines: string[];
}

/** Thrown after the answer was printed, when it tells of faults: ends with 1 and says nothing more. */
export class FoundFaults extends Error {}

/** What `benchbook` ends with: done, refused, or not understood. */
const exitCodes = { done: 0, refused: 1, usage: 2 } as const;

/** The program without its commands; what it says goes to the terminal. */
export function blankProgram({ out, err }: Terminal): Command {
  const trimmed = (text: string): string => text.replace(/\n$/, '');
  return new Command('benchbook')
    .option('--json', 'answer in JSON')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out(trimmed(text)),
      writeErr: (text) => err(trimmed(text)),
    });
}

/** Runs one command line of a program, as soon as it is there, and answers its exit code. */
export async function runProgram(
  program: Command | Promise<Command>,
  args: string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const ready = await program;
    await ready.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (error instanceof FoundFaults) return exitCodes.refused;
    const sentences =
      error instanceof Problem
        ? sentencesOf(error)
        : error instanceof BadSetting || error instanceof ArchiveRefused || error instanceof ArchiveTooLarge
          ? [error.message]
          : undefined;
    if (sentences === undefined) throw error;
    if (args.includes('--json')) terminal.err(JSON.stringify({ error: true, messages: sentences }));
    else for (const sentence of sentences) terminal.err(sentence);
    return exitCodes.refused;
  }
}

/** A refusal in sentences: what is wrong, then each field. */
function sentencesOf(problem: Problem): string[] {
  const errors = (problem.details.errors ?? []).map(({ field, message }) => `${field}: ${message}`);
  return errors.length > 0 ? errors : [problem.message];
}

/** Columns as wide as their widest cell. */
export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
