import { lstat, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { hasServerKey, keyFileName, ServerKey } from '#server/core/identity/server-key.ts';
import { databaseName } from '#server/storage/sqlite.ts';

import { fault, ok, sizeOf, warning, type Finding } from './finding.ts';

/** Less free space is a warning, bytes. */
const littleBytes = 2 * 1024 ** 3;
/** Less free space is an error, because the server may soon refuse writes, bytes. */
const fewBytes = 256 * 1024 ** 2;
/** A longer write-ahead log means that a reader prevents checkpoints, bytes. */
const longWalBytes = 128 * 1024 ** 2;

const bitsOfOthers = 0o077;

/** Whether only the account of the server can use the folder. `uid`: the account that runs; undefined on Windows. */
export async function checkPermissions(dataDir: string, uid = process.getuid?.()): Promise<Finding[]> {
  const check = 'permissions';
  if (uid === undefined) return [ok(check, 'Access lists of Windows protect the data folder.')];
  const open: string[] = [];
  const foreign: string[] = [];
  for (const name of ['.', ...(await readdir(dataDir))]) {
    const facts = await lstat(join(dataDir, name)).catch(() => null);
    if (facts === null) continue;
    if (facts.uid !== uid) foreign.push(name);
    if ((facts.mode & bitsOfOthers) !== 0 && !facts.isSymbolicLink()) open.push(name);
  }
  const found = [
    ...(foreign.length > 0
      ? [
          fault(
            check,
            `${list(foreign)} in ${dataDir} ${foreign.length === 1 ? 'belongs' : 'belong'} to another account than the one that runs this.`,
            `Run benchbook as the account of the server, such as with "sudo -u benchbook". If files were copied there by another account: chown -R benchbook: ${dataDir}`,
          ),
        ]
      : []),
    ...(open.length > 0
      ? [
          fault(
            check,
            `Other accounts of this machine can open ${list(open)} in ${dataDir}.`,
            `The next start of the server closes them; until then: chmod -R go= ${dataDir}`,
          ),
        ]
      : []),
  ];
  return found.length > 0 ? found : [ok(check, 'Only the account of the server can open the data folder.')];
}

const list = (names: string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

export async function checkDisk(dataDir: string): Promise<Finding[]> {
  const check = 'disk';
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const message = `The disk of the data folder has ${sizeOf(free)} free.`;
  const advice = 'Make room, or move the data folder to a larger disk while the server is stopped.';
  if (free < fewBytes)
    return [fault(check, message, `${advice} Until then saving fails, and reading goes on.`)];
  return [free < littleBytes ? warning(check, message, advice) : ok(check, message)];
}

export async function checkWal(dataDir: string): Promise<Finding[]> {
  const check = 'wal';
  const facts = await stat(join(dataDir, `${databaseName}-wal`)).catch(() => null);
  const size = facts?.size ?? 0;
  if (size <= longWalBytes) return [ok(check, `The write-ahead log of the database has ${sizeOf(size)}.`)];
  return [
    warning(
      check,
      `The write-ahead log of the database has grown to ${sizeOf(size)}.`,
      'A program keeps the database open in a long read, such as a backup tool that copies the file. End it; the log shrinks with the next restart of the server.',
    ),
  ];
}

export async function checkServerKey(dataDir: string): Promise<Finding[]> {
  const check = 'server-key';
  if (!hasServerKey(dataDir))
    return [
      fault(
        check,
        `${keyFileName} is missing, by which devices know this server.`,
        'Put it back from an encrypted backup. If it is lost, "benchbook site new-key" makes this another server for devices.',
      ),
    ];
  try {
    const { id } = await ServerKey.read(dataDir);
    return [ok(check, `Devices know this server as ${id}.`)];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [fault(check, message, 'Put the key back from an encrypted backup.')];
  }
}
