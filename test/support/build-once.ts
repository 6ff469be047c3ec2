import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { inject } from 'vitest';

/**
 * The folder of something that the test files of a run share, such as the built page. `build` writes it to the folder that
 * it gets; the first caller runs it, the others wait. Throws what it threw.
 */
export async function buildOnce(name: string, build: (out: string) => Promise<void>): Promise<string> {
  const folder = join(inject('buildFolder'), name);
  const out = join(folder, 'out');
  const outcome = join(folder, 'outcome');
  const isFirst = (await mkdir(folder, { recursive: true })) !== undefined;
  if (isFirst) {
    const error = await build(out).then(
      () => '',
      (failure: unknown) => String(failure),
    );
    // Atomic, because the others read it as soon as it exists.
    await writeFile(`${outcome}.part`, error);
    await rename(`${outcome}.part`, outcome);
  }
  while (!existsSync(outcome)) await setTimeout(100);
  const error = await readFile(outcome, 'utf8');
  if (error !== '') throw new Error(`The ${name} could not be built: ${error}`);
  return out;
}
