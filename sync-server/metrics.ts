import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { readBackupState } from './features/backup/state.ts';
import type { GaugeSource } from './http/metrics.ts';
import { countOpenJobs } from './jobs/store.ts';
import { deviceSummary } from './core/devices.ts';
import type { Services } from './core/services.ts';
import { feedHead } from './storage/feed.ts';
import { databaseName } from './storage/sqlite.ts';

/** The gauges of `/metrics` about data, queues, disk and backups. */
export function gaugesOf(
  services: Pick<Services, 'storage' | 'damage' | 'devices' | 'now'>,
  dataDir: string,
): GaugeSource[] {
  const { storage, damage, now } = services;
  const db = storage.reader;
  const one = (name: string, help: string, read: () => Promise<number>): GaugeSource => ({
    name,
    help,
    read: async () => [{ value: await read() }],
  });
  const sizeOf = async (file: string): Promise<number> => {
    const facts = await stat(join(dataDir, file)).catch(() => null);
    return facts?.size ?? 0;
  };
  return [
    one('benchbook_feed_head', 'Sequence number of the newest change that devices can pull', () =>
      feedHead(db),
    ),
    {
      name: 'benchbook_devices',
      help: 'Devices that asked for changes since the start: connected, or at their last contact current or behind',
      labels: ['state'],
      read: async () => {
        const { connected, current, behind } = await deviceSummary(services);
        return Object.entries({ connected, current, behind }).map(([state, value]) => ({
          labels: { state },
          value,
        }));
      },
    },
    one(
      'benchbook_devices_waiting',
      'Devices that reported changes that they have not sent yet',
      async () => (await deviceSummary(services)).waiting,
    ),
    {
      name: 'benchbook_device_wait_seconds',
      help: 'Age of the oldest change that waits on a device; absent if none waits',
      read: async () => {
        const { oldestSeconds } = await deviceSummary(services);
        return oldestSeconds === null ? [] : [{ value: oldestSeconds }];
      },
    },
    one(
      'benchbook_event_streams',
      'Devices that are connected and wait for changes',
      async () => services.devices.streams,
    ),
    one('benchbook_writes_waiting', 'Writes that wait for the database', async () => storage.waiting()),
    {
      name: 'benchbook_jobs',
      help: 'Jobs that wait or run',
      labels: ['kind', 'state'],
      read: async () => {
        const rows = await countOpenJobs(db);
        return rows.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count }));
      },
    },
    {
      name: 'benchbook_webhook_deliveries',
      help: 'Deliveries of webhooks that wait, or were given up',
      labels: ['status'],
      read: async () => {
        const rows = await db
          .selectFrom('webhook_deliveries')
          .select('status')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('status', 'in', ['waiting', 'dead'])
          .groupBy('status')
          .execute();
        return rows.map(({ status, count }) => ({ labels: { status }, value: count }));
      },
    },
    one('benchbook_database_bytes', 'Size of the database', () => storage.size()),
    one('benchbook_wal_bytes', 'Size of the write-ahead log of the database', () =>
      sizeOf(`${databaseName}-wal`),
    ),
    one('benchbook_disk_free_bytes', 'Free space on the disk of the data folder', async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    }),
    one('benchbook_database_damaged', '1 where the database was found damaged', async () =>
      damage.found === null ? 0 : 1,
    ),
    {
      name: 'benchbook_backup_age_seconds',
      help: 'Time since the last backup; absent where there is none',
      read: async () => agesOf((await readBackupState(dataDir, now())).lastBackup),
    },
    {
      name: 'benchbook_backup_proof_age_seconds',
      help: 'Time since a backup was last proved to be restorable; absent where none was',
      read: async () => {
        const { lastProof } = await readBackupState(dataDir, now());
        return agesOf(lastProof?.findings.length === 0 ? lastProof : null);
      },
    },
    one('benchbook_backup_failed', '1 where the last backup or the last proof failed', async () => {
      const { failedBackup, lastProof } = await readBackupState(dataDir, now());
      return failedBackup !== null || (lastProof?.findings.length ?? 0) > 0 ? 1 : 0;
    }),
  ];

  function agesOf(attempt: { at: number } | null): { value: number }[] {
    return attempt === null ? [] : [{ value: Math.max(0, (now() - attempt.at) / 1000) }];
  }
}
