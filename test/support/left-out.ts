/** What tests of SQLite are about that PostgreSQL does not have, or has elsewhere. */
export const reasons = {
  file: 'about the file of SQLite: damage, a full disk, its log, its mode',
  backup: 'about backups of the file of SQLite',
  migration: 'about a migration of an old database, which only SQLite has',
  command: 'runs a command on a data folder, which has the file of SQLite',
  move: 'moves a site between SQLite and PostgreSQL, so every run of the tests uses both',
  packs: 'about packs, which nodes on PostgreSQL do not make',
  key: 'about the key of the server in the data folder; PostgreSQL has it in the database',
  version: 'notices writes by the version of SQLite; that of PostgreSQL moves with writes of others too',
  plan: 'about the plans of SQLite',
} as const;

export type Reason = keyof typeof reasons;

/** Test files that `npm run test:postgres` leaves out as a whole, and why. */
export const filesOfSqlite: Record<string, Reason> = {
  'test/sync-server/backup-damage.test.ts': 'backup',
  'test/sync-server/backup-refusals.test.ts': 'backup',
  'test/sync-server/backup-retention.test.ts': 'backup',
  'test/sync-server/backup-schedule.test.ts': 'backup',
  'test/sync-server/backup.test.ts': 'backup',
  'test/sync-server/damaged-database.test.ts': 'file',
  'test/sync-server/doctor.test.ts': 'command',
  'test/sync-server/move/backup.test.ts': 'move',
  'test/sync-server/move/devices.test.ts': 'move',
  'test/sync-server/move/interrupted.test.ts': 'move',
  'test/sync-server/move/move.test.ts': 'move',
  'test/sync-server/move/sealed.test.ts': 'move',
  'test/sync-server/move/undo.test.ts': 'move',
  'test/sync-server/packs.test.ts': 'packs',
  'test/sync-server/restore-full-disk.test.ts': 'backup',
  'test/sync-server/restore.test.ts': 'backup',
  'test/sync-server/storage/authors-migration.test.ts': 'migration',
  'test/sync-server/storage/counted-revisions-migration.test.ts': 'migration',
  'test/sync-server/storage/failing-disk.test.ts': 'file',
  'test/sync-server/storage/lists-of-orders-migration.test.ts': 'migration',
  'test/sync-server/storage/people-migration.test.ts': 'migration',
  'test/sync-server/storage/reports-migration.test.ts': 'migration',
  'test/sync-server/storage/setting-names-migration.test.ts': 'migration',
  'test/sync-server/storage/sqlite.test.ts': 'file',
  'test/sync-server/storage/stations-migration.test.ts': 'migration',
  'test/sync-server/storage/tracing-migration.test.ts': 'migration',
};

/** Where runs note which tests they left out (`test/run.ts --postgres`): the path of a file. */
export const leftOutVariable = 'BENCHBOOK_LEFT_OUT';

/** Lines about what a run on PostgreSQL left out: files, and the tests that it noted. */
export function leftOut(noted: string): string[] {
  const count = (of: readonly string[]): string[] =>
    [...Map.groupBy(of, (one) => one)].map(([reason, all]) => `${all.length} ${reason}`);
  const tests = noted.split('\n').filter((line) => line !== '');
  const files = Object.values(filesOfSqlite).map((reason) => reasons[reason]);
  return [
    ...count(files).map((line) => `left out, files: ${line}`),
    ...count(tests).map((line) => `left out, tests: ${line}`),
  ];
}
