import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** An empty folder for what all test files of the run share. */
    buildFolder: string;
  }
}

let folder = '';

/** Creates the folder before the first test file of a run. */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'benchbook-builds-'));
  project.provide('buildFolder', folder);
}

/** Removes it after the last one. */
export async function teardown(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
