import type { Command } from 'commander';

import { BadSetting, shownDatabase } from '#server/platform/config.ts';
import { randomPool } from '#server/platform/random.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import { appendNote } from '#server/storage/audit/recorder.ts';
import { leap } from '#server/storage/leap.ts';
import { mustNotHaveMoved } from '#server/storage/move/marks.ts';
import { PostgresSite } from '#server/storage/move/postgres-site.ts';

import { refusedByDatabase } from './database-refusals.ts';
import { actingAs, databaseNamed, print, type Runner } from './terminal.ts';

const notes = `
Run it once after pg_restore, psql or a service of your provider has put back an older state of the PostgreSQL
database, and before a server starts on it. Devices then notice what is missing and offer it again, and everything
that is made from now on gets numbers that were never given out. "benchbook restore" does this by itself.

Example:
  benchbook restored --database postgres://benchbook@db.example.org/benchbook`;

/**
 * `benchbook restored`.
 *
 * - RESTORE-7 After a dump of a PostgreSQL database was restored, it performs the id leap, while no server is connected.
 */
export function addRestoredCommand(program: Command, { terminal }: Runner): void {
  program
    .command('restored')
    .description('Go on after a dump of the PostgreSQL database was restored')
    .addHelpText('after', notes)
    .action(async (_: unknown, command: Command) => {
      const url = databaseNamed(command, terminal);
      if (url === undefined)
        throw new BadSetting(
          'Name the PostgreSQL database with --database. For SQLite, "benchbook restore" is enough.',
        );
      const site = new PostgresSite(url, shownDatabase(url), randomPool());
      const work = site.hold(async ({ db }) => {
        await mustNotHaveMoved(db);
        await leap(db);
        const note = { outcome: 'done', object: { kind: 'database', id: '' } } as const;
        // oxlint-disable-next-line no-restricted-properties -- the clock of a command
        await appendNote(db, ownOrigin({ acting: actingAs('benchbook restored') }), note, Date.now());
      });
      await work.catch(refusedByDatabase);
      print(command, terminal, {
        data: { database: site.label },
        lines: [
          `${site.label} goes on with numbers that were never given out. Start the servers; devices offer again what the dump lacks, as they come.`,
        ],
      });
    });
}
