import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { isRoot, unprivileged } from './unprivileged.ts';

/** A disk for the user data of an app, which a test can fill. */
export interface SmallDisk extends Disposable {
  path: string;
  /** Takes all free space, in addition to what was taken before. */
  fill(): void;
  /** Frees all that was taken. */
  free(): void;
  /** Free space, bytes. */
  room(): number;
}

/** Whether a small disk can be made: on Linux, as root. */
export const canMakeDisk = isRoot && process.platform === 'linux';

/** Makes a disk in memory of `mebibytes`. */
export function makeSmallDisk(mebibytes: number): SmallDisk {
  const path = mkdtempSync('/tmp/benchbook-disk-');
  const { uid, gid } = unprivileged;
  const options = `size=${mebibytes}m,uid=${uid},gid=${gid},mode=700`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]);
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'a');
      for (const size of [1024 * 1024, 4096]) while (isWritten(file, new Uint8Array(size)));
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    room() {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    },
    [Symbol.dispose]() {
      // The last processes of the app may still end.
      execFileSync('umount', ['--lazy', path]);
      rmdirSync(path);
    },
  };
}

function isWritten(file: number, bytes: Uint8Array): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
