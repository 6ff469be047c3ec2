import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import type { Command } from 'commander';

import { Anchors } from '#server/features/audit/anchors.ts';
import { factsOf } from '#server/features/backup/database-facts.ts';
import { recordedLocation } from '#server/media/recorded-location.ts';
import { BadSetting, shownDatabase } from '#server/platform/config.ts';
import { randomPool } from '#server/platform/random.ts';
import { lockFolder } from '#server/storage/folder-lock.ts';
import { finishRestore } from '#server/storage/interrupted-restore.ts';
import { moveSite, undoMove, type MoveReport } from '#server/storage/move/move-site.ts';
import { PostgresSite } from '#server/storage/move/postgres-site.ts';
import { SqliteSite } from '#server/storage/move/sqlite-site.ts';
import type { FillableDatabase } from '#server/storage/move/site.ts';
import type { OnProgress } from '#server/storage/move/copy.ts';
import { openPostgres } from '#server/storage/postgres/open.ts';
import { keepFolderPrivate, mustOwnFolder } from '#server/storage/private-folder.ts';
import { databaseName, openSqlite } from '#server/storage/sqlite.ts';
import type { Storage } from '#server/storage/storage.ts';

import { table, type Answer } from './answers.ts';
import { barOf } from './bar.ts';
import { refusedByDatabase } from './database-refusals.ts';
import { actingAs, folderNamed, print, type Runner } from './terminal.ts';

const notes = `
Stop every server first. Where the site came from stays as it is, and is sealed in the end: nothing opens it any
more, so that the site cannot be changed at two places. Files (pictures, documents, archives) stay in the data folder.
If the command is interrupted, run it again.

If the move was a mistake, run the same command with --undo. It refuses that when the site was changed at its new
place, unless you add --lose-changes.

The password of the database can be in PGPASSWORD, or in ~/.pgpass.

Examples:
  benchbook move --to postgres://benchbook@db.example.org/benchbook --data /var/lib/benchbook/data
  benchbook move --from postgres://benchbook@db.example.org/benchbook --data /var/lib/benchbook/data
  benchbook move --undo --to postgres://benchbook@db.example.org/benchbook --data /var/lib/benchbook/data`;

interface MoveOptions {
  to?: string;
  from?: string;
  undo?: boolean;
  loseChanges?: boolean;
}

/** `benchbook move`: a site moves from SQLite to PostgreSQL, or back. */
export function addMoveCommand(program: Command, { terminal }: Runner): void {
  program
    .command('move')
    .description('Move the site to PostgreSQL, or back into the data folder')
    .option('--to <url>', 'PostgreSQL database to move to, which must be empty')
    .option('--from <url>', 'PostgreSQL database to move from, into the data folder')
    .option('--undo', 'undo such a move')
    .option('--lose-changes', 'undo it although the site was changed at its new place')
    .addHelpText('after', notes)
    .action(async (options: MoveOptions, command: Command) => {
      const folder = folderNamed(command, terminal);
      const { url, isToPostgres } = directionOf(options);
      const finished = finishRestore(folder);
      if (finished !== null) terminal.err(finished);
      using _lock = lockedFolder(folder, !isToPostgres && options.undo !== true);
      const ends = isToPostgres
        ? { from: sqliteAt(folder), to: postgresAt(url) }
        : { from: postgresAt(url), to: sqliteAt(folder) };
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      using bar = barOf(terminal, json === true);
      const work =
        options.undo === true
          ? undo(ends, options.loseChanges === true, folder)
          : move(ends, folder, ({ phase, table: name, rows, done, total }) =>
              bar.show({ phase: `${phases[phase]} ${name} (${rows} rows)`, done, total }),
            );
      print(command, terminal, await work.catch(refusedByDatabase));
    });
}

const phases = { copy: 'Copying', compare: 'Comparing' } as const;

/** A database of a site, and how to open it: that brings its schema up to date. */
interface End {
  site: FillableDatabase;
  open(): Promise<Storage>;
}

interface Ends {
  from: End;
  to: End;
}

const acting = actingAs('benchbook move');
const randomBytes = randomPool();
// oxlint-disable-next-line no-restricted-properties -- the clock of a command
const now = Date.now;

function sqliteAt(folder: string): End {
  return {
    site: new SqliteSite(folder, randomBytes, now),
    open: () => openSqlite(join(folder, databaseName), { acting }),
  };
}

function postgresAt(url: string): End {
  return {
    site: new PostgresSite(url, shownDatabase(url), randomBytes),
    open: () => openPostgres(url, { acting }),
  };
}

function directionOf({ to, from, undo: isUndo, loseChanges }: MoveOptions): {
  url: string;
  isToPostgres: boolean;
} {
  const url = to ?? from;
  if (url === undefined || (to !== undefined && from !== undefined))
    throw new BadSetting('Name the database with either --to or --from.');
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new BadSetting(
      'The database must be an address such as postgres://benchbook@db.example.org/benchbook.',
    );
  if (loseChanges === true && isUndo !== true)
    throw new BadSetting('--lose-changes belongs to --undo: a move loses nothing.');
  return { url, isToPostgres: to !== undefined };
}

/** Locks the data folder against servers. @throws BadSetting */
function lockedFolder(folder: string, mayBeMade: boolean): Disposable {
  if (!mayBeMade && !existsSync(join(folder, databaseName)))
    throw new BadSetting(`There is no Benchbook database in ${folder}. Name its folder with --data.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mustOwnFolder(folder);
  keepFolderPrivate(folder);
  const lock = lockFolder(folder);
  if (lock === null) throw new BadSetting(`A server is running on ${folder}. Stop it first.`);
  return lock;
}

async function move({ from, to }: Ends, folder: string, onProgress: OnProgress): Promise<Answer> {
  if ((await from.site.seal()) === null) await (await from.open())[Symbol.asyncDispose]();
  const report = await moveSite({
    from: from.site,
    to: to.site,
    acting,
    now,
    randomBytes,
    onProgress,
  });
  const missing = recordedLocation(folder) === null ? missingFiles(folder) : 0;
  return {
    data: { from: from.site.label, to: to.site.label, ...report, missing },
    lines: linesOf(from.site.label, to.site.label, folder, report, missing),
  };
}

function linesOf(
  from: string,
  to: string,
  folder: string,
  { rows, aside }: MoveReport,
  missing: number,
): string[] {
  const counts = Object.entries(rows ?? {}).filter(([, count]) => count > 0);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...table(counts.map(([name, count]) => [name, String(count)])),
    rows === null
      ? `The move from ${from} to ${to} was interrupted at its last step, and is finished now.`
      : `The site moved from ${from} to ${to}: ${total} rows, which were compared. ${from} is sealed.`,
    ...(aside === null ? [] : [aside]),
    ...(missing === 0
      ? []
      : [
          `${missing} files that records name are not in ${join(folder, 'media')}. Copy "media", "training" and "archives" from the data folder of the server before you start this one.`,
        ]),
    to === folder
      ? `Start the server with --data ${folder}, without --database.`
      : `Start the server with --database ${to} --data ${folder}.`,
  ];
}

/** How many files that records name are not in the data folder. */
function missingFiles(folder: string): number {
  const sqlite = new BetterSqlite3(join(folder, databaseName), { readonly: true });
  try {
    return factsOf(sqlite).files.filter(
      (sha256) => !existsSync(join(folder, 'media', sha256.slice(0, 2), sha256)),
    ).length;
  } finally {
    sqlite.close();
  }
}

async function undo({ from, to }: Ends, mayLose: boolean, folder: string): Promise<Answer> {
  const { lost, head } = await undoMove({ from: from.site, to: to.site, mayLose, acting, now });
  // What servers noted of the other database does not count any more; the new row of the log says so.
  await new Anchors(folder).add('begin', head, now());
  return {
    data: { site: from.site.label, givenUp: to.site.label, lost },
    lines: [
      `The move is undone: the site is at ${from.site.label} again, and ${to.site.label} is given up.`,
      ...(lost
        ? ['What was changed only there is lost here. Devices offer again what they sent, as they come.']
        : []),
      from.site.label === folder
        ? `Start the server with --data ${folder}, without --database.`
        : `Start the server with --database ${from.site.label} --data ${folder}.`,
    ],
  };
}
