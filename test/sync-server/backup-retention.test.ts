import { expect, test } from 'vitest';

import { noCipher } from '#server/features/backup/cipher.ts';
import { sqliteOf } from '#server/features/backup/databases.ts';
import { makeBackup } from '#server/features/backup/make-backup.ts';
import { Repository } from '#server/features/backup/repository.ts';
import { backupName, backupsToRemove } from '#server/features/backup/retention.ts';
import { FolderTarget } from '#server/features/backup/target.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { benchbook, folders, workshop } from './backup-folders.ts';

test('BACKUP-10 all backups of a day stay, then the newest of each day, week and month', () => {
  const hour = 3_600_000;
  const end = Date.parse('2026-11-26T12:00:00Z');
  const names = Array.from({ length: 24 * 500 }, (_, index) => backupName(end - index * hour));
  const removed = new Set(backupsToRemove(names, { days: 7, weeks: 4, months: 12 }, end));
  const kept = names.filter((name) => !removed.has(name));
  expect(kept.slice(0, 24)).toEqual(names.slice(0, 24));
  expect(kept.slice(24).map((name) => name.slice(0, 10))).toEqual([
    // The newest of each day for seven days; Sundays end weeks.
    '2026-11-24',
    '2026-11-23',
    '2026-11-22',
    '2026-11-21',
    '2026-11-20',
    '2026-11-15',
    '2026-11-08',
    '2026-10-31',
    '2026-09-30',
    '2026-08-31',
    '2026-07-31',
    '2026-06-30',
    '2026-05-31',
    '2026-04-30',
    '2026-03-31',
    '2026-02-28',
    '2026-01-31',
    '2025-12-31',
  ]);
  expect(
    backupsToRemove([...names, 'notes.txt'], { days: 1, weeks: 0, months: 0 }, end + 90 * 24 * hour),
  ).not.toContain('notes.txt');
  expect(backupsToRemove(names.slice(0, 1), { days: 0, weeks: 0, months: 0 }, end + 90 * 24 * hour)).toEqual(
    [],
  );
});

test('BACKUP-11 removing a backup removes what only it needed, and the others stay whole', async () => {
  using at = folders();
  await using shop = await workshop(at);
  const dayMs = 86_400_000;
  const target = await FolderTarget.open(at.backup, { make: true });
  const repository = await Repository.open(target, noCipher, { make: true });
  let now = Date.parse('2026-11-01T03:00:00Z');
  const make = () =>
    makeBackup({
      dataDir: at.data,
      database: sqliteOf(at.data),
      isDoubtful: false,
      repository,
      retention: { days: 2, weeks: 0, months: 0 },
      program: '1.0.0',
      now: () => now,
    });
  for (let day = 0; day < 5; day += 1) {
    await makeGuide(shop.ana);
    await make();
    now += dayMs;
  }
  expect(await repository.names()).toEqual(['2026-11-04T03-00-00Z', '2026-11-05T03-00-00Z']);
  const needed = new Set<string>();
  for (const name of await repository.names()) {
    const { database, files } = await repository.manifest(name);
    for (const { sha256 } of [database, ...files]) needed.add(sha256);
  }
  expect(await repository.objects()).toEqual(needed);
  for (const name of await repository.names())
    expect((await benchbook('verify', at.backup, '--backup', name, '--data', at.data)).code).toBe(0);
});
