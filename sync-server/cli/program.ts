/**
 * The command line: `npm run benchbook -- <command>`.
 *
 * - CLI-1 Commands work on the data folder, also while the server runs. The server uses changed settings and data
 *   within a second.
 * - CLI-14 A command loads only what it needs: `omanual` loads neither the server nor a database, and drawing code
 *   only for the first picture with markers. A package of 1 GB is shown, checked and converted within 200 MB of memory
 *   for the whole process (`npm run bench:omanual -- --large`), including drawing markers into photos: on Linux
 *   `omanual convert` restarts itself with one malloc arena instead of one for each thread.
 */
import type { Command } from 'commander';

import type { WriteOptions } from '#shared/formats/omanual/content.ts';

import { blankProgram, runProgram, type Terminal } from './answers.ts';
import type { Runner } from './terminal.ts';

const notes = `
Works on the data folder, also while the server runs: the server notices what changed.
Ends with 0 when it is done, 1 when it was refused, 2 when the command was not understood.`;

type AddCommands = (program: Command, terminal: Terminal) => void;

/** The commands for the first word of a command line. Each is loaded when it is used (CLI-14). */
const groups: ReadonlyMap<string, () => Promise<AddCommands>> = new Map([
  ['site', async () => onData((await import('./site-commands.ts')).addSiteCommands)],
  ['user', async () => onData((await import('./user-commands.ts')).addUserCommands)],
  ['appid', async () => onData((await import('./app-id-commands.ts')).addAppIdCommands)],
  ['webhook', async () => onData((await import('./webhook-commands.ts')).addWebhookCommands)],
  ['audit', async () => onData((await import('./audit-commands.ts')).addAuditCommands)],
  ['sign-on', async () => onData((await import('./sign-on-commands.ts')).addSignOnCommands)],
  ['approvals', async () => onData((await import('./approval-commands.ts')).addApprovalCommands)],
  ['updates', async () => onData((await import('./update-commands.ts')).addUpdateCommands)],
  ['export', async () => onData((await import('./export-command.ts')).addExportCommand)],
  ['import', async () => onData((await import('./import-command.ts')).addImportCommand)],
  ['mirror', async () => onData((await import('./mirror-command.ts')).addMirrorCommand)],
  ['backup', backupCommands],
  ['backups', backupCommands],
  ['backup-key', backupCommands],
  ['unpack-backup', backupCommands],
  ['verify', backupCommands],
  ['doctor', async () => onData((await import('./doctor-command.ts')).addDoctorCommand)],
  ['move', async () => onData((await import('./move-command.ts')).addMoveCommand)],
  ['restore', async () => onData((await import('./restore-command.ts')).addRestoreCommand)],
  ['restored', async () => onData((await import('./restored-command.ts')).addRestoredCommand)],
  ['omanual', omanualCommands],
]);

/** Runs one command line and returns its exit code. */
export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  return runProgram(buildProgram(args, terminal), args, terminal);
}

/** The program with the commands of the first word; with all commands for help, or for an unknown word. */
async function buildProgram(args: string[], terminal: Terminal): Promise<Command> {
  const [word = ''] = namedProgram(terminal).parseOptions(args).operands;
  const asked = groups.get(word);
  const program = namedProgram(terminal);
  for (const load of asked === undefined ? new Set(groups.values()) : [asked])
    (await load())(program, terminal);
  return program;
}

function namedProgram(terminal: Terminal): Command {
  return blankProgram(terminal)
    .description('Administers a Benchbook server: settings, people, app ids, webhooks, archives, audit log')
    .option(
      '--data <folder>',
      "folder of database and media (or BENCHBOOK_DATA; default: the user's data folder)",
    )
    .option(
      '--database <url>',
      'PostgreSQL database instead of SQLite in the data folder (or BENCHBOOK_DATABASE)',
    )
    .addHelpText('after', notes);
}

/** Commands that work on an open data folder. */
async function onData(add: (program: Command, runner: Runner) => void): Promise<AddCommands> {
  const terminals = await import('./terminal.ts');
  return (program, terminal) => add(program, new terminals.Runner(terminal));
}

async function backupCommands(): Promise<AddCommands> {
  return onData((await import('./backup-commands.ts')).addBackupCommands);
}

async function omanualCommands(): Promise<AddCommands> {
  const { addOmanualCommands } = await import('./omanual-commands.ts');
  return (program, terminal) => addOmanualCommands(program, terminal, { marked });
}

/** Loads the code that draws markers when the first picture with markers needs it. */
const marked: NonNullable<WriteOptions['marked']> = async (image, bytes) => {
  const { drawMarkers } = await import('#server/features/omanual/draw-markers.ts');
  return drawMarkers(image, bytes);
};
