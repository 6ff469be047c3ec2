import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import react from '@vitejs/plugin-react';
import { inject } from 'vitest';

import { buildForPeople } from '#test/support/production-build.ts';

/** Builds the page with the fixture engine into a folder. */
async function buildPage(outDir: string): Promise<void> {
  await buildForPeople({
    root: import.meta.dirname,
    base: '/',
    publicDir: join(import.meta.dirname, '../../../../desktop/renderer/public'),
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome130',
      minify: false,
      // Each test loads the page anew: one file instead of sixty saves a third of the time. The survey is large and
      // rarely used.
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: 'app', test: (id) => !id.includes('survey') }] } },
      },
    },
  });
}

/** The built page, once for all test files of a run. The first caller builds it, the others wait. */
export async function builtPage(): Promise<string> {
  const folder = inject('pageFolder');
  const out = join(folder, 'out');
  const outcome = join(folder, 'outcome');
  const isFirst = (await mkdir(join(folder, 'begun'), { recursive: true })) !== undefined;
  if (isFirst) {
    const error = await buildPage(out).then(
      () => '',
      (failure: unknown) => String(failure),
    );
    // Atomic, because the others read it as soon as it exists.
    await writeFile(`${outcome}.part`, error);
    await rename(`${outcome}.part`, outcome);
  }
  while (!existsSync(outcome)) await setTimeout(100);
  const error = await readFile(outcome, 'utf8');
  if (error !== '') throw new Error(`The page could not be built: ${error}`);
  return out;
}
