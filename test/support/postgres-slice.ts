/** Test files that `npm test` runs on PostgreSQL too. `npm run test:postgres` runs all of the server. */
export const postgresSlice: readonly string[] = [
  'test/sync-server/approvals-tampering.test.ts',
  'test/sync-server/audit.test.ts',
  'test/sync-server/guides.test.ts',
  'test/sync-server/idempotency.test.ts',
  'test/sync-server/import.test.ts',
  'test/sync-server/people.test.ts',
  'test/sync-server/reports.test.ts',
  'test/sync-server/search.test.ts',
  'test/sync-server/storage/group-commit.test.ts',
  'test/sync-server/storage/prepared.test.ts',
  'test/sync-server/storage/search-entries.test.ts',
  'test/sync-server/sync.test.ts',
  'test/sync-server/training-player.test.ts',
  'test/sync-server/work-log.test.ts',
];
