import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const leastBytes = 4 * 1024 ** 3;

/**
 * Creates an empty folder for the files of a run: in memory if the machine has enough, because the tests wait for the
 * disk tens of thousands of times. The caller removes it.
 */
export function scratchFolder(): string {
  if (existsSync(inMemory) && freemem() > 2 * leastBytes) {
    const { bavail, bsize } = statfsSync(inMemory);
    const folder = mkdtempSync(join(inMemory, 'benchbook-tests-'));
    if (bavail * bsize > leastBytes && canRunPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
  }
  return mkdtempSync(join(tmpdir(), 'benchbook-tests-'));
}

function canRunPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
