import { count } from '../plural.ts';

export const statusText = {
  title: 'Server status',
  lead: 'Backups, devices and checks of this server.',
  failed: 'Couldn’t read the status of the server',
  refresh: 'Refresh',
  allWell: 'No check found a problem',
  problems: (number: number) => count(number, 'check needs your attention', 'checks need your attention'),
  checks: 'Checks',
  levels: { ok: 'OK', warning: 'Warning', error: 'Error' },
  doctor: '“benchbook doctor” on the server makes all checks, also the slow ones.',
  backups: 'Backups',
  notScheduled:
    'Nothing is backed up by itself. Start the server with --backup FOLDER, a folder on another disk.',
  noBackup: 'No backup has been made yet.',
  lastBackup: (time: string, size: string) => `Last backup: ${time}, ${size}`,
  backupFailed: (time: string) => `A backup failed: ${time}`,
  noProof: 'No backup has been proved to be restorable yet. This happens once a week.',
  proved: (time: string) => `Proved to be restorable: ${time}`,
  proofFailed: (time: string) => `The last backup cannot be relied on: ${time}`,
  devices: 'Devices',
  devicesHint: 'Devices that have been in contact since the server started.',
  connected: (number: string) => `${number} connected now`,
  current: (number: string) => `${number} not connected, up to date`,
  behind: (number: string) => `${number} not connected, behind`,
  nothingWaits: 'No device reported changes that it could not send yet.',
  waits: (number: number, age: string) =>
    `${count(number, 'device has', 'devices have')} changes to send; the oldest is ${age} old.`,
  jobs: 'Background work',
  noJobs: 'Nothing is waiting.',
  job: (kind: string, number: string, state: string) => `${kind}: ${number} ${state}`,
  jobStates: { waiting: 'waiting', running: 'running' },
  server: 'Server',
  version: (program: string) => `Benchbook ${program}`,
  since: (time: string) => `Running since ${time}`,
  sizes: (database: string, free: string, memory: string) =>
    `Database ${database}, ${free} free on its disk, ${memory} of memory in use`,
};
