import { Command, CommanderError } from 'commander';

import { Problem } from '#shared/api/problem.ts';
import { ArchiveRefused } from '#shared/omanual/archive.ts';
import { BadSetting } from '#server/config.ts';

import { addApprovalCommands } from './approval-commands.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addAppIdCommands } from './app-id-commands.ts';
import { addOmanualCommands } from './omanual-commands.ts';
import { addExportCommand } from './export-command.ts';
import { addImportCommand } from './import-command.ts';
import { addSignOnCommands } from './sign-on-commands.ts';
import { addSiteCommands } from './site-commands.ts';
import { FoundFaults, Runner, sentencesOf, type Terminal } from './terminal.ts';
import { addUserCommands } from './user-commands.ts';
import { addWebhookCommands } from './webhook-commands.ts';

/** What `benchbook` ends with: done, refused, or not understood. */
export const exitCodes = { done: 0, refused: 1, usage: 2 } as const;

const notes = `
Works on the data folder, also while the server runs: the server notices what changed.
Ends with 0 when it is done, 1 when it was refused, 2 when the command was not understood.`;

/** Runs one command line and answers its exit code. */
export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  const program = buildProgram(terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (error instanceof FoundFaults) return exitCodes.refused;
    const sentences =
      error instanceof Problem
        ? sentencesOf(error)
        : error instanceof BadSetting || error instanceof ArchiveRefused
          ? [error.message]
          : undefined;
    if (sentences === undefined) throw error;
    if (args.includes('--json')) terminal.err(JSON.stringify({ error: true, messages: sentences }));
    else for (const sentence of sentences) terminal.err(sentence);
    return exitCodes.refused;
  }
}

function buildProgram(terminal: Terminal): Command {
  const trimmed = (text: string): string => text.replace(/\n$/, '');
  const program = new Command('benchbook')
    .description('Administers a Benchbook server: settings, people, app ids, webhooks, archives, audit log')
    .option(
      '--data <folder>',
      "folder of database and media (or BENCHBOOK_DATA; default: the user's data folder)",
    )
    .option('--json', 'answer in JSON')
    .addHelpText('after', notes)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(trimmed(text)),
      writeErr: (text) => terminal.err(trimmed(text)),
    });
  const runner = new Runner(terminal);
  addSiteCommands(program, runner);
  addUserCommands(program, runner);
  addAppIdCommands(program, runner);
  addWebhookCommands(program, runner);
  addAuditCommands(program, runner);
  addSignOnCommands(program, runner);
  addApprovalCommands(program, runner);
  addExportCommand(program, runner);
  addImportCommand(program, runner);
  addOmanualCommands(program, terminal);
  return program;
}
