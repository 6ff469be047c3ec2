import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { defaultSite } from '#server/core/site-settings.ts';
import { BackupSchedule, type CommandResult } from '#server/features/backup/schedule.ts';
import { backupStateFile, changeBackupState, readBackupState } from '#server/features/backup/state.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';
import type { Mail } from '#server/features/mail/mailer.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

const hourMs = 3_600_000;
const start = Date.parse('2026-11-26T03:00:00Z');
const smtp = { host: 'mail', port: 25, tls: false, user: null, password: null, from: 'guides@example.com' };

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.person('Ada', ['Admin']);
  await server.person('Ana');
});
afterAll(() => server[Symbol.asyncDispose]());

let dataDir: string;
let now: number;
let mails: Mail[];
/** Commands in the order in which they ran, each with its hour since the start. */
let ran: string[];
let result: CommandResult;
/** What the schedule waits for. */
let timer: { at: number; work: () => void } | null;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'benchbook-schedule-'));
  now = start;
  mails = [];
  ran = [];
  result = { code: 0, text: '' };
  timer = null;
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function setTimer(work: () => void, ms: number): () => void {
  const own = { at: now + ms, work };
  timer = own;
  return () => {
    if (timer === own) timer = null;
  };
}

/** What the commands leave behind, as the real ones do. */
async function run(args: string[]): Promise<CommandResult> {
  ran.push(`${((now - start) / hourMs).toFixed(1)} ${args.join(' ')}`);
  const done = { at: now, name: '2026-11-26T03-00-00Z', findings: [] };
  if (result.code === 0)
    await changeBackupState(
      dataDir,
      args[0] === 'backup' ? { lastBackup: { ...done, files: 1, bytes: 1 } } : { lastProof: done },
    );
  return result;
}

function scheduleOf(hours: number, isOurs?: () => Promise<boolean>): BackupSchedule {
  const services = {
    now: () => now,
    log: pino({ level: 'silent' }),
    site: { ...defaultSite, title: 'North plant', smtp, backup_hours: hours, backup_days: 3 },
    mailer: { send: (mail: Mail) => void mails.push(mail) },
    storage: server.services.storage,
  };
  return new BackupSchedule(services, {
    dataDir,
    run,
    setTimer,
    ...(isOurs === undefined ? {} : { isOurs }),
  });
}

/** Lets hours pass, ten minutes at a time, with the work that is due in them. */
async function pass(hours: number): Promise<void> {
  for (let left = hours * 6; left > 0; left -= 1) {
    now += 10 * 60_000;
    if (timer === null || timer.at > now) continue;
    const { work } = timer;
    timer = null;
    work();
    await vi.waitFor(() => expect(timer).not.toBeNull(), { interval: 2, timeout: 60_000 });
  }
}

test('BACKUP-12 backups are made at the interval of the settings, and one is proved each week', async () => {
  await using schedule = scheduleOf(24);
  await schedule.start();
  await pass(24 * 8);
  const backups = ran.filter((line) => line.includes('backup'));
  expect(backups).toHaveLength(8);
  expect(backups[0]).toBe('0.2 backup --keep-days 3 --keep-weeks 4 --keep-months 12');
  expect(ran.filter((line) => line.includes('verify'))).toHaveLength(2);
  expect(mails).toEqual([]);
});

test('BACKUP-24 a node makes no scheduled backups while another one has the lease, and goes on when it ends', async () => {
  let isOurs = false;
  await using schedule = scheduleOf(1, async () => isOurs);
  await schedule.start();
  await pass(5);
  expect(ran).toEqual([]);
  isOurs = true;
  await pass(5);
  expect(ran.filter((line) => line.includes('backup')).length).toBeGreaterThan(3);
});

test('BACKUP-13 a failure is mailed to administrators once, and so is its end; it is tried again meanwhile', async () => {
  await using schedule = scheduleOf(1);
  await schedule.start();
  result = { code: 1, text: 'The disk of /mnt/backup is full.' };
  await pass(2);
  expect(ran.length).toBeGreaterThan(5);
  expect(mails).toMatchObject([{ to: 'ada@example.com', subject: 'The backup of North plant failed' }]);
  expect(mails[0]?.text).toContain('The disk of /mnt/backup is full.');
  result = { code: 0, text: '' };
  await pass(1);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'The backup of North plant failed',
    'The backup of North plant works again',
  ]);
});

test('BACKUP-14 a server that is started again waits for what is left of the interval', async () => {
  await changeBackupState(dataDir, {
    lastBackup: { at: start - 20 * hourMs, name: 'x', findings: [], files: 1, bytes: 1 },
    lastProof: { at: start - 20 * hourMs, name: 'x', findings: [] },
  });
  await using schedule = scheduleOf(24);
  await schedule.start();
  await pass(3);
  expect(ran).toEqual([]);
  await pass(2);
  expect(ran).toHaveLength(1);
});

async function enableEverybody(on: boolean): Promise<void> {
  const { services } = server;
  await services.storage.write(ownOrigin(services), (tx) =>
    tx
      .updateTable('users')
      .set({ enabled: on ? 1 : 0 })
      .execute(),
  );
}

test('BACKUP-17 a server without an administrator is not backed up', async () => {
  await enableEverybody(false);
  try {
    await using schedule = scheduleOf(1);
    await schedule.start();
    await pass(3);
    expect(ran).toEqual([]);
    await enableEverybody(true);
    await pass(1);
    expect(ran).not.toEqual([]);
  } finally {
    await enableEverybody(true);
  }
});

test('BACKUP-13 a proof that failed is repeated after the next backup', async () => {
  await changeBackupState(dataDir, {
    lastBackup: { at: start - hourMs, name: 'x', findings: [], files: 1, bytes: 1 },
    lastProof: { at: start - hourMs / 2, name: 'x', findings: ['A file is damaged.'] },
  });
  await using schedule = scheduleOf(2);
  await schedule.start();
  await pass(4);
  expect(ran.map((line) => line.split(' ')[1])).toEqual(['backup', 'verify', 'backup']);
});

test('BACKUP-14 a state that another version wrote is understood', async () => {
  const { targets: _, notified: __, ...state } = await readBackupState(dataDir);
  const lastBackup = { at: start, name: 'x', findings: [], files: 1, bytes: 1, more: true };
  const text = JSON.stringify({ ...state, lastBackup, told: { backup: false, verify: false } });
  writeFileSync(join(dataDir, backupStateFile), text);
  expect(await readBackupState(dataDir)).toMatchObject({
    lastBackup: { at: start },
    targets: [],
    notified: { backup: false, verify: false },
  });
});

test('BACKUP-13 a backup that was killed is a failure, and waits before the next attempt', async () => {
  await using schedule = new BackupSchedule(
    {
      now: () => now,
      log: pino({ level: 'silent' }),
      site: { ...defaultSite, title: 'North plant', smtp },
      mailer: { send: (mail: Mail) => void mails.push(mail) },
      storage: server.services.storage,
    },
    {
      dataDir,
      setTimer,
      run: async () => {
        ran.push('killed');
        throw new Error('The process was killed');
      },
    },
  );
  await schedule.start();
  await pass(1);
  expect(ran.length).toBeLessThanOrEqual(6);
  expect(mails).toMatchObject([{ subject: 'The backup of North plant failed' }]);
});

test('BACKUP-12 a backup in the future, of a wrong clock, does not stop the next ones', async () => {
  const future = start + 4 * 365 * 24 * hourMs;
  await changeBackupState(dataDir, {
    lastBackup: { at: future, name: 'x', findings: [], files: 1, bytes: 1 },
    lastProof: { at: future, name: 'x', findings: [] },
  });
  await using schedule = scheduleOf(24);
  await schedule.start();
  await pass(1);
  expect(ran.map((line) => line.split(' ')[1])).toContain('backup');
});

test('BACKUP-20 a backup is made at once, and the next one follows after the interval', async () => {
  await using schedule = scheduleOf(24);
  await schedule.start();
  await pass(1);
  expect(ran).toHaveLength(2);
  await pass(5);
  timer = null;
  expect(schedule.makeNow()).toBe(true);
  expect(schedule.makeNow()).toBe(false);
  await vi.waitFor(() => expect(timer).not.toBeNull(), { interval: 2, timeout: 60_000 });
  expect(ran.at(-1)).toBe('6.0 backup --keep-days 3 --keep-weeks 4 --keep-months 12');
  await pass(23);
  expect(ran).toHaveLength(3);
  await pass(1);
  expect(ran.at(-1)).toMatch(/^30\.0 backup/);
});
