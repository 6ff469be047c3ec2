import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import react from '@vitejs/plugin-react';

import { buildForPeople } from '#test/support/production-build.ts';

/** After this a build is not from this run any more. */
const staleMs = 10 * 60_000;

/** Builds the page with the fixture engine into a folder. */
export async function buildPage(outDir: string): Promise<void> {
  await buildForPeople({
    root: import.meta.dirname,
    base: '/',
    publicDir: join(import.meta.dirname, '../../../../desktop/renderer/public'),
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: { outDir, emptyOutDir: true, target: 'chrome130', minify: false },
  });
}

/**
 * The built page, once for all test files of a run: they share the process that started them. The first to come
 * builds, the others wait for it.
 */
export async function builtPage(): Promise<string> {
  const folder = join(tmpdir(), `benchbook-renderer-${process.ppid}`);
  const out = join(folder, 'out');
  const outcome = join(folder, 'outcome');
  if (await isFresh(outcome)) return finished(outcome, out);
  await mkdir(folder, { recursive: true });
  const isFirst = await writeFile(join(folder, `lock-${Math.floor(Date.now() / staleMs)}`), '', {
    flag: 'wx',
  }).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const error = await buildPage(out).then(
      () => '',
      (failure: unknown) => String(failure),
    );
    await writeFile(outcome, error);
  }
  while (!(await isFresh(outcome))) await setTimeout(100);
  return finished(outcome, out);
}

async function isFresh(file: string): Promise<boolean> {
  const facts = await stat(file).catch(() => null);
  return facts !== null && Date.now() - facts.mtimeMs < staleMs;
}

async function finished(outcome: string, out: string): Promise<string> {
  const error = await readFile(outcome, 'utf8');
  if (error !== '') throw new Error(`The page could not be built: ${error}`);
  return out;
}
