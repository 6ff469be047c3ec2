import { text } from 'node:stream/consumers';
import { Command, CommanderError } from 'commander';

import { Problem } from '#shared/api/problem.ts';
import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import { visibleText } from '#shared/formats/omanual/names.ts';
import { ArchiveTooLarge } from '#shared/formats/omanual/too-large.ts';
import { BadSetting } from '#server/platform/config.ts';

/** The environment of the program: its input and output. */
export interface Terminal {
  env: NodeJS.ProcessEnv;
  out: (line: string) => void;
  err: (line: string) => void;
  /** The error output, if it is an interactive terminal. */
  screen?: NodeJS.WriteStream;
  /** Reads standard input to its end. */
  input: () => Promise<string>;
}

/** The result of a command: data for `--json`, and sentences otherwise. */
export interface Answer {
  data: unknown;
  lines: string[];
}

/** The refusal of a command that stores much while another such command runs. */
export const otherCommand =
  'Another command (import or mirror) is working in this data folder; run this one when it has ended.';

/** Thrown after a result with faults was printed: the program ends with 1 and prints nothing more. */
export class FoundFaults extends Error {}

/**
 * Exit codes.
 *
 * - CLI-3 A refusal is a plain sentence on the error output (JSON with `--json`), ends with 1, and changes nothing.
 * - CLI-7 A command that is not understood ends with 2.
 */
const exitCodes = { done: 0, refused: 1, usage: 2 } as const;

/** The program without its commands. Its output goes to the terminal. */
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

/** Runs one command line of a program and returns its exit code. */
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
    else for (const sentence of sentences) terminal.err(sentence.split('\n').map(visibleText).join('\n'));
    return exitCodes.refused;
  }
}

/** A refusal as sentences: one for each field, else its message. */
function sentencesOf(problem: Problem): string[] {
  const errors = (problem.details.errors ?? []).map(({ field, message }) => `${field}: ${message}`);
  return errors.length > 0 ? errors : [problem.message];
}

/** Formats rows as lines with aligned columns. */
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

/**
 * The terminal of this process.
 *
 * - CLI-11 If a reader closes its end early (`| head`), no error is printed, and the command is completed.
 */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return {
    env: process.env,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    ...(process.stderr.isTTY ? { screen: process.stderr } : {}),
    input: () => text(process.stdin),
  };
}
