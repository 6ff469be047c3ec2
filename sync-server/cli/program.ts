import type { Command } from 'commander';

import { drawMarkers } from '#server/resources/omanual/marked.ts';

import { addApprovalCommands } from './approval-commands.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addAppIdCommands } from './app-id-commands.ts';
import { addOmanualCommands } from './omanual-commands.ts';
import { addExportCommand } from './export-command.ts';
import { addImportCommand } from './import-command.ts';
import { addSignOnCommands } from './sign-on-commands.ts';
import { addSiteCommands } from './site-commands.ts';
import { blankProgram, runProgram, type Terminal } from './answers.ts';
import { Runner } from './terminal.ts';
import { addUserCommands } from './user-commands.ts';
import { addWebhookCommands } from './webhook-commands.ts';

const notes = `
Works on the data folder, also while the server runs: the server notices what changed.
Ends with 0 when it is done, 1 when it was refused, 2 when the command was not understood.`;

/** Runs one command line and answers its exit code. */
export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  return runProgram(buildProgram(terminal), args, terminal);
}

function buildProgram(terminal: Terminal): Command {
  const program = blankProgram(terminal)
    .description('Administers a Benchbook server: settings, people, app ids, webhooks, archives, audit log')
    .option(
      '--data <folder>',
      "folder of database and media (or BENCHBOOK_DATA; default: the user's data folder)",
    )
    .addHelpText('after', notes);
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
  addOmanualCommands(program, terminal, { marked: drawMarkers });
  return program;
}
